// SPDX-License-Identifier: Apache-2.0
// Many warps on a core: the stalls of a warp, the order of issue, and the bounds on
// instructions in flight.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "catch.hpp"
#include "compute/scheduling.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {
namespace {

constexpr double memory_latency = 100;

double issue_of(const Bench& bench, const CoreSpec& spec, std::size_t request) {
  return clock.count(bench.global.requests.at(request).ready - Time{}) - spec.load_store.scalar_address.value;
}

}  // namespace

TEST_CASE("answers_of_caches_enter_the_registers_at_the_return_width") {
  GIVEN("sixteen loads of 4 B that need nothing of each other") {
    std::vector<trace::Instruction> loads;
    for (std::uint8_t i = 0; i < 16; ++i) loads.push_back(into(static_cast<std::uint8_t>(i + 1), load(i * 128U)));
    const double width = GENERATE(1.0, 0.0);
    CoreSpec spec = small_core();
    if (width > 0) spec.load_store.return_width = BytesPerClock{width};
    Bench bench(spec);
    const double last = bench.run(std::move(loads));
    THEN("the first is not held up, and each other follows at the path's pace or at that of lines") {
      const double first = spec.load_store.scalar_address.value + memory_latency;
      const double pace = width > 0 ? 4 / width : spec.load_store.per_line.value;
      CHECK(bench.completions.front().cycles == first);
      CHECK(last == first + 15 * pace);
    }
  }
}

TEST_CASE("an_atomic_without_a_result_register_returns_no_old_value") {
  CoreSpec spec = small_core();
  spec.load_store.return_width = BytesPerClock{0.25};  // 16 cycles a value
  const auto atomic = [](std::uint8_t to, bool dependent) {
    trace::Instruction instruction = to == 0 ? independent(load(0)) : into(to, load(0));
    instruction.operation = memory::Operation::atomic;
    instruction.dependent = dependent;
    return instruction;
  };
  const auto run = [&](const trace::Instruction& instruction) {
    Bench bench(spec);
    const double last = bench.run({instruction, instruction});
    REQUIRE(bench.global.requests.size() == 2);
    return std::pair(bench.global.requests[0].returns_old, last);
  };
  const double answered = spec.load_store.scalar_address.value + memory_latency;
  CHECK(run(atomic(0, false)) == std::pair(false, answered + spec.load_store.per_line.value));
  // Of two values the second enters when the first has.
  Bench wanted(spec);
  CHECK(wanted.run({atomic(1, false), atomic(2, false)}) == answered + 16);
  CHECK(wanted.global.requests[1].returns_old);
  // If a trace has no registers, the value may be needed.
  CHECK(run(atomic(0, true)).first);
}

TEST_CASE("a_warp_continues_until_it_needs_a_register_of_a_pending_load") {
  const CoreSpec spec = small_core();
  const double answered = spec.load_store.scalar_address.value + memory_latency;
  GIVEN("a load to register 1, one to register 2 and a store of register 1") {
    Bench bench(spec);
    bench.run({into(1, load(0)), into(2, load(128)), from(1, store(256)), into(3, load(384))});
    CHECK(issue_of(bench, spec, 0) == 0);
    CHECK(issue_of(bench, spec, 1) == spec.load_store.per_line.value);
    THEN("the store waits for register 1 alone, and what follows it for nothing more") {
      CHECK(issue_of(bench, spec, 2) == answered);
      CHECK(issue_of(bench, spec, 3) == answered + spec.load_store.per_line.value);
      CHECK(bench.core.statistics().waits == 1);
    }
  }
  GIVEN("two loads to the same register") {
    Bench bench(spec);
    bench.run({into(200, load(0)), into(200, load(128))});
    THEN("the second waits for the first") { CHECK(issue_of(bench, spec, 1) == answered); }
  }
  GIVEN("registers 64 apart") {
    Bench bench(spec);
    bench.run({into(1, load(0)), into(65, load(128)), into(129, load(256)), into(193, load(384))});
    THEN("nothing waits") { CHECK(bench.core.statistics().waits == 0); }
  }
}

