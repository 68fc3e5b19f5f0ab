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

TEST_CASE("a_family_omits_numbers_that_are_words", "[stats]") {
  CHECK(stats::family("core 12/L1/hits") == "core */L1/hits");
  CHECK(stats::family("die 1/slice 40/tags") == "die */slice */tags");
  CHECK(stats::family("L2/x86") == "L2/x86");
  CHECK(two_cores(5).sum("core */L1/hits") == 10);
  for (const char* other : {"core */L1", "core */L1/hits/more", "core 1/L1/hits", "core */L1/hit", ""})
    CHECK(two_cores(5).sum(other) == 0);
}

TEST_CASE("a_family_is_listed_once_with_the_sum_of_its_instances", "[stats]") {
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

TEST_CASE("a_maximum_is_the_largest_of_its_instances_and_no_difference") {
  const auto machine = [](std::uint64_t first, std::uint64_t second) {
    Collector collector;
    for (const auto& [core, most] : {std::pair{"core 0", first}, {"core 1", second}}) {
      Collector::Scope scope(collector, core);
      collector.highest("MSHRs at most", "MSHRs", "in use", most);
    }
    return collector.take();
  };
  CHECK(stats::families(machine(3, 5)).at(0).value == 5);
  CHECK(stats::families(machine(3, 5)).at(0).instances == 2);
}

TEST_CASE("statistics_have_times_in_ns_and_two_rows_for_a_resource") {
  const auto rows = stats::statistics(two_cores(5), stats::Detail::kinds, 0.5);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].path == "core */L1/hits");
  CHECK(rows[0].value == 10);
  CHECK(rows[0].instances == 2);
  CHECK(rows[1].path == "core */L1/tags");
  CHECK(rows[1].unit == "ns");
  CHECK(rows[1].value == 7);  // two of 9 ticks, of which 2 lie ahead
  CHECK(rows[1].meaning == "time busy: look-ups");
  CHECK(rows[2].path == "core */L1/tags/served");
  CHECK(rows[2].value == 10);
  CHECK(stats::statistics(two_cores(5), stats::Detail::instances, 1).size() == 6);
  CHECK(stats::statistics(two_cores(5), stats::Detail::none, 1).empty());
}
