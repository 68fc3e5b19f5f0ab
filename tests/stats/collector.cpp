// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include "stats/collector.hpp"

using namespace strata;
using stats::Collector;
using stats::Snapshot;

namespace {

Snapshot two_cores(std::uint64_t hits) {
  Collector collector;
  for (const char* core : {"core 0", "core 1"}) {
    Collector::Scope scope(collector, core);
    Collector::Scope l1(collector, "L1");
    collector.count("hits", "requests", "reads that were there", hits);
    collector.resource("tags", "look-ups", Duration{9}, hits, Duration{2});
  }
  return collector.take();
}

}  // namespace

TEST_CASE("a_path_names_every_scope_around_a_figure", "[stats]") {
  const Snapshot snapshot = two_cores(5);
  REQUIRE(snapshot.find("core 1/L1/hits") != nullptr);
  CHECK(snapshot.find("core 1/L1/hits")->value == 5);
  CHECK(snapshot.find("core 2/L1/hits") == nullptr);
}

TEST_CASE("a_family_leaves_out_numbers_that_are_words", "[stats]") {
  CHECK(stats::family("core 12/L1/hits") == "core */L1/hits");
  CHECK(stats::family("die 1/slice 40/tags") == "die */slice */tags");
  CHECK(stats::family("L2/x86") == "L2/x86");
  CHECK(two_cores(5).sum("core */L1/hits") == 10);
}

TEST_CASE("a_family_stands_once_and_adds_up_its_instances", "[stats]") {
  const std::vector<stats::Figure> families = stats::families(two_cores(5));
  REQUIRE(families.size() == 2);
  CHECK(families[0].path == "core */L1/hits");
  CHECK(families[0].unit == "requests");
  CHECK(families[0].meaning == "reads that were there");
  CHECK(families[0].value == 10);
  CHECK(families[1].path == "core */L1/tags");
  CHECK(families[1].value == 14);
  CHECK(families[1].served == 10);
}

TEST_CASE("snapshots_subtract_and_new_blocks_count_from_zero", "[stats]") {
  Snapshot before;
  before.add({"core 0/L1/hits", "requests", "", stats::Kind::counter, 3, 0});
  const Snapshot between = two_cores(5) - before;
  CHECK(between.find("core 0/L1/hits")->value == 2);
  CHECK(between.find("core 1/L1/hits")->value == 5);
  CHECK(between.find("core 0/L1/tags")->served == 5);
}