TEST_CASE("work_before_an_instruction_begins_when_all_waits_are_over") {
  const CoreSpec spec = small_core();
  const double answered = spec.load_store.scalar_address.value + memory_latency;
  const auto after = [](double cycles, trace::Instruction instruction) {
    instruction.work = clock.cycles(cycles);
    return instruction;
  };
  GIVEN("a load after 7 cycles of work, another after 9 and a store of what was loaded after 5") {
    Bench bench(spec);
    bench.run({after(7, into(1, load(0))), after(9, into(2, load(128))), after(5, from(1, store(256)))});
    THEN("the loads issue as the work before them ends") {
      CHECK(issue_of(bench, spec, 0) == 7);
      CHECK(issue_of(bench, spec, 1) == 7 + 9);
    }
    THEN("the store's work begins when its value has come") { CHECK(issue_of(bench, spec, 2) == 7 + answered + 5); }
  }
}

TEST_CASE("a_register_is_free_when_all_lines_of_its_load_have_answered") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  bench.run({into(1, load(0, 8, memory::block_bytes)), from(1, store(4096))});
  REQUIRE(bench.global.requests.size() == 9);
  const double last_line = spec.load_store.vector_address.value + 7 * spec.load_store.per_line.value;
  CHECK(issue_of(bench, spec, 8) == last_line + memory_latency);
}

TEST_CASE("stores_stall_no_instruction_but_the_warp_runs_until_they_are_acknowledged") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  const double took = bench.run({store(0), store(128), load(256)});
  CHECK(issue_of(bench, spec, 2) == 2 * spec.load_store.per_line.value);
  CHECK(took == 2 * spec.load_store.per_line.value + spec.load_store.scalar_address.value + memory_latency);
  CHECK(bench.core.running() == 0);
}

TEST_CASE("stored_lines_have_a_separate_interval") {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.load_store.per_stored_line = 2_clk;
  Bench bench(spec);
  bench.run({store(0, 8, memory::block_bytes), independent(load(4096))});
  for (std::size_t i = 1; i < 8; ++i)
    CHECK(bench.global.requests[i].ready - bench.global.requests[i - 1].ready == clock.cycles(2));
  CHECK(issue_of(bench, spec, 8) == 8 * 2);
}

TEST_CASE("each_instruction_reports_its_own_latency_and_level") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  trace::Instruction texture = independent(load(128));
  texture.space = trace::Space::texture;  // twice as far as global memory
  bench.run({independent(load(0, 8, memory::block_bytes)), texture});
  REQUIRE(bench.completions.size() == 2);
  CHECK(bench.completions[0].served_by == 1);
  CHECK(bench.completions[0].cycles ==
        spec.load_store.vector_address.value + 7 * spec.load_store.per_line.value + memory_latency);
  CHECK(bench.completions[1].served_by == 3);
  CHECK(bench.completions[1].cycles == spec.load_store.scalar_address.value + 2 * memory_latency);
}

TEST_CASE("a_core_takes_no_more_warps_than_it_holds") {
  CoreSpec spec = small_core();
  spec.warps = 3;
  Bench bench(spec);
  std::vector<Script> warps(4, Script({load(0)}));
  for (std::size_t i = 0; i < 3; ++i) bench.core.start(warps[i], Time{});
  CHECK_THROWS_AS(bench.core.start(warps[3], Time{}), std::invalid_argument);
  THEN("it takes another when one has ended") {
    bench.simulation.run();
    bench.core.start(warps[3], bench.simulation.now());
    bench.simulation.run();
    CHECK(bench.global.requests.size() == 4);
    CHECK(bench.core.running() == 0);
  }
}

TEST_CASE("a_scheduler_issues_an_instruction_an_interval") {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.load_store.per_line = 0_clk;  // the schedulers alone set the pace
  spec.issue_interval = 4_clk;
  for (const unsigned schedulers : {1U, 2U, 4U}) {
    CAPTURE(schedulers);
    spec.schedulers = schedulers;
    Bench bench(spec);
    std::vector<Script> warps;
    for (unsigned w = 0; w < 8; ++w) warps.emplace_back(std::vector<trace::Instruction>(6, independent(load(w * 128))));
    bench.run(warps);
    REQUIRE(bench.global.requests.size() == 48);
    // 48 instructions dealt out evenly; the last issues after all others of its scheduler.
    CHECK(issue_of(bench, spec, 47) == (48.0 / schedulers - 1) * 4);
  }
}

