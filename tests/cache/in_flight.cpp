// SPDX-License-Identifier: Apache-2.0
// How much of an L1 can be in flight. A fetch reserves a line of the array, so loads in flight
// are bounded by the array, and bandwidth by array / latency (Little).
#include "catch.hpp"
#include "stream.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr double latency = 700;  // clk of the memory

CacheSpec array(std::uint64_t lines) {
  CacheSpec spec = small_spec();
  spec.size = Bytes{lines * 128};
  spec.ways = 4;
  spec.mshrs.reset();
  spec.tag_latency = 8_clk;
  spec.hit_latency = 28_clk;
  spec.fill_latency = 12_clk;
  spec.lookups_per_clock = 4;
  spec.misses_per_clock = 1;
  spec.input_depth = 32;
  spec.bypass_cg = true;
  return spec;
}
CacheSpec pooled(std::uint64_t lines) {
  CacheSpec spec = array(lines);
  spec.data_pool = DataPoolSpec{512};
  spec.streaming = true;
  spec.write_policy = WritePolicy::write_through;
  return spec;
}

/// Lines per clock of a stream with this number of loads in flight.
double rate(const CacheSpec& spec, memory::CacheOperator how, std::uint64_t streams, std::uint64_t in_flight = 4096) {
  Stream stream(spec, Stream::cycle * static_cast<std::int64_t>(latency), [=](std::uint64_t n, Transaction& t) {
    // Streams one after the other, an odd number of lines apart.
    t.block = n % streams * 1'000'003 + n / streams;
    t.cache_operator = how;
  });
  const std::uint64_t loads = 60'000;
  stream.run(loads, in_flight);
  CHECK(stream.answered() == loads);
  CHECK(drained(stream.cache()));
  return static_cast<double>(loads) / stream.cycles();
}

}  // namespace

TEST_CASE("a_stream_runs_at_one_miss_a_clock_where_the_array_is_large") {
  CHECK(rate(pooled(1728), memory::CacheOperator::cg, 1) == Approx(1.0).epsilon(0.02));
  CHECK(rate(pooled(1728), memory::CacheOperator::ca, 64) == Approx(1.0).epsilon(0.02));
  CHECK(rate(pooled(1728), memory::CacheOperator::ca, 1) == Approx(1.0).epsilon(0.02));
}

TEST_CASE("loads_in_flight_are_bounded_by_the_array") {
  // A line is held from its lookup to its fill.
  const CacheSpec any = array(160);
  const double held = any.tag_latency.value + latency;
  for (const std::uint64_t lines : {160U, 416U}) {
    const double bound = static_cast<double>(lines) / held;
    for (const auto how : {memory::CacheOperator::ca, memory::CacheOperator::cg}) {
      for (const std::uint64_t streams : {1U, 16U, 64U}) {
        CAPTURE(lines, streams, how == memory::CacheOperator::cg);
        const double with_pool = rate(pooled(lines), how, streams);
        CHECK(with_pool <= bound * 1.01);  // start and end of the run
        CHECK(with_pool >= bound * 0.95);
      }
      const double plain = rate(array(lines), how, 1);
      CHECK(plain <= bound * 1.01);
      CHECK(plain >= bound * 0.95);
    }
  }
}

TEST_CASE("hits_take_four_lines_a_clock_and_the_width_of_the_array") {
  const auto hits = [](SectorMask sectors) {
    Stream stream(pooled(1728), Stream::cycle * 700, [=](std::uint64_t n, Transaction& t) {
      t.block = n % 1024;
      t.wanted = sectors;
    });
    stream.run(1024, 1024);
    stream.run(40'000, 256);
    return 40'000 / stream.cycles();
  };
  CHECK(hits(0b0001) == Approx(4.0).epsilon(0.05));  // lookups_per_clock
  CHECK(hits(0b1111) == Approx(1.0).epsilon(0.05));  // 128 B a clock
}
