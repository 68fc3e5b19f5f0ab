// SPDX-License-Identifier: Apache-2.0
// A dependent load under the load of others.
#include "study/bandwidth/loaded.hpp"

#include <limits>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "study/latency/latency.hpp"

using namespace strata;
using namespace strata::literals;

SCENARIO("a_load_costs_what_latency_says_where_nothing_is_injected") {
  GIVEN("a machine with an L2 of 4 MiB") {
    machine::MachineSpec spec = machine::test::monolithic();
    spec.l2.slices_per_die = 2;
    spec.l2.cache.size = 2_MiB;
    spec.memory.size = 64_MiB;
    study::BandwidthQuestion question;
    question.bytes_per_lane = 4;
    for (const std::uint64_t footprint : {std::uint64_t{1} << 20U, std::uint64_t{16} << 20U}) {
      const study::LatencyPoint alone = study::measure_latency(spec, {}, footprint);
      THEN("one chain meets neither others nor itself: " + std::to_string(footprint)) {
        const study::LoadedPoint idle = study::measure_loaded(spec, question, footprint, 0);
        CHECK(idle.latency_ns == Approx(alone.latency_ns).epsilon(1e-9));
        CHECK(idle.latency_cycles == Approx(alone.latency_cycles).epsilon(1e-9));
        CHECK(idle.bytes_per_second == 0);
        REQUIRE(idle.served_by.size() == alone.served_by.size());
        for (std::size_t i = 0; i < idle.served_by.size(); ++i) {
          CHECK(idle.served_by[i].level == alone.served_by[i].level);
          CHECK(idle.served_by[i].share == Approx(alone.served_by[i].share).margin(1e-9));
        }
      }
      THEN("it costs more while others stream at the greatest rate: " + std::to_string(footprint)) {
        const study::LoadedPoint full =
            study::measure_loaded(spec, question, footprint, std::numeric_limits<double>::infinity());
        // Beyond the L2 the other cores also fetch lines that the chain then hits.
        if (footprint < (std::uint64_t{4} << 20U)) CHECK(full.latency_ns > alone.latency_ns);
        CHECK(full.bytes_per_second > 0);
        CHECK(full.loads >= 160);
        double served = 0;
        for (const study::LevelShare& share : full.served_by) served += share.share;
        CHECK(served == Approx(1));
      }
    }
  }
}
