// SPDX-License-Identifier: Apache-2.0
// A counter is declared once, with its name, unit and meaning, and is reported by that alone.
#include "catch.hpp"

#include "stats/collect_counters.hpp"

using namespace strata;

namespace {

struct Counted {
  stats::Counter<"loads", "requests", "loads that were looked up"> loads;
  std::uint64_t not_reported = 3;
  stats::Counter<"bytes moved", "bytes", "by these loads"> bytes;
};

}  // namespace

TEST_CASE("each_counter_of_a_struct_is_reported_with_name_unit_and_meaning", "[stats]") {
  Counted counted;
  ++counted.loads;
  ++counted.loads;
  counted.bytes += 64;
  stats::Collector collector;
  const stats::Collector::Scope scope(collector, "core 3");
  stats::collect_counters(collector, counted);
  const std::vector<stats::Figure>& figures = collector.snapshot().figures();
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].path == "core 3/loads");
  CHECK(figures[0].unit == "requests");
  CHECK(figures[0].meaning == "loads that were looked up");
  CHECK(figures[0].value == 2);
  CHECK(figures[1].path == "core 3/bytes moved");
  CHECK(figures[1].value == 64);
}

TEST_CASE("a_counter_is_no_larger_than_its_value", "[stats]") {
  STATIC_REQUIRE(sizeof(Counted) == 3 * sizeof(std::uint64_t));
}

TEST_CASE("a_figure_has_the_origin_of_the_scopes_around_it", "[stats]") {
  stats::Collector collector;
  {
    const stats::Collector::Scope die(collector, "die 1", stats::Owner::die);
    const stats::Collector::Scope slice(collector, "L2 slice 4", stats::Block::cache, "L2");
    collector.count("hits", "requests", "", 1);
  }
  collector.count("walks", "walks", "", 1);
  const std::vector<stats::Figure>& figures = collector.snapshot().figures();
  CHECK(figures[0].origin == stats::Origin{stats::Block::cache, stats::Owner::die, "L2"});
  CHECK(figures[1].origin == stats::Origin{});
}
