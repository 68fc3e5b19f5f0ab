// SPDX-License-Identifier: Apache-2.0
// A miscount at any level is found and named: correct accounts balance, and each account with
// one figure changed by one does not.
#include "machine/account/level_balance.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tiny_machine.hpp"

using namespace strata;
using namespace strata::machine;

namespace {

constexpr Time now{1000};
constexpr Instant rest{now, true, 0};
constexpr Instant running{now, false, 5};

template <class Account>
std::vector<std::string> breaches(const Account& account, const Instant& instant) {
  observe::Balance balance;
  check(balance, account, instant);
  return balance.breaches();
}
std::vector<std::string> breaches(const SectorFlow& flow, const Instant& instant) {
  observe::Balance balance;
  check(balance, "below L2", flow, instant);
  return balance.breaches();
}

bool any_starts_with(const std::vector<std::string>& lines, const std::string& words) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(words); });
}

// Ten loads of two sectors, of which six hit and four fetch, and two stores that are forwarded.
CacheAccount sound_cache() {
  CacheAccount account;
  account.name = "L1 of core 0";
  account.counts.requests = 12;
  account.counts.answers = 10;
  account.counts.stores_forwarded = 2;
  account.counts.sectors_read = 20;
  account.counts.sector_hits = 12;
  account.counts.fetches = 4;
  account.counts.sectors_fetched = account.counts.sectors_filled = 8;
  account.counts.mshr_ticks = 400;
  account.held.mshrs_peak = 2;
  return account;
}

SectorFlow sound_flow() {
  SectorFlow flow;
  flow.asked = flow.arrived = {30, 60, 20};
  return flow;
}

DramAccount sound_dram() {
  DramAccount account;
  account.name = "DRAM of memory die 0";
  account.arrived = account.served = 30;
  account.asked = account.moved = {40, 20};
  account.queued = 500;
  account.places = 4000;
  return account;
}

}  // namespace

TEST_CASE("a_cache_that_miscounts_is_named") {
  CHECK(breaches(sound_cache(), rest).empty());
  CHECK(breaches(sound_cache(), running).empty());
  const std::vector<std::function<void(CacheAccount&)>> faults{
      [](CacheAccount& c) { ++c.counts.requests; },
      [](CacheAccount& c) { c.counts.requests = c.counts.requests - 1; },
      [](CacheAccount& c) { ++c.counts.answers; },
      [](CacheAccount& c) { ++c.counts.stores_forwarded; },
      [](CacheAccount& c) { ++c.counts.atomics_forwarded; },
      [](CacheAccount& c) { ++c.counts.sectors_fetched; },
      [](CacheAccount& c) { c.counts.sectors_filled = c.counts.sectors_filled - 1; },
      [](CacheAccount& c) { ++c.held.sectors; },
      [](CacheAccount& c) { ++c.held.requests; },
      [](CacheAccount& c) { c.counts.sector_hits = 21; },
      [](CacheAccount& c) { c.counts.mshr_ticks = 2001; }};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    INFO(i);
    for (const Instant& instant : {rest, running}) {
      CacheAccount account = sound_cache();
      faults[i](account);
      CHECK(any_starts_with(breaches(account, instant), "L1 of core 0: "));
    }
  }
}

TEST_CASE("requests_held_by_a_cache_count_in_its_balance_during_a_run_and_not_at_rest") {
  CacheAccount account = sound_cache();
  account.counts.requests += 3;  // three wait for the sectors of one fetch
  account.held.requests = 3;
  account.counts.sectors_fetched += 4;
  account.held.sectors = 4;
  account.held.mshrs = 1;
  CHECK(breaches(account, running).empty());
  CHECK(breaches(account, rest).size() == 2);  // requests that wait and an MSHR in use
  account = sound_cache();
  account.held.own = 1;
  CHECK(breaches(account, running).empty());
  CHECK(breaches(account, rest) ==
        std::vector<std::string>{"L1 of core 0: 1 messages of its own are on their way at rest, but 0 can be"});
}

TEST_CASE("requests_lost_or_doubled_between_levels_are_named") {
  CHECK(breaches(sound_flow(), rest).empty());
  for (std::uint64_t Traffic::* const figure : {&Traffic::requests, &Traffic::read, &Traffic::stored}) {
    SectorFlow lost = sound_flow();
    --(lost.arrived.*figure);
    CHECK(any_starts_with(breaches(lost, rest), "below L2: "));
    CHECK(breaches(lost, running).empty());  // it may be in flight
    lost.arrived.*figure -= std::uint64_t{19};
    CHECK((figure == &Traffic::requests) == !breaches(lost, running).empty());  // 20 sectors fit in 5 messages
    SectorFlow doubled = sound_flow();
    ++(doubled.arrived.*figure);
    CHECK(any_starts_with(breaches(doubled, rest), "below L2: "));
    CHECK(any_starts_with(breaches(doubled, running), "below L2: "));
  }
  SectorFlow lost = sound_flow();
  --lost.arrived.read;
  CHECK(breaches(lost, rest) ==
        std::vector<std::string>{
            "below L2: 60 sectors to read were asked for, more than 59 arrived below or can be under way"});
}

TEST_CASE("dram_that_loses_a_request_or_a_burst_is_named") {
  CHECK(breaches(sound_dram(), rest).empty());
  const std::vector<std::function<void(DramAccount&)>> faults{
      [](DramAccount& d) { ++d.arrived; },       [](DramAccount& d) { ++d.served; },
      [](DramAccount& d) { ++d.held; },          [](DramAccount& d) { ++d.moved.read; },
      [](DramAccount& d) { ++d.moved.written; }, [](DramAccount& d) { d.queued = 4001; },
      [](DramAccount& d) { --d.moved.read; },    [](DramAccount& d) { --d.moved.written; }};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    INFO(i);
    DramAccount account = sound_dram();
    faults[i](account);
    CHECK(any_starts_with(breaches(account, rest), "DRAM of memory die 0: "));
    // Bursts may be still to come, as the last two.
    CHECK(breaches(account, running).empty() == (i >= 6));
  }
}

