// SPDX-License-Identifier: Apache-2.0
// Stores, atomics and loads without a pause through small buffers: no request waits forever, no
// queue grows without bound, and every request is answered.
#include "catch.hpp"
#include "stream.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

CacheSpec tight() {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.size = Bytes{64 * 128};
  spec.mshrs = 5;
  spec.merges_per_mshr = 2;
  spec.writeback_buffer = 3;
  spec.input_depth = 4;
  spec.data_width = 64_B_clk;
  spec.write_width = 32_B_clk;
  spec.fill_width = 64_B_clk;
  spec.banks = 4;
  spec.bank_width = 32_B_clk;
  return spec;
}

}  // namespace

TEST_CASE("write_width_bounds_stores_to_present_lines") {
  CacheSpec spec = write_back_spec();
  spec.write_width = 32_B_clk;
  Stream stream(spec, Stream::cycle * 100, [](std::uint64_t n, Transaction& t) {
    t.block = n % 8;
    t.operation = Operation::store;
  });
  stream.run(10'000, 32);
  CHECK(10'000 / stream.cycles() == Approx(32.0 / 128).epsilon(0.01));
  CHECK(stream.sectors_read_below == 0);  // a store does not fetch
}

TEST_CASE("stores_with_a_port_of_their_own_take_no_time_of_loads") {
  const auto cycles = [](bool apart) {
    CacheSpec spec = write_back_spec();
    spec.data_width = 32_B_clk;
    spec.stores_apart = apart;
    Stream stream(spec, Stream::cycle * 100, [](std::uint64_t n, Transaction& t) {
      t.block = n % 8;
      t.operation = n % 2 == 0 || n < 8 ? Operation::store : Operation::load;
    });
    stream.run(10'000, 32);
    return stream.cycles();
  };
  CHECK(10'000 / cycles(false) == Approx(32.0 / 128).epsilon(0.01));
  CHECK(10'000 / cycles(true) == Approx(2 * 32.0 / 128).epsilon(0.01));
}

TEST_CASE("partial_stores_cost_their_sectors_and_mark_them_alone") {
  CacheSpec spec = write_back_spec();
  spec.write_width = 32_B_clk;
  Stream stream(spec, Stream::cycle * 100, [](std::uint64_t n, Transaction& t) {
    t.block = n;
    t.wanted = 0b0110;
    t.operation = Operation::store;
  });
  const std::uint64_t stores = 5'000;
  stream.run(stores, 32);
  const CacheStatistics s = stream.cache().statistics();
  CHECK(s.bytes_written == stores * 64);
  CHECK(s.bytes_written_back == (stores - spec.lines()) * 64);  // the last are still there
  CHECK(stream.sectors_stored_below * 32 == s.bytes_written_back);
  CHECK(stream.cache().contains(stores - 1, 0b0110));
  CHECK_FALSE(stream.cache().contains(stores - 1, 0b0001));
}

TEST_CASE("full_load_of_any_mix_neither_stops_nor_piles_up_nor_loses_a_byte") {
  for (const bool write_back : {true, false}) {
    CacheSpec spec = tight();
    if (!write_back) {
      spec.write_policy = WritePolicy::write_through;
      spec.performs_atomics = false;
    }
    for (const std::uint64_t stores_of_four : {0U, 1U, 3U, 4U}) {
      RandomSequence random(stores_of_four + 1);
      std::uint64_t read = 0, stored = 0;
      Stream stream(spec, Stream::cycle * 200, [&](std::uint64_t, Transaction& t) {
        t.block = random.below(400);
        t.wanted = static_cast<SectorMask>(1 + random.below(15));
        t.operation = random.below(4) < stores_of_four ? Operation::store
                      : random.below(5) == 0           ? Operation::atomic
                                                       : Operation::load;
        (t.operation == Operation::store ? stored : read) += strata::cache::count(t.wanted);
      });
      const std::uint64_t requests = 30'000;
      stream.run(requests, 200);
      const CacheStatistics s = stream.cache().statistics();
      CAPTURE(write_back, stores_of_four);
      CHECK(stream.answered() == requests);
      CHECK(drained(stream.cache()));
      CHECK(stream.port().credits() == spec.input_depth);
      CHECK(s.sectors_read_here() == read);
      CHECK(s.sectors_stored == stored);
      CHECK(s.sectors_fetched == s.sectors_filled);
      CHECK(s.sectors_read_below() == stream.sectors_read_below);
      CHECK(s.sectors_stored_below() == stream.sectors_stored_below);
      if (write_back) CHECK(stream.most_below() <= *spec.mshrs * 4 + spec.writeback_buffer);
    }
  }
}

TEST_CASE("reports_of_a_cache_agree_with_its_counters_and_littles_law") {
  const CacheSpec spec = [] {
    CacheSpec s = write_back_spec();
    s.mshrs = 8;
    return s;
  }();
  Stream stream(spec, Stream::cycle * 100, [](std::uint64_t n, Transaction& t) { t.block = n; });
  const std::uint64_t loads = 4000;
  stream.run(loads, 32);
  stats::Collector collector;
  stream.cache().collect(collector);
  const stats::Snapshot& counted = collector.snapshot();
  const auto value = [&](const char* path) {
    REQUIRE(counted.find(path) != nullptr);
    return counted.find(path)->value;
  };
  CHECK(value("requests") == loads);
  CHECK(value("misses") == loads);
  CHECK(value("answers") == loads);
  CHECK(value("sectors filled") == loads * 4);
  CHECK(value("MSHRs at most") == 8);
  // Each miss holds its MSHR from the lookup to the fill.
  const Duration held = Stream::cycle * static_cast<std::int64_t>(spec.tag_latency.value + 100);
  CHECK(value("MSHR time") == loads * static_cast<std::uint64_t>(held.ticks));
  CHECK(counted.find("tags")->served == loads);
  CHECK(value("tags") == loads * static_cast<std::uint64_t>(Stream::cycle.ticks));
  CHECK(value("data") == loads * static_cast<std::uint64_t>(Stream::cycle.ticks));
  CHECK(counted.find("bank 0") == nullptr);
}
