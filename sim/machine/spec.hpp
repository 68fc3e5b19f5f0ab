// SPDX-License-Identifier: Apache-2.0
// The spec of a whole machine: what a configuration file binds to. A machine
// has compute dies, each with cores around slices of an L2, and memory dies,
// each with memory channels and, on some machines, slices of a memory-side
// cache. On a monolithic or two-sided part the compute dies are the memory
// dies; where they are apart, each compute die hangs on one memory die. What
// counts and what connects is data; the wiring is in machine.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "cache/spec/cache_spec.hpp"
#include "compute/core_spec.hpp"
#include "config/schema/schema.hpp"
#include "dram/channel_spec.hpp"
#include "fabric/crossbar_spec.hpp"
#include "fabric/die_network_spec.hpp"
#include "machine/caches_spec.hpp"
#include "translation/translator_spec.hpp"

namespace strata::machine {

struct ClocksSpec {
  Frequency core;
  Frequency l2;      ///< crossbar and L2 slices
  Frequency fabric;  ///< links counted in B/clk, memory-side cache

  static config::Schema<ClocksSpec> schema();
};

struct DiesSpec {
  std::uint64_t compute = 1;
  std::uint64_t memory = 1;
  std::uint64_t cores_per_die = 1;
  std::uint64_t cores_per_group = 1;       ///< GPC, shader engine, render slice
  std::vector<std::uint32_t> group_sizes;  ///< where groups are not alike: those of a die
  std::uint64_t cores_per_cluster = 0;     ///< clusters within a group (CPC); 0: none
  std::uint64_t cluster_run = 0;           ///< consecutive cores in one cluster (TPC); 0: all of it
  /// Logical GPUs that the compute dies form, each of so many consecutive ones.
  std::uint64_t logical_gpus = 1;
  /// Whether memory dies are nodes of their own in the network; none: if they
  /// are not as many as the compute dies.
  std::optional<bool> memory_apart;

  bool apart() const { return memory_apart.value_or(compute != memory); }

  static config::Schema<DiesSpec> schema();
};

/// Virtual memory: how the driver lays pages out. The memory is the machine's.
struct PagesSpec {
  Bytes page{2U << 20U};
  std::string placement = "scattered";
  std::uint64_t run = 1;  ///< pages that stay together when scattered
  std::uint64_t seed = 1;

  static config::Schema<PagesSpec> schema();
};

/// In which order events of one instant are served; no document of a machine says.
struct EventOrderSpec {
  std::uint64_t seed = 0;  ///< of an order that is drawn; 0: that in which they were caused

  static config::Schema<EventOrderSpec> schema();
};

/// How memory is spread over the dies; see machine/layout/numa.hpp.
enum class Interleave : std::uint8_t { all_dies, per_die };

struct MemorySpec {
  Bytes size;  ///< of the whole machine
  Interleave interleave = Interleave::all_dies;
  std::uint64_t channels_per_die = 1;
  Nanoseconds latency{0};                        ///< from the last cache to a channel's queue
  std::optional<BytesPerSecond> bandwidth;       ///< of all channels; see derived.hpp
  std::optional<BytesPerSecond> published_peak;  ///< the sheet's figure, checked at start
  dram::ChannelSpec channel;

  static config::Schema<MemorySpec> schema();
};

/// The link to the host and the memory behind it; see machine/blocks/host_path.hpp.
struct HostSpec {
  std::string name = "PCIe";
  Bytes size{std::uint64_t{64} << 30U};  ///< of the host's memory
  BytesPerSecond bandwidth{0};           ///< each way, what packets weigh included
  Nanoseconds latency{0};                ///< flight of a packet, each way
  Nanoseconds memory_latency{0};
  Bytes request_header{24};   ///< of 64-bit addresses with framing and check (PCIe 3.0 and later)
  Bytes response_header{20};  ///< of a completion, with the same parts

  static config::Schema<HostSpec> schema();
};

/// What launching a kernel costs beside its work.
struct LaunchSpec {
  Nanoseconds before{0};                   ///< from the launch until the first block is dispatched
  std::optional<Nanoseconds> before_next;  ///< the same for a launch that follows another
  Nanoseconds after{0};                    ///< from the end of the last block to the end of the kernel
  bool dispatcher_per_die = false;         ///< each compute die dispatches every n-th block, n being their number
  Nanoseconds per_block{0};                ///< between blocks that one dispatcher dispatches
  Nanoseconds per_warp{0};                 ///< between their warps: a block takes the longer of both
  Cycles block_start{0};                   ///< from there to the block's first instruction, core clock
  bool flushes_l2 = false;                 ///< the L2s and levels behind them write back at a kernel's end
  Cycles cold_start{0};           ///< further, until a core has fetched a kernel's first instructions and arguments
  std::uint64_t apart = 0;        ///< the first so many cores have turns of their own
  std::uint64_t apart_turn = 92;  ///< one for so many blocks that the others get
  std::uint64_t spread = 0;       ///< cores of a unit; groups and units get equal shares of what a grid has over

  static config::Schema<LaunchSpec> schema();
};

struct MachineSpec {
  std::string name;
  std::string vendor;
  ClocksSpec clocks;
  DiesSpec dies;
  std::string placement = "die_first";
  LaunchSpec launch;
  compute::CoreSpec core;
  L1Spec l1;
  std::optional<cache::CacheSpec> scalar_cache;
  std::optional<cache::CacheSpec> second_scalar_cache;  ///< behind it; nothing else passes it
  std::optional<cache::CacheSpec> texture_cache;
  std::optional<InstructionCacheSpec> instruction_cache;
  PagesSpec pages;
  translation::TranslationSpec translation;
  bool translate_before_l1 = false;  ///< else only what misses the L1 is translated
  fabric::CrossbarSpec crossbar;
  L2Spec l2;
  fabric::DieNetworkSpec network;
  std::vector<LevelSpec> levels;  ///< further ones, from the cores to memory
  std::optional<MemorySideCacheSpec> memory_side_cache;
  MemorySpec memory;
  std::optional<HostSpec> host;
  EventOrderSpec event_order;

  static config::Schema<MachineSpec> schema();
  /// The form of `graph`: see described/expand.hpp.
  static void expand(config::Value& tree, std::vector<Diagnostic>& diagnostics);
  /// What settings choose others: see derived.hpp. before: the tree without overrides.
  static void derive(config::Value& tree, const config::Value& before, std::vector<Diagnostic>& diagnostics);
};

}  // namespace strata::machine
