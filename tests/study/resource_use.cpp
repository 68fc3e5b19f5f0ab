// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/resource_use.hpp"

#include "catch.hpp"
#include "stats/collector.hpp"

namespace strata::study {

TEST_CASE("a_kind_of_resource_has_the_bytes_of_all_its_instances") {
  stats::Collector collector;
  using Scope = stats::Collector::Scope;
  for (const auto& [name, busy, bytes] : {std::tuple{"link 1", 50, 600U}, {"link 2", 40, 500U}, {"link 3", 5, 64U}}) {
    collector.resource(name, "", Duration{busy}, 10, Duration{});
    const Scope scope(collector, name);
    collector.count("bytes", "bytes", "moved over it", bytes);
  }
  collector.resource("bus 1", "", Duration{20}, 3, Duration{});
  const auto uses = resource_use(collector.take(), Duration{100});
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].family == "link *");
  // Busy: of those that did at least half of the busiest. Bytes: of all.
  CHECK(uses[0].instances == 2);
  CHECK(uses[0].busy_fraction == Approx(0.45));
  CHECK(uses[0].bytes == 1164);
  CHECK(uses[1].family == "bus *");
  CHECK(uses[1].bytes == 0);
}

// Two wires of a kind: 30 and 10 ticks more are reserved after 1000.
TEST_CASE("queues_grow_by_what_is_reserved_beyond_the_end_of_a_window") {
  const auto snapshot = [](int first, int second, int bus) {
    stats::Collector collector;
    collector.resource("wire 1", "", Duration{500}, 10, Duration{first});
    collector.resource("wire 2", "", Duration{500}, 10, Duration{second});
    collector.resource("wire 3", "", Duration{}, 0, Duration{});  // serves nothing
    collector.resource("bus 1", "", Duration{500}, 10, Duration{bus});
    return collector.take();
  };
  const stats::Baseline before(snapshot(20, 0, 90));
  CHECK(queues_grow(snapshot(50, 10, 100), before, Duration{1000}) == Approx(0.02));
  CHECK(queues_grow(snapshot(20, 0, 20), before, Duration{1000}) == 0);
}

}  // namespace strata::study
