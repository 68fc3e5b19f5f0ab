// SPDX-License-Identifier: Apache-2.0
// Machines small enough for calculation by hand: a few KiB of cache, no translation
// unless a test adds it, no refresh, rows closed after use. Three shapes: one
// die; two sides with a partitioned L2; eight compute dies on four memory dies
// with a memory-side cache. Clocks differ, so that a stage counted in the wrong domain is
// detected.
#pragma once
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "dram/timing_sets.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::machine::test {

using namespace strata::literals;
using trace::Space;

inline cache::CacheSpec tiny_cache(const char* name, Bytes size, std::uint64_t ways, Cycles tag, Cycles hit,
                                   Cycles fill) {
  cache::CacheSpec spec;
  spec.name = name;
  spec.size = size;
  spec.ways = ways;
  spec.tag_latency = tag;
  spec.hit_latency = hit;
  spec.fill_latency = fill;
  spec.data_width = 64_B_clk;
  return spec;
}

/// One die: 2 KiB of L1 a core, L2 of 2 slices of 8 KiB, 2 channels of HBM2.
inline MachineSpec monolithic() {
  MachineSpec spec;
  spec.name = "tiny";
  spec.vendor = "none";
  spec.clocks = {1000_MHz, 800_MHz, 500_MHz};
  spec.dies.compute = spec.dies.memory = 1;
  spec.dies.cores_per_die = 4;
  spec.dies.cores_per_group = 2;
  spec.core.name = "core";
  spec.core.load_store.scalar_address = 4_clk;
  spec.core.load_store.vector_address = 8_clk;
  spec.core.shared_memory.size = 16_KiB;
  spec.core.shared_memory.latency = 20_clk;
  spec.l1.carve_outs = {{"all", 2_KiB, {}}};
  spec.l1.carve_out = "all";
  spec.l1.cache = tiny_cache("L1", 2_KiB, 4, 6_clk, 25_clk, 9_clk);
  spec.l1.cache.write_policy = cache::WritePolicy::write_through;
  spec.l1.cache.write_allocate = cache::WriteAllocate::none;
  spec.l1.cache.bypass_cg = true;
  spec.pages.page = 4_KiB;
  spec.pages.placement = "contiguous";
  spec.crossbar.request_latency = 30_clk;
  spec.crossbar.response_latency = 26_clk;
  spec.l2.slices_per_die = 2;
  spec.l2.index.page = 4_KiB;
  spec.l2.cache = tiny_cache("L2", 8_KiB, 4, 10_clk, 22_clk, 12_clk);
  spec.l2.cache.performs_atomics = true;
  spec.memory.size = 4_MiB;
  spec.memory.channels_per_die = 2;
  spec.memory.latency = 20_ns;
  spec.memory.channel = dram::test::with_map(dram::test::r_hbm2(), dram::test::blocks_in_a_row);
  spec.memory.channel.controller.page_policy = dram::PagePolicy::closed;
  spec.memory.channel.controller.latency = 15_clk;
  return spec;
}

inline fabric::LinkSpec link(std::uint32_t from, std::uint32_t to, Nanoseconds latency,
                             BytesPerSecond bandwidth = {0}) {
  fabric::LinkSpec spec;
  spec.from = from;
  spec.to = to;
  spec.latency = latency;
  spec.bandwidth = bandwidth;
  spec.depth = 64;
  return spec;
}

inline constexpr Nanoseconds side_to_side{50};

/// Two such dies, an L2 that spans both, homes selected by address bit 9.
inline MachineSpec two_sides() {
  MachineSpec spec = monolithic();
  spec.name = "tiny two sides";
  spec.dies.compute = spec.dies.memory = 2;
  spec.l2.partitioned = true;
  spec.l2.index.home_bits = {{{9}}};
  spec.network.links = {link(0, 1, side_to_side)};
  return spec;
}

inline constexpr Nanoseconds up_link{8};
inline constexpr Nanoseconds mesh_link{11};

/// Four memory dies in a 2x2 mesh, two compute dies on each, with private L2s; 2 slices of 8
/// KiB of memory-side cache on each memory die.
inline MachineSpec chiplets() {
  MachineSpec spec = monolithic();
  spec.name = "tiny chiplets";
  spec.dies.compute = 8;
  spec.dies.memory = 4;
  spec.dies.cores_per_die = 2;
  spec.dies.cores_per_group = 1;
  spec.placement = "round_robin_dies";
  MemorySideCacheSpec side;
  side.slices_per_die = 2;
  side.latency = 30_ns;
  side.index.page = 4_KiB;
  side.index.home_bits = {{{8}}, {{9}}};
  side.cache = tiny_cache("MALL", 8_KiB, 4, 7_clk, 16_clk, 5_clk);
  spec.memory_side_cache = side;
  spec.network.links = {link(0, 1, mesh_link), link(2, 3, mesh_link), link(0, 2, mesh_link), link(1, 3, mesh_link)};
  for (std::uint32_t die = 0; die < 8; ++die) spec.network.links.push_back(link(4 + die, die / 2, up_link));
  return spec;
}

