// SPDX-License-Identifier: Apache-2.0
// Banks of the data array: an in-order pipeline stops at a bank that is busy.
#include "catch.hpp"
#include "stream.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr std::uint64_t lines = 1024;

/// A slice of 64 B/clk with banks of 32 B/clk.
CacheSpec slice(std::uint64_t banks, std::uint64_t depth = 32) {
  CacheSpec spec = write_back_spec();
  spec.size = Bytes{lines * 128};
  spec.ways = 16;
  spec.data_width = 64_B_clk;
  spec.banks = banks;
  if (banks > 1) spec.bank_width = 32_B_clk;
  spec.input_depth = depth;
  spec.mshrs = 256;
  return spec;
}

/// The part of data_width that random lines reach when all of them hit.
double reached(const CacheSpec& spec, Operation operation = Operation::load) {
  RandomSequence random(3);
  bool warm = false;
  Stream stream(spec, Stream::cycle * 100, [&](std::uint64_t n, Transaction& t) {
    t.block = warm ? random.below(lines) : n;
    t.operation = warm ? operation : Operation::load;
  });
  stream.run(lines, 64);
  warm = true;
  const std::uint64_t requests = 40'000;
  stream.run(requests, 64);
  CHECK(drained(stream.cache()));
  return static_cast<double>(requests) * 128 / (stream.cycles() * spec.data_width.value);
}

}  // namespace

TEST_CASE("an_array_of_one_bank_serves_random_hits_at_its_width") {
  CHECK(reached(slice(1)) == Approx(1.0).epsilon(0.01));
}

TEST_CASE("random_lines_reach_one_in_one_plus_one_in_banks_of_the_width") {
  // A line occupies the output for 2 clocks and its bank for 4. The next one is sent 2 clocks
  // later, or 4 if it is in the same bank, with probability 1/B; the bank of the line before it
  // is free again by then.
  for (const std::uint64_t banks : {2U, 4U, 8U, 16U}) {
    const double clocks = 2 + 2.0 / static_cast<double>(banks);
    CAPTURE(banks);
    // No queue in front helps a pipeline that is in order.
    for (const std::uint64_t depth : {4U, 32U, 256U}) {
      CHECK(reached(slice(banks, depth)) == Approx(2 / clocks).epsilon(0.015));
    }
    CHECK(reached(slice(banks), Operation::store) == Approx(2 / clocks).epsilon(0.015));
  }
}

TEST_CASE("fills_take_bank_time_and_write_backs_take_output_time") {
  // Stores of whole lines to ever new ones: each line is written once and read
  // once to go down.
  CacheSpec spec = slice(1);
  spec.writeback_buffer = 64;
  Stream stream(spec, Stream::cycle * 20, [&](std::uint64_t n, Transaction& t) {
    t.block = n;
    t.operation = Operation::store;
  });
  stream.run(lines, 64);
  stream.run(20'000, 64);
  CHECK(stream.cache().statistics().writebacks == 20'000);
  CHECK(20'000 / stream.cycles() == Approx(64.0 / (128 + 128)).epsilon(0.01));

  CacheSpec banked = slice(4);
  Stream reads(banked, Stream::cycle * 20, [](std::uint64_t n, Transaction& t) { t.block = n; });
  reads.run(1000, 64);
  stats::Collector collector;
  reads.cache().collect(collector);
  std::uint64_t busy = 0, served = 0;
  for (const auto& figure : collector.snapshot().figures()) {
    if (figure.path.rfind("bank ", 0) != 0) continue;
    busy += figure.value;
    served += figure.served;
  }
  CHECK(served == 1000);  // the answers of misses pass the array by
  CHECK(busy == 1000 * 4 * static_cast<std::uint64_t>(Stream::cycle.ticks));
}
