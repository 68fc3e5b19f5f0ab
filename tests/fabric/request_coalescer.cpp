// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "catch.hpp"
#include "fabric/crossbar.hpp"
#include "fabric_fixture.hpp"

namespace strata::fabric {
namespace {

using test::Requester;
using test::Slice;
using test::World;

/// Two groups of six cores, in clusters of four and two: TPCs of two are assigned to them in
/// turn.
struct Bench : World {
  explicit Bench(CoalescerSpec coalescer) : slice(*this, 10), requester(*this) {
    CrossbarSpec spec;
    spec.request_latency = Cycles{30};
    spec.response_latency = Cycles{50};
    spec.coalescer = coalescer;
    CrossbarShape shape{12, 6, 1};
    shape.sources_per_cluster = 4;
    shape.cluster_run = 2;
    const std::array<engine::Handler, 1> receivers{slice.handler()};
    crossbar = std::make_unique<Crossbar>(simulation, clock, spec, shape, receivers, stages, "xbar");
  }
  void read(std::uint32_t core, std::uint64_t block = 7, memory::SectorMask sectors = memory::all_sectors,
            memory::Operation operation = memory::Operation::load) {
    memory::Transaction& t = requester.make(operation);
    t.block = block;
    t.wanted = t.fetched = sectors;
    crossbar->send(t, core, 0, simulation.now());
  }
  /// Requests that reach the slice when all of this has been answered.
  std::uint64_t arrivals(std::uint64_t sent) {
    simulation.run();
    CHECK(requester.answers() == sent);
    return slice.arrivals();
  }
  Slice slice;
  Requester requester;
  std::unique_ptr<Crossbar> crossbar;
};

}  // namespace

TEST_CASE("reads_of_one_line_by_a_cluster_go_down_once_and_all_are_answered") {
  Bench bench({.scope = CoalescerScope::cluster});
  for (const std::uint32_t core : {0U, 1U, 4U, 5U}) bench.read(core);  // TPCs 0 and 2
  CHECK(bench.arrivals(4) == 1);
  CHECK(bench.crossbar->sectors_coalesced() == 3 * 4);
}

TEST_CASE("a_coalescer_is_shared_by_the_cluster_or_the_group") {
  const CoalescerScope scope = GENERATE(CoalescerScope::cluster, CoalescerScope::group);
  Bench bench({.scope = scope});
  for (std::uint32_t core = 0; core < 12; ++core) bench.read(core);
  CHECK(bench.arrivals(12) == (scope == CoalescerScope::cluster ? 4 : 2));
}

TEST_CASE("a_read_joins_only_a_read_of_the_same_sectors") {
  Bench bench({});
  bench.read(0, 7, 0b0011);
  bench.read(1, 7, 0b0011);  // joins
  bench.read(2, 7, 0b0010);  // fewer
  bench.read(4, 7, 0b0110);  // others
  bench.read(5, 8, 0b0011);  // another line
  CHECK(bench.arrivals(5) == 4);
}

TEST_CASE("stores_and_atomics_are_not_coalesced") {
  Bench bench({});
  const auto operation = GENERATE(memory::Operation::store, memory::Operation::atomic);
  for (const std::uint32_t core : {0U, 1U, 4U}) bench.read(core, 7, 0b1111, operation);
  CHECK(bench.arrivals(3) == 3);
}

TEST_CASE("an_answer_is_not_kept_for_later_requests") {
  Bench bench({});
  bench.read(0);
  CHECK(bench.arrivals(1) == 1);
  bench.read(1);
  CHECK(bench.arrivals(2) == 2);
}

// A thread that has the answer of an atomic must not be given the answer of a read that was served before it.
TEST_CASE("no_read_joins_one_that_was_under_way_when_an_atomic_on_its_block_was_answered") {
  RequestCoalescer coalescer({.scope = CoalescerScope::group});
  std::array<memory::Transaction, 5> reads{};
  for (memory::Transaction& read : reads) read.block = 7;
  reads[4].block = 8;
  CHECK_FALSE(coalescer.join(reads[0]));
  CHECK_FALSE(coalescer.join(reads[4]));
  CHECK(coalescer.join(reads[1]));
  coalescer.close(7);
  CHECK_FALSE(coalescer.join(reads[2]));
  CHECK(coalescer.join(reads[3]));  // the new one, which goes down after the atomic
  CHECK(coalescer.leave(reads[0]).size() == 1);
  CHECK(coalescer.leave(reads[2]).size() == 1);
  memory::Transaction other;
  other.block = 8;
  CHECK(coalescer.join(other));  // another block's is as before
}

TEST_CASE("a_read_joins_one_of_the_last_that_came") {
  GIVEN("one that knows two reads, and three under way") {
    Bench bench({.entries = 2});
    for (const std::uint64_t block : {1U, 2U, 3U}) bench.read(0, block);
    THEN("a second read of the first goes down as well, that of the third does not") {
      bench.read(1, 3);
      bench.read(1, 1);
      CHECK(bench.arrivals(5) == 4);
    }
  }
  GIVEN("one that knows one read, which another has joined") {
    Bench bench({.entries = 1});
    bench.read(0, 1);
    bench.read(1, 1);
    THEN("both are answered when a third has taken its entry") {
      bench.read(0, 2);
      CHECK(bench.arrivals(3) == 2);
    }
  }
}

TEST_CASE("no_more_reads_join_one_than_allowed") {
  GIVEN("one that lets one read join another") {
    Bench bench({.merges = 1});
    for (const std::uint32_t core : {0U, 1U, 4U, 5U}) bench.read(core);
    THEN("every second one goes down") { CHECK(bench.arrivals(4) == 2); }
  }
}

TEST_CASE("a_lone_read_takes_as_long_with_a_coalescer_as_without") {
  Bench bench({});
  bench.read(3);
  bench.simulation.run();
  CHECK(bench.requester.last() == Approx(30 + 10 + 50));
}

}  // namespace strata::fabric