/// The address of the first 128-byte block from `from` on whose home is `die`.
inline std::uint64_t address_at_home(const Machine& machine, std::uint32_t die, std::uint64_t from = 0) {
  while (machine.atlas().whereabouts(0, from).home_die != die) from += memory::block_bytes;
  return from;
}

struct Served {
  Duration latency{};
  unsigned level = 0;
};

/// Loads on a machine one at a time, each when all before is done.
class Prober {
 public:
  explicit Prober(const MachineSpec& spec) : machine_(spec) {}
  Machine& machine() { return machine_; }

  /// One load of one lane.
  Served load(std::uint32_t core, std::uint64_t address,
              memory::CacheOperator cache_operator = memory::CacheOperator::ca) {
    trace::Instruction pattern;
    pattern.bytes_per_lane = 4;
    pattern.cache_operator = cache_operator;
    return run(core, pattern, address);
  }
  Served run(std::uint32_t core, const trace::Instruction& pattern, std::uint64_t address) {
    trace::PointerChase one({address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
    Served served;
    machine_.start(core, one,
                   {[](void* self, std::uint32_t, Duration latency, unsigned level) {
                      *static_cast<Served*>(self) = {latency, level};
                    },
                    &served});
    machine_.run();
    return served;
  }
  /// The name of a level of loads.
  std::string level(unsigned index) const { return level_names(machine_.spec(), Space::global).at(index); }

 private:
  Machine machine_;
};

/// The stages of a path in ticks, each counted in its own clock.
class Way {
 public:
  explicit Way(const Machine& machine)
      : spec_(machine.spec()),
        timebase_(machine.timebase()),
        core_(timebase_.clock(spec_.clocks.core.value)),
        l2_(timebase_.clock(spec_.clocks.l2.value)),
        fabric_(timebase_.clock(spec_.clocks.fabric.value)) {}

  Duration l1_hit() const { return core({spec_.core.load_store.scalar_address, spec_.l1.cache.hit_latency}); }
  /// Issue to the L2 slice and back to the use, without the time in the slice.
  Duration to_l2() const {
    return core({spec_.core.load_store.scalar_address, spec_.l1.cache.tag_latency}) +
           l2_.cycles(spec_.crossbar.request_latency.value);
  }
  Duration from_l2() const {
    return l2_.cycles(spec_.crossbar.response_latency.value) + core({spec_.l1.cache.fill_latency});
  }
  Duration l2_hit() const { return to_l2() + l2_.cycles(spec_.l2.cache.hit_latency.value) + from_l2(); }
  Duration l2_tag() const { return l2_.cycles(spec_.l2.cache.tag_latency.value); }
  /// To the data of the array.
  Duration l2_data() const { return l2_.cycles(spec_.l2.cache.hit_latency.value); }
  Duration l2_fill() const { return l2_.cycles(spec_.l2.cache.fill_latency.value); }
  Duration crossing() const { return nanoseconds(side_to_side); }
  /// Through the near slice and over the link to the home's slice.
  Duration far_hit() const {
    return to_l2() + l2_tag() + crossing() + l2_.cycles(spec_.l2.cache.hit_latency.value) + crossing() + l2_fill() +
           from_l2();
  }
  /// One path between a compute die and a memory die of chiplets().
  Duration flight(std::uint32_t compute_die, std::uint32_t memory_die) const {
    const int hops = std::popcount(memory_die ^ (compute_die / 2));
    return nanoseconds(up_link) + nanoseconds(mesh_link) * hops;
  }
  Duration to_memory_side(Duration flown) const {
    return to_l2() + l2_tag() + flown + nanoseconds(spec_.memory_side_cache->latency);
  }
  Duration from_memory_side(Duration flown) const { return flown + l2_fill() + from_l2(); }
  Duration memory_side_hit(Duration flown) const {
    return to_memory_side(flown) + fabric_.cycles(spec_.memory_side_cache->cache.hit_latency.value) +
           from_memory_side(flown);
  }
  Duration memory_side_tag() const { return fabric_.cycles(spec_.memory_side_cache->cache.tag_latency.value); }
  Duration memory_side_fill() const { return fabric_.cycles(spec_.memory_side_cache->cache.fill_latency.value); }
  /// A read of a closed bank, from the last cache at t until the data is back there.
  Duration dram(Time t) const {
    const engine::Clock ck = timebase_.clock(spec_.memory.channel.timing.tick_rate().value);
    const Time accepted = ck.edge(t + nanoseconds(spec_.memory.latency));
    const double clocks =
        dram::peaks(spec_.memory.channel).row_closed.value + spec_.memory.channel.controller.latency.value;
    return accepted + ck.cycles(clocks) - t;
  }
  Duration nanoseconds(Nanoseconds span) const { return timebase_.nanoseconds(span.value); }

 private:
  Duration core(std::initializer_list<Cycles> stages) const {
    Duration sum{};
    for (const Cycles stage : stages) sum += core_.cycles(stage.value);
    return sum;
  }

  MachineSpec spec_;
  engine::Timebase timebase_;
  engine::Clock core_;
  engine::Clock l2_;
  engine::Clock fabric_;
};

}  // namespace strata::machine::test
