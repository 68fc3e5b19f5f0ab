// SPDX-License-Identifier: Apache-2.0
// The named statistics of a channel agree with its commands.
#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {

TEST_CASE("a channel reports row hits, turnarounds and the time of its data bus by name") {
  ChannelSpec spec = r_hbm2();
  spec.organisation.pseudo_channels = 1;
  Bench bench(spec);
  const auto at = [&](std::uint32_t row, std::uint32_t column, bool write) {
    Location location;
    location.row = row;
    location.column = column;
    return Access{bench.map().burst_at(location), write};
  };
  // Each long after the one before: closed row, hit, conflict, hit by a write.
  bench.latency(at(1, 0, false), 100);
  bench.latency(at(1, 1, false), 1000);
  bench.latency(at(2, 0, false), 2000);
  bench.latency(at(2, 1, true), 3000);

  stats::Collector collector;
  bench.channel().collect(collector);
  const auto value = [&](const char* name) {
    const stats::Figure* const figure = collector.snapshot().find(name);
    REQUIRE(figure != nullptr);
    return figure->value;
  };
  CHECK(value("reads") == 3);
  CHECK(value("writes") == 1);
  CHECK(value("bytes read") == 3 * 32);
  CHECK(value("bytes written") == 32);
  CHECK(value("row closed") == 1);
  CHECK(value("row hits") == 2);
  CHECK(value("row conflicts") == 1);
  CHECK(value("activates") == 2);
  CHECK(value("activates of one bank") == 2);
  CHECK(value("precharges") == 1);
  CHECK(value("refreshes") == 0);
  CHECK(value("turnarounds") == 1);
  CHECK(value("data bus") == 4 * static_cast<std::uint64_t>(spec.timing.burst.value));
}

}  // namespace strata::dram::test
