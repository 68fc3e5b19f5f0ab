// SPDX-License-Identifier: Apache-2.0
// Warps that read and write at seeded random places, and many of them on a
// machine at once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/random.hpp"
#include "machine/levels.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {

struct Traffic {
  std::uint64_t seed = 1;
  std::uint64_t footprint = 16384;  ///< bytes, from address 0
  unsigned instructions = 50;       ///< a warp
  unsigned lanes = 1;               ///< each at a different place
  bool dependent = true;
  bool writes = false;                      ///< stores and atomics among the loads
  bool atomics = true;                      ///< else stores in their place
  std::uint64_t cores = ~std::uint64_t{0};  ///< at most this number of cores
};

class RandomStream final : public trace::WarpStream {
 public:
  RandomStream(const Traffic& traffic, std::uint64_t warp)
      : traffic_(traffic), random_(mix(traffic.seed, warp)), left_(traffic.instructions) {}

  bool next(trace::Instruction& instruction) override {
    if (left_ == 0) return false;
    --left_;
    instruction = {};
    instruction.dependent = traffic_.dependent;
    instruction.bytes_per_lane = 4;
    instruction.lanes = static_cast<std::uint8_t>(traffic_.lanes);
    for (unsigned lane = 0; lane < traffic_.lanes; ++lane)
      instruction.addresses[lane] = random_.below(traffic_.footprint / 4) * 4;
    const std::uint64_t dice = traffic_.writes ? random_.below(8) : 0;
    if (dice == 5 || dice == 6) instruction.operation = memory::Operation::store;
    if (dice == 7) instruction.operation = traffic_.atomics ? memory::Operation::atomic : memory::Operation::store;
    return true;
  }

 private:
  Traffic traffic_;
  RandomSequence random_;
  unsigned left_;
};

struct Outcome {
  Time ended{};
  Duration total{};  ///< latencies added up
  std::uint64_t completions = 0;
  std::vector<std::uint64_t> served;  ///< by level
  std::uint64_t fingerprint = 0;
};

/// `warps` on every core of the machine, or on the number given by the traffic.
/// Where no cache performs atomics, stores take their place.
inline Outcome run_everywhere(const MachineSpec& spec, Traffic traffic, unsigned warps = 1) {
  Machine machine(spec);
  traffic.atomics = traffic.atomics && caches_perform_atomics(spec);
  Outcome outcome;
  outcome.served.resize(level_names(machine.spec(), Space::global).size());
  std::deque<RandomStream> streams;
  const std::uint64_t cores = std::min(traffic.cores, spec.dies.compute * spec.dies.cores_per_die);
  for (std::uint32_t core = 0; core < cores; ++core)
    for (unsigned w = 0; w < warps; ++w)
      machine.start(core, streams.emplace_back(traffic, streams.size()),
                    {[](void* self, std::uint32_t, Duration latency, unsigned level) {
                       auto& sums = *static_cast<Outcome*>(self);
                       sums.total += latency;
                       ++sums.completions;
                       ++sums.served.at(level);
                     },
                     &outcome});
  machine.run();
  outcome.ended = machine.simulation().now();
  outcome.fingerprint = machine.simulation().fingerprint();
  return outcome;
}

/// A tiny machine of one of five shapes with seeded random figures.
inline MachineSpec random_machine(std::uint64_t seed) {
  RandomSequence random(mix(seed));
  MachineSpec spec;
  switch (random.below(5)) {
    case 0:
      spec = monolithic();
      break;
    case 1:
      spec = two_sides();
      break;
    case 2:
      spec = two_sides();
      spec.memory_side_cache = chiplets().memory_side_cache;
      spec.memory_side_cache->index.home_bits.clear();
      break;
    case 3:
      spec = chiplets();
      spec.l2.bypass = true;
      break;
    default:
      spec = chiplets();
      break;
  }
  const auto some = [&](std::uint64_t least, std::uint64_t most) { return least + random.below(most - least + 1); };
  const auto vary = [&](cache::CacheSpec& cache) {
    cache.tag_latency = Cycles{static_cast<double>(some(1, 12))};
    cache.hit_latency = cache.tag_latency + Cycles{static_cast<double>(some(1, 20))};
    cache.fill_latency = Cycles{static_cast<double>(some(0, 12))};
    cache.data_width = BytesPerClock{static_cast<double>(16U << random.below(4))};
    cache.mshrs = some(2, 16);
    cache.merges_per_mshr = some(1, 8);
    cache.input_depth = some(1, 8);
    cache.fill_granularity = Bytes{32U << random.below(3)};
  };
  vary(spec.l1.cache);
  vary(spec.l2.cache);
  if (spec.memory_side_cache) vary(spec.memory_side_cache->cache);
  spec.l2.cache.ways = 4U << random.below(2);
  spec.clocks = {Frequency{some(5, 20) * 100'000'000}, Frequency{some(5, 20) * 100'000'000},
                 Frequency{some(5, 20) * 100'000'000}};
  spec.crossbar.depth = static_cast<std::uint32_t>(some(1, 16));
  for (fabric::LinkSpec& one : spec.network.links) {
    one.latency = Nanoseconds{static_cast<double>(some(1, 60))};
    one.bandwidth = BytesPerSecond{static_cast<double>(some(2, 64)) * 1e9};
    one.depth = static_cast<std::uint32_t>(some(1, 16));
  }
  spec.pages.placement = random.below(2) == 0 ? "contiguous" : "scattered";
  return spec;
}

}  // namespace strata::machine::test
