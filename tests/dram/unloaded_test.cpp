// SPDX-License-Identifier: Apache-2.0
// One read at a time: the latencies are sums of constraints, to the clock.
#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {
namespace {

struct Set {
  const char* name;
  ChannelSpec spec;
};

std::vector<Set> sets() { return {{"HBM3", r_hbm3()}, {"HBM2", r_hbm2()}, {"GDDR6", r_gddr6()}}; }

// The burst of one row and column of bank 0 of pseudo-channel 0.
Access at(const Bench& bench, std::uint32_t row, std::uint32_t column, bool write = false) {
  Location location;
  location.row = row;
  location.column = column;
  return {bench.map().burst_at(location), write};
}

}  // namespace

TEST_CASE("an unloaded read costs the sum of its constraints to the clock") {
  for (const Set& set : sets()) {
    INFO(set.name);
    Bench bench(set.spec);
    const TimingSpec& t = set.spec.timing;
    // One clock from acceptance to the first command; a long ACT adds its further clocks, rounded up.
    const double hit = t.read_latency.value + t.burst.value + 1;
    const double closed = t.t_rcd_read.value + hit + (t.activate_bus.value > 1 ? 1 : 0);
    const double conflict = t.t_rp.value + t.t_rcd_read.value + hit;
    WHEN("the bank is closed, then the row is open, then another row is wanted") {
      REQUIRE(bench.latency(at(bench, 5, 0), 1000) == closed);
      REQUIRE(bench.latency(at(bench, 5, 1), 3000) == hit);
      REQUIRE(bench.latency(at(bench, 9, 1), 5000) == conflict);
      const Statistics& s = bench.channel().statistics();
      REQUIRE(s.row_closed == 1);
      REQUIRE(s.row_hits == 1);
      REQUIRE(s.row_conflicts == 1);
      REQUIRE(s.reads == 3);
      REQUIRE(s.bytes_read == 96);
    }
    WHEN("the peaks of the spec are asked") {
      const Peaks p = peaks(set.spec);
      REQUIRE(p.row_hit.value == hit);
      REQUIRE(p.row_closed.value == closed);
      REQUIRE(p.row_conflict.value == conflict);
    }
  }
}

TEST_CASE("the pins carry what the sheets say") {
  REQUIRE(peaks(r_hbm3()).bandwidth.value == Approx(51.2e9));
  REQUIRE(peaks(r_hbm3()).bus_bits == 64);
  REQUIRE(peaks(r_hbm2()).bandwidth.value == Approx(32e9));
  REQUIRE(peaks(r_gddr6()).bandwidth.value == Approx(28e9));
  REQUIRE(peaks(r_hbm3()).capacity.value == 2ULL * 2 * 16 * 8192 * 1024);
}

TEST_CASE("a lone row conflict costs one wake and one answer") {
  Bench bench(r_hbm3());
  bench.latency(at(bench, 1, 0), 1000);
  const std::uint64_t before = bench.simulation().events_served();
  bench.latency(at(bench, 2, 0), 3000);
  // On the bench: the send, the arrival at the end of the port, the wake, the answer.
  REQUIRE(bench.simulation().events_served() - before == 4);
}

TEST_CASE("a read that arrives between two edges is accepted at the next clock edge") {
  Bench bench(r_hbm3());
  const double on_edge = bench.latency(at(bench, 1, 0), 2000);
  Bench other(r_hbm3());
  REQUIRE(other.latency(at(other, 1, 0), 2001) == on_edge + 0.5);
}

TEST_CASE("touch opens the row that the next read hits") {
  Bench bench(r_hbm2());
  const Access access = at(bench, 77, 3);
  bench.channel().touch(access.burst / 4);
  // The map spreads a block over bank groups: the touched burst's own bank has its row open.
  REQUIRE(bench.latency(access, 100) == peaks(r_hbm2()).row_hit.value);
}

TEST_CASE("with closed pages every lone read finds a closed bank") {
  ChannelSpec spec = r_hbm3();
  spec.controller.page_policy = PagePolicy::closed;
  Bench bench(spec);
  bench.channel().touch(at(bench, 5, 0).burst / 4);
  for (std::int64_t i = 1; i < 5; ++i) {
    REQUIRE(bench.latency(at(bench, 5, 0), 2000 * i) == peaks(spec).row_closed.value);
  }
  REQUIRE(bench.channel().statistics().row_closed == 4);
}

// A row may be closed tRAS after it was opened or tRTP after a read, whichever is later, and is then left open for the timeout.
TEST_CASE("with a timeout a row is hit until it has passed") {
  ChannelSpec spec = r_hbm2();
  spec.controller.page_policy = PagePolicy::timeout;
  spec.controller.row_timeout = {300};
  Bench bench(spec);
  REQUIRE(bench.latency(at(bench, 5, 0), 1000) == peaks(spec).row_closed.value);
  REQUIRE(bench.latency(at(bench, 5, 1), 1250) == peaks(spec).row_hit.value);
  REQUIRE(bench.latency(at(bench, 5, 2), 1500) == peaks(spec).row_hit.value);  // the timeout restarts
  REQUIRE(bench.latency(at(bench, 5, 3), 2000) == peaks(spec).row_closed.value);
  REQUIRE(bench.latency(at(bench, 6, 0), 2100) == peaks(spec).row_conflict.value);
  REQUIRE(bench.channel().statistics().row_closed == 2);
}

TEST_CASE("the fixed latency of the controller is added after the last beat") {
  ChannelSpec spec = r_hbm2();
  spec.controller.latency = {40};
  Bench bench(spec);
  REQUIRE(bench.latency(at(bench, 1, 0), 10) == peaks(spec).row_closed.value + 40);
}

TEST_CASE("the stages of a read tile its latency") {
  ChannelSpec spec = r_hbm3();
  spec.controller.latency = {40};
  Bench bench(spec);
  bench.latency(at(bench, 1, 0), 100);
  memory::Journey journey;
  journey.begin(Time{4000});
  const std::size_t index = bench.send(at(bench, 2, 0), 4000);
  bench.transaction(index).journey = &journey;
  bench.run();
  std::int64_t at_tick = 4000;
  std::vector<std::string> names;
  for (const memory::Milestone& m : journey.milestones()) {
    REQUIRE(m.from.ticks == at_tick);
    at_tick = m.until.ticks;
    names.push_back(bench.stages()[m.stage]);
  }
  REQUIRE(at_tick == bench.answers()[index]);
  REQUIRE(names == std::vector<std::string>{"DRAM queue", "DRAM bank", "DRAM data", "DRAM controller"});
}

TEST_CASE("a block of 128 bytes in one row takes as many bursts as its sectors need") {
  const ChannelSpec spec = with_map(r_hbm2(), blocks_in_a_row);
  const double closed = peaks(spec).row_closed.value;
  for (std::uint64_t bursts = 1; bursts <= 4; ++bursts) {
    Bench bench(spec);
    const double latency = bench.latency({4096, false, bursts}, 10);
    // The bursts of a block share a bank group, so they are issued tCCD_L apart.
    REQUIRE(latency == closed + static_cast<double>(bursts - 1) * spec.timing.t_ccd_l.value);
    REQUIRE(bench.channel().statistics().read_bursts == bursts);
    REQUIRE(bench.channel().statistics().activates == 1);
  }
}

}  // namespace strata::dram::test
