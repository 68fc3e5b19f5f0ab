// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "machine/checks/cache_consistency.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

std::string probe_filter_unused(const MachineSpec& spec) {
  if (spec.dies.compute == 1 || spec.l2.partitioned || spec.l2.bypass)
    return "no compute die has an L2 that serves it alone";
  if (spec.l2.cache.performs_atomics) return "l2.cache.performs_atomics is true: no atomic comes to the home";
  if (!spec.memory_side_cache->cache.performs_atomics)
    return "memory_side_cache.cache.performs_atomics is false: atomics are performed elsewhere";
  if (spec.l2.cache.line.value != memory::block_bytes || spec.memory_side_cache->addresses)
    return "it follows lines of 128 B in L2s, of all addresses";
  if (spec.core.load_store.masked_stores) return "core.load_store.masked_stores is true: a probe has no masks of words";
  if (std::any_of(spec.levels.begin(), spec.levels.end(),
                  [](const LevelSpec& level) { return level.shared_by == Sharers::die; }))
    return "a level behind the L2s would keep copies that no probe reaches";
  return {};
}

bool has_probe_filter(const MachineSpec& spec) {
  return spec.memory_side_cache && spec.memory_side_cache->probe_filter && probe_filter_unused(spec).empty();
}

void check_coherence(const MachineSpec& spec, std::vector<RequestFault>& faults) {
  if (!has_probe_filter(spec)) return;
  const std::string path = "memory_side_cache.probe_filter";
  const cache::ProbeFilterSpec& filter = *spec.memory_side_cache->probe_filter;
  const std::uint64_t slices = spec.memory_side_cache->slices_per_die * spec.dies.memory;
  const std::uint64_t row = slices * filter.ways * memory::block_bytes;
  if (filter.capacity.value % row == 0) return;
  faults.push_back(
      {fmt::format("{0}.capacity = {1} B is no multiple of {2} B: {0}.ways = {3} lines in each of {4} slices", path,
                   filter.capacity.value, row, filter.ways, slices),
       {path + ".capacity", path + ".ways", "memory_side_cache.slices_per_die", "dies.memory"},
       fmt::format("set {}.capacity={}B", path, std::max(filter.capacity.value / row, std::uint64_t{1}) * row)});
}

}  // namespace strata::machine
