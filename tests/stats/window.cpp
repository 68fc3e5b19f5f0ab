// SPDX-License-Identifier: Apache-2.0
// Rows of a window: its length, and the share of it that a resource is busy.
#include "stats/window.hpp"

#include "catch.hpp"

using namespace strata;
using stats::Detail;

namespace {

// Two instances of a resource, busy for 30 and 10 of 100 ticks, and a counter.
stats::Snapshot sample(std::uint64_t busy) {
  stats::Snapshot snapshot;
  snapshot.add({"core 0/port", "ticks", "a port", stats::Kind::resource, busy, 3});
  snapshot.add({"core 1/port", "ticks", "a port", stats::Kind::resource, 10, 1});
  snapshot.add({"core 0/loads", "requests", "loads", stats::Kind::counter, 7, 0});
  snapshot.add({"core 0/at most", "requests", "loads at once", stats::Kind::highest, busy, 0});
  return snapshot;
}

const stats::Statistic& row(const std::vector<stats::Statistic>& rows, const std::string& path) {
  for (const stats::Statistic& one : rows)
    if (one.path == path) return one;
  FAIL("no row " << path);
  return rows.front();
}

}  // namespace

TEST_CASE("a_window_opens_with_its_length_and_a_resource_has_its_share_of_it") {
  const stats::Window window{50, 25, 0.5};  // 100 ticks
  const auto rows = stats::statistics(sample(30), Detail::kinds, window);
  CHECK(rows[0].path == "elapsed time");
  CHECK(rows[0].value == 50);
  CHECK(rows[1].path == "elapsed cycles");
  CHECK(rows[1].value == 25);
  CHECK(row(rows, "core */port").value == 20);  // ns
  CHECK(row(rows, "core */port/share").value == Approx(0.2));
  CHECK(row(rows, "core */port/served").value == 4);
  const auto each = stats::statistics(sample(30), Detail::instances, window);
  CHECK(row(each, "core 0/port/share").value == Approx(0.3));
  CHECK(row(each, "core 1/port/share").value == Approx(0.1));
  CHECK(stats::statistics(sample(30), Detail::none, window).empty());
  // A list of statistics has no window.
  CHECK(row(stats::statistics(sample(30), Detail::kinds, stats::Window{}), "core */port/share").value == 0);
}

TEST_CASE("windows_of_two_machines_add_up_path_by_path") {
  stats::Snapshot other = sample(40);
  other.add({"core 2/loads", "requests", "loads", stats::Kind::counter, 2, 0});
  const stats::Snapshot both = stats::sum(sample(30), other);
  CHECK(both.find("core 0/port")->value == 70);
  CHECK(both.find("core 0/port")->served == 6);
  CHECK(both.find("core 0/loads")->value == 14);
  CHECK(both.find("core 2/loads")->value == 2);
  CHECK(both.find("core 0/at most")->value == 40);  // not a sum
  CHECK(both.figures().size() == 5);
}
