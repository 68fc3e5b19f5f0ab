// SPDX-License-Identifier: Apache-2.0
#include "stats/baseline.hpp"

#include "catch.hpp"

namespace {

using namespace strata;
using stats::Baseline;
using stats::Kind;
using stats::Snapshot;

struct Count {
  const char* path;
  Kind kind;
  std::uint64_t value;
  std::uint64_t served = 0;
};

Snapshot snapshot(std::initializer_list<Count> counts) {
  Snapshot all;
  for (const Count& count : counts) all.add({count.path, "requests", "", count.kind, count.value, count.served});
  return all;
}

}  // namespace

TEST_CASE("a_snapshot_less_a_baseline_is_what_happened_since") {
  const Baseline before = snapshot({{"core 0/hits", Kind::counter, 3}, {"core 0/wire", Kind::resource, 40, 4}});
  const Snapshot between =
      snapshot({{"core 0/hits", Kind::counter, 5}, {"core 0/wire", Kind::resource, 70, 9}}) - before;
  CHECK(between.find("core 0/hits")->value == 2);
  CHECK(between.find("core 0/wire")->value == 30);
  CHECK(between.find("core 0/wire")->served == 5);
}

TEST_CASE("figures_are_found_by_path_wherever_blocks_that_came_later_stand") {
  const Baseline before = snapshot({{"core 1/hits", Kind::counter, 3}, {"core 2/hits", Kind::counter, 4}});
  const Snapshot between =
      snapshot(
          {{"core 0/hits", Kind::counter, 7}, {"core 2/hits", Kind::counter, 9}, {"core 1/hits", Kind::counter, 8}}) -
      before;
  CHECK(between.find("core 0/hits")->value == 7);
  CHECK(between.find("core 1/hits")->value == 5);
  CHECK(between.find("core 2/hits")->value == 5);
}

TEST_CASE("a_highest_value_is_of_all_time_and_busy_time_never_below_zero") {
  const Baseline before = snapshot({{"most", Kind::highest, 4}, {"wire", Kind::resource, 40}});
  const Snapshot between = snapshot({{"most", Kind::highest, 5}, {"wire", Kind::resource, 38}}) - before;
  CHECK(between.find("most")->value == 5);
  CHECK(between.find("wire")->value == 0);
}

TEST_CASE("a_repeated_window_adds_what_happened_between_two_baselines") {
  const auto at = [](std::uint64_t hits, std::uint64_t busy, std::uint64_t served) {
    return snapshot(
        {{"hits", Kind::counter, hits}, {"wire", Kind::resource, busy, served}, {"most", Kind::highest, hits}});
  };
  const Snapshot all = stats::repeated(at(100, 1000, 50), at(20, 300, 10), at(30, 500, 14), 2.5);
  CHECK(all.find("hits")->value == 125);
  CHECK(all.find("wire")->value == 1500);
  CHECK(all.find("wire")->served == 60);
  CHECK(all.find("most")->value == 100);
}

TEST_CASE("what_came_within_a_repeated_window_counts_from_zero_and_what_came_after_is_not_repeated") {
  const Baseline begin;
  const Baseline end = snapshot({{"early", Kind::counter, 4}});
  const Snapshot all =
      stats::repeated(snapshot({{"early", Kind::counter, 10}, {"late", Kind::counter, 6}}), begin, end, 3);
  CHECK(all.find("early")->value == 22);
  CHECK(all.find("late")->value == 6);
}
