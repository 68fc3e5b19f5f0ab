// SPDX-License-Identifier: Apache-2.0
#include "machine/described/edge_settings.hpp"

#include <initializer_list>

namespace strata::machine {

namespace {

using Kinds = std::uint32_t;

constexpr Kinds of(std::initializer_list<BlockKind> kinds) {
  Kinds all = 0;
  for (const BlockKind kind : kinds) all |= Kinds{1} << static_cast<unsigned>(kind);
  return all;
}

constexpr bool holds(Kinds kinds, BlockKind kind) { return (kinds & of({kind})) != 0; }

constexpr Kinds core = of({BlockKind::core});
constexpr Kinds cache = of({BlockKind::cache});
constexpr Kinds victim = of({BlockKind::victim_cache});
constexpr Kinds beside_l1 = of({BlockKind::texture_cache, BlockKind::scalar_cache, BlockKind::instruction_cache});
constexpr Kinds of_scalars = of({BlockKind::scalar_cache});
constexpr Kinds behind_scalars = of({BlockKind::second_scalar_cache});
constexpr Kinds crossbar = of({BlockKind::crossbar});
constexpr Kinds output = of({BlockKind::output});
constexpr Kinds network = of({BlockKind::network});
constexpr Kinds at_memory = of({BlockKind::memory_side_cache});
constexpr Kinds memory = of({BlockKind::memory});
constexpr Kinds host = of({BlockKind::host_memory});
constexpr Kinds tlb = of({BlockKind::tlb});
constexpr Kinds walker = of({BlockKind::page_walker});

struct Pair {
  Kinds from, to;
  std::vector<EdgeSetting> settings;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{
      {core,
       cache,
       {{"latency", true, "load_store.vector_address"},
        {"responses", true, "load_store.return_width"},
        {"depth", false, "cache.input_depth"}}},
      {core, beside_l1, {}},
      {cache, victim, {{"back", false, "hit_latency"}}},
      {cache | victim,
       crossbar,
       {{"requests", false, "source_request_width"},
        {"stores", false, "source_write_width"},
        {"responses", false, "source_response_width"},
        {"depth", false, "stand_aside"}}},
      {of_scalars, behind_scalars, {}},
      {beside_l1 | behind_scalars, crossbar, {}},
      {crossbar,
       cache | output,
       {{"requests", true, "destination_request_width"},
        {"responses", true, "destination_response_width"},
        {"latency", true, "request_latency"},
        {"back", true, "response_latency"},
        {"depth", true, "depth"},
        {"index", false, "index"}}},
      {cache | victim | output | network,
       cache | at_memory,
       {{"responses", false, "cache.data_width"},
        {"latency", false, "latency"},
        {"depth", false, "cache.input_depth"},
        {"index", false, "index"}}},
      {cache | output, network, {}},
      {cache | output | network | at_memory,
       memory,
       {{"latency", false, "latency"}, {"depth", false, "channel.controller.input_buffer"}}},
      {cache | output | network, host, {{"bandwidth", false, "bandwidth"}, {"latency", false, "latency"}}},
      {core | cache | victim, tlb, {}},
      {tlb, tlb | walker, {{"latency", true, "miss_latency"}, {"requests_per_clock", true, "misses_per_clock"}}}};
  return all;
}

/// Null: no edge leads from one kind to the other.
const Pair* pair_of(BlockKind from, BlockKind to) {
  for (const Pair& pair : pairs())
    if (holds(pair.from, from) && holds(pair.to, to)) return &pair;
  return nullptr;
}

}  // namespace

std::vector<EdgeSetting> edge_settings(BlockKind from, BlockKind to) {
  const Pair* const pair = pair_of(from, to);
  return pair != nullptr ? pair->settings : std::vector<EdgeSetting>{};
}

bool may_lead(BlockKind from, BlockKind to) { return pair_of(from, to) != nullptr; }

bool on_path(BlockKind kind) {
  return holds(core | cache | victim | crossbar | output | network | at_memory | memory, kind);
}

bool translates(BlockKind kind) { return holds(tlb | walker, kind); }

}  // namespace strata::machine