TEST_CASE("the_scheduling_policy_decides_which_warp_issues_next") {
  CoreSpec spec = small_core();
  spec.schedulers = 1;
  const auto order = [&](const char* policy) {
    spec.scheduling = policy;
    Bench bench(spec);
    std::vector<Script> warps;
    for (unsigned w = 0; w < 3; ++w) warps.emplace_back(std::vector<trace::Instruction>(3, independent(load(w * 128))));
    bench.run(warps);
    std::string issued;
    for (const Memory::Request& request : bench.global.requests) issued += std::to_string(request.warp);
    return issued;
  };
  // The first issues as it begins and is ready again before the others have begun.
  CHECK(order("round_robin") == "001201212");
  CHECK(order("oldest_first") == "000111222");
  CHECK(order("greedy") == "000111222");
  spec.scheduling = "dice";
  CHECK_THROWS_AS(Bench(spec), std::invalid_argument);
}

TEST_CASE("warps_that_wait_for_shared_memory_continue_by_age_and_others_in_order_of_arrival") {
  CoreSpec spec = small_core();
  spec.schedulers = 1;
  spec.load_store.queue = 1;
  spec.load_store.per_line = Cycles{10};
  spec.shared_memory.per_pass = Cycles{10};
  const auto order = [&](const std::string& policy, trace::Space space) {
    spec.scheduling = policy;
    Bench bench(spec);
    std::vector<Script> warps;
    for (std::uint8_t warp = 0; warp < 3; ++warp) {
      std::vector<trace::Instruction> accesses(4, independent(load(warp * 128U)));
      for (trace::Instruction& access : accesses) {
        access.space = space;
        access.bytes_per_lane = static_cast<std::uint8_t>(4U << warp);  // identifies the warp
      }
      warps.emplace_back(std::move(accesses));
    }
    struct Ear {
      Bench& bench;
      std::string who;
      std::uint64_t loaded = 0;
    } ear{bench, {}};
    bench.core.listen({[](void* self, std::uint32_t, Duration, unsigned) {
                         auto& heard = *static_cast<Ear*>(self);
                         const compute::CoreStatistics& s = heard.bench.core.statistics();
                         const std::uint64_t now = s.bytes_loaded + s.shared_bytes_loaded;
                         heard.who += now - heard.loaded == 4 ? '0' : now - heard.loaded == 8 ? '1' : '2';
                         heard.loaded = now;
                       },
                       &ear});
    bench.run(warps);
    return ear.who;
  };
  // Two of the first warp are in the server and the queue before the others arrive.
  CHECK(order("round_robin", trace::Space::global) == "001201201212");
  CHECK(order("oldest_first", trace::Space::global) == "000120121212");
  CHECK(order("round_robin", trace::Space::shared) == "001201201212");
  CHECK(order("oldest_first", trace::Space::shared) == "000011112222");
}

TEST_CASE("greedy_stays_with_a_warp_that_oldest_first_would_leave") {
  const std::array<Candidate, 3> ready{{{5, 9}, {3, 2}, {7, 4}}};  // slot, arrival
  CHECK(find_scheduling("round_robin")->pick(ready, 7) == 0);
  CHECK(find_scheduling("oldest_first")->pick(ready, 7) == 1);
  CHECK(find_scheduling("greedy")->pick(ready, 7) == 2);
  CHECK(find_scheduling("greedy")->pick(ready, 8) == 1);
  CHECK(find_scheduling("dice") == nullptr);
}

TEST_CASE("warps_are_queued_in_order_of_arrival") {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.load_store.per_line = 8_clk;
  spec.load_store.queue = 2;
  Bench bench(spec);
  std::vector<Script> warps;
  constexpr unsigned each = 5;
  for (unsigned w = 0; w < 8; ++w)
    warps.emplace_back(std::vector<trace::Instruction>(each, independent(load(w * 128))));
  bench.run(warps);
  REQUIRE(bench.global.requests.size() == 8 * each);
  // The first warps are ready again before the others have begun: they stay one instruction
  // ahead, and all others by round-robin.
  std::array<unsigned, 8> issued{};
  for (const Memory::Request& request : bench.global.requests) {
    ++issued[request.warp];
    const auto [least, most] = std::minmax_element(issued.begin(), issued.end());
    CHECK(*most - *least <= 2);
  }
}

TEST_CASE("memory_that_takes_no_more_holds_the_warps_up") {
  const CoreSpec spec = small_core();
  constexpr std::uint32_t room = 4;
  Bench bench(spec, memory_latency, room);
  std::vector<Script> warps;
  for (unsigned w = 0; w < 6; ++w) warps.emplace_back(std::vector<trace::Instruction>(10, independent(load(w * 128))));
  std::uint32_t most = 0;
  for (Script& warp : warps) bench.core.start(warp, Time{});
  while (!bench.simulation.idle()) {
    bench.simulation.step();
    most = std::max(most, bench.core.flow().in_flight());
  }
  // In the memory and in its port's list; others are not created before an entry is free.
  CHECK(most == room + 1);
  CHECK(bench.global.requests.size() == 60);
  CHECK(bench.core.running() == 0);
  CHECK(bench.pool.alive() == 0);
  // A line holds its place for the address path and until it has answered.
  const double turn = spec.load_store.scalar_address.value + memory_latency;
  const double rounds = 60.0 / room;
  CHECK(clock.count(bench.simulation.now() - Time{}) == Approx(rounds * turn).epsilon(0.02));
}