TEST_CASE("arrivals_are_counted_in_requests_sectors_and_bursts") {
  Arrivals arrivals;
  memory::Transaction transaction;
  transaction.operation = memory::Operation::load;
  for (const unsigned mask : {0b0001U, 0b0101U, 0b1111U}) {
    transaction.fetched = static_cast<memory::SectorMask>(mask);
    arrivals.count(transaction);
  }
  transaction.operation = memory::Operation::writeback;
  transaction.fetched = 0b0110;
  arrivals.count(transaction);
  const Traffic traffic = arrivals.traffic();
  CHECK(traffic.requests == 4);
  CHECK(traffic.read == 7);
  CHECK(traffic.stored == 2);
  CHECK(arrivals.bursts(1).read == 7);          // bursts of 32 B
  CHECK(arrivals.bursts(2).read == 1 + 2 + 2);  // of 64 B
  CHECK(arrivals.bursts(4).read == 3);          // of 128 B
  CHECK(arrivals.bursts(2).written == 2);
}

TEST_CASE("littles_law_holds_for_lines_at_any_instant") {
  compute::LineFlow flow;
  flow.enter({100}, 3);
  flow.answer({150}, {180}, {100});
  flow.enter({200}, 1);
  const auto account = [&](const compute::LineFlow& of, std::uint64_t looked_up) {
    return CoreAccount{.name = "core 0", .flow = of, .looked_up = looked_up};
  };
  // Two lines are 900 ticks old, one is 800; the fourth took 80.
  CHECK(flow.area_at(now).ticks == 2680);
  CHECK(breaches(account(flow, 4), running).empty());
  CHECK(any_starts_with(breaches(account(flow, 4), rest), "core 0: 3 lines are in flight at rest"));
  CHECK(any_starts_with(breaches(account(flow, 5), running), "core 0: 5 lines were looked up"));

  SECTION("a line that is answered with another's time") {
    flow.answer({300}, {300}, {100});
    flow.answer({300}, {300}, {100});
    flow.answer({400}, {400}, {200});
    CHECK(breaches(account(flow, 4), rest).empty());
    compute::LineFlow wrong;
    wrong.enter({100}, 1);
    wrong.answer({150}, {180}, {90});
    CHECK(breaches(account(wrong, 1), rest) ==
          std::vector<std::string>{
              "core 0: 90 line x ticks are the latencies of those answered, more than 80 were in flight over time"});
    wrong = {};
    wrong.enter({100}, 1);
    wrong.answer({150}, {180}, {110});
    CHECK(breaches(account(wrong, 1), rest) ==
          std::vector<std::string>{
              "core 0: 80 line x ticks were in flight over time, more than 70 are the latencies of those "
              "answered and of those in flight can be"});
  }
  SECTION("a line that is answered twice") {
    flow.answer({300}, {300}, {100});
    flow.answer({300}, {300}, {100});
    flow.answer({300}, {300}, {100});
    flow.answer({400}, {400}, {200});
    CHECK_FALSE(breaches(account(flow, 4), rest).empty());
  }
  SECTION("a core whose lines are lost before its caches") {
    for (int i = 0; i < 2; ++i) flow.answer({300}, {300}, {100});
    flow.answer({400}, {400}, {200});
    CHECK(any_starts_with(breaches(account(flow, 3), rest), "core 0: 4 lines were sent, but 3 were looked up"));
  }
  SECTION("MSHRs in use for longer than lines were in flight") {
    CoreAccount one = account(flow, 4);
    one.mshr_ticks = 2681;
    CHECK(any_starts_with(breaches(one, running), "core 0: 2681 MSHR x ticks"));
    one.lines_open_mshrs = false;
    CHECK(breaches(one, running).empty());
  }
}

TEST_CASE("a_machine_balances_at_every_instant_of_a_run") {
  const MachineSpec spec = GENERATE(test::monolithic(), test::two_sides(), test::chiplets());
  INFO(spec.name);
  Machine machine(spec);
  trace::Instruction pattern;
  pattern.bytes_per_lane = 8;
  std::deque<trace::PointerChase> chases;
  std::uint64_t completed = 0;
  struct Listener {
    std::uint64_t& completed;
    engine::Simulation& simulation;
    static void on_completion(void* self, std::uint32_t, Duration, unsigned) {
      auto& listener = *static_cast<Listener*>(self);
      if (++listener.completed % 7 == 0) listener.simulation.stop();
    }
  } listener{completed, machine.simulation()};
  for (std::uint32_t core = 0; core < 4; ++core)
    for (std::uint64_t warp = 0; warp < 4; ++warp) {
      pattern.operation = warp == 3   ? memory::Operation::store
                          : warp == 2 ? memory::Operation::atomic
                                      : memory::Operation::load;
      chases.emplace_back(trace::ChaseRing{0, 512, 64, trace::ChaseOrder::random, warp}, pattern, 0, 128);
      machine.start(core, chases.back(), {&Listener::on_completion, &listener});
    }
  std::uint64_t stops = 0;
  while (!machine.run()) {
    ++stops;
    CHECK_NOTHROW(machine.meter().require_balance());
  }
  CHECK(stops > 100);
  CHECK(completed == 4 * 4 * 128);
}
