// SPDX-License-Identifier: Apache-2.0
// Four cores joined by a cluster network, where without clusters each reads the next.
#pragma once
#include <deque>

#include "compute/cluster/cluster_network.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {

inline constexpr std::uint32_t cores_of_ring = 4;

/// A packet of 32 B takes 2 clk of a port, so 128 B take 8; 50 clk each way.
inline ClusterSpec small_network() {
  using namespace literals;
  ClusterSpec spec;
  spec.width = 16_B_clk;
  spec.packet = 32_B;
  spec.latency = 50_clk;
  return spec;
}

struct Ring {
  explicit Ring(const CoreSpec& spec = small_core()) {
    for (std::uint32_t c = 0; c < cores_of_ring; ++c) {
      cores.emplace_back(simulation, spec, clock, c, std::uint8_t{0}, pool, stages);
      cores.back().join(network);
      cores.back().connect({memory.outlet(), {}, {}, memory.outlet()});
      cores.back().listen({[](void* self, std::uint32_t index, Duration took, unsigned) {
                             static_cast<Ring*>(self)->completions.push_back({index, clock.count(took), 0});
                           },
                           this});
    }
  }

  engine::Simulation simulation{Duration{500}};
  memory::StageNames stages;
  engine::Pool<memory::Transaction> pool;
  Memory memory{simulation, 100, 1};
  std::deque<Core> cores;
  ClusterNetwork network{simulation,
                         small_network(),
                         Bytes{128},
                         clock,
                         cores_of_ring,
                         stages,
                         {this,
                          [](void* self, std::uint32_t core) -> LoadStoreUnit& {
                            return static_cast<Ring*>(self)->cores[core].load_store_unit();
                          },
                          [](void*, std::uint32_t core) { return (core + 1) % cores_of_ring; }}};
  std::vector<Completion> completions;
};

}  // namespace strata::compute::test