TEST_CASE("loads_in_flight_are_bounded_in_instructions") {
  CoreSpec spec = small_core();
  spec.load_store.loads_in_flight = 8;
  Bench bench(spec);
  std::vector<Script> warps;
  constexpr unsigned loads = 40;
  for (unsigned w = 0; w < 4; ++w)
    warps.emplace_back(std::vector<trace::Instruction>(loads / 4, independent(load(w * 128))));
  const double took = bench.run(warps);
  // Eight at a time, each round as long as a load: the next takes the place of
  // one that answers.
  const double round = spec.load_store.scalar_address.value + memory_latency;
  CHECK(took == loads / 8 * round + 7 * spec.load_store.per_line.value);
}

TEST_CASE("the_bound_on_loads_does_not_hold_up_shared_memory") {
  CoreSpec spec = small_core();
  spec.load_store.loads_in_flight = 1;
  Bench bench(spec);
  std::vector<Script> warps;
  warps.emplace_back(std::vector<trace::Instruction>(3, independent(load(0))));
  trace::Instruction shared = load(0);
  shared.space = trace::Space::shared;
  warps.emplace_back(std::vector<trace::Instruction>{shared});
  bench.run(warps);
  REQUIRE(bench.completions.size() == 4);
  CHECK(bench.completions[0].served_by == 0);
  CHECK(bench.completions[0].cycles == spec.shared_memory.latency.value);
}

TEST_CASE("littles_law_holds_for_the_lines_of_a_core") {
  const CoreSpec spec = small_core();
  Bench bench(spec, memory_latency, 5);
  std::vector<Script> warps;
  for (unsigned w = 0; w < 7; ++w)
    warps.emplace_back(std::vector<trace::Instruction>{into(1, load(w * 128, 1 + w, 128)), store(w * 256, 3, 128),
                                                       from(1, store(0)), load(64)});
  bench.run(warps);
  const LineFlow& flow = bench.core.flow();
  CHECK(flow.in_flight() == 0);
  CHECK(flow.entered() == flow.answered());
  CHECK(flow.entered() == bench.global.requests.size());
  CHECK(flow.area() == flow.latencies());
  CHECK(flow.area() > clock.cycles(memory_latency * static_cast<double>(flow.entered())));
}

TEST_CASE("bytes_are_counted_as_moved_by_lanes") {
  Bench bench(small_core());
  trace::Instruction shared_load = load(0, 32, 4);
  shared_load.space = trace::Space::shared;
  trace::Instruction shared_store = store(0, 16, 4);
  shared_store.space = trace::Space::shared;
  bench.run({load(0, 32, 4), store(0, 8, 128), shared_load, shared_store, load(0)});
  const CoreStatistics& statistics = bench.core.statistics();
  CHECK(statistics.instructions == 5);
  CHECK(statistics.bytes_loaded == 32 * 4 + 4);
  CHECK(statistics.bytes_stored == 8 * 4);
  CHECK(statistics.shared_bytes_loaded == 32 * 4);
  CHECK(statistics.shared_bytes_stored == 16 * 4);
}

TEST_CASE("a_core_reports_its_figures_by_name") {
  Bench bench(small_core());
  bench.run({load(0, 8, 128), store(0)});
  stats::Collector collector;
  bench.core.collect(collector);
  const stats::Snapshot& snapshot = collector.snapshot();
  REQUIRE(snapshot.find("lines") != nullptr);
  CHECK(snapshot.find("lines")->value == 9);
  REQUIRE(snapshot.find("load/store unit") != nullptr);
  CHECK(snapshot.find("load/store unit")->value == static_cast<std::uint64_t>(clock.cycles(9).ticks));
  REQUIRE(snapshot.find("scheduler 0") != nullptr);
  CHECK(snapshot.find("scheduler 0")->served == 2);
  CHECK(snapshot.find("lines in flight")->value == snapshot.find("line latency")->value);
}

}  // namespace strata::compute::test
