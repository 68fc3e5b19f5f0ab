// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/address_maps.hpp"

#include <utility>

#include "machine/layout/numa.hpp"

namespace strata::machine {

namespace {

fabric::AddressMapSpec map_of(const IndexSpec& index, std::uint64_t slices, std::uint64_t sets,
                              std::uint64_t channels) {
  return {index.home_bits,
          static_cast<std::uint32_t>(slices),
          static_cast<std::uint32_t>(sets),
          static_cast<std::uint32_t>(channels),
          index.page,
          index.unit_bits,
          index.policy,
          index.row_stride,
          index.seed};
}

// A map that counts pairs of blocks where lines are such: each address bit above stands one lower. Whether a
// home has both blocks of each pair is check_caches()'s business.
fabric::AddressMapSpec of_lines(fabric::AddressMapSpec map, const cache::CacheSpec& cache) {
  if (MappedLines(cache).of_block == 0) return map;
  map.page = Bytes{map.page.value / 2};
  for (fabric::HomeBitSpec& home : map.home_bits)
    for (std::uint32_t& bit : home.address_bits) bit = bit > 7 ? bit - 1 : bit;
  std::erase(map.unit_bits, 7U);
  for (std::uint32_t& bit : map.unit_bits) --bit;
  return map;
}

std::uint64_t l2_sets(const MachineSpec& spec) { return spec.l2.bypass ? 1 : spec.l2.cache.sets(); }

}  // namespace

bool channels_are_apart(const MachineSpec& spec) {
  if (spec.memory_side_cache) return true;
  return spec.dies.apart() && spec.l2.slices_per_die % spec.memory.channels_per_die != 0;
}

fabric::AddressMapSpec l2_map_of(const MachineSpec& spec) {
  const bool apart = channels_are_apart(spec);
  fabric::AddressMapSpec map =
      map_of(spec.l2.index, spec.l2.slices_per_die, l2_sets(spec), apart ? 1 : spec.memory.channels_per_die);
  if (spec.l2.partitioned)
    map.home_bits = home_bits(spec);
  else if (apart)
    map.home_bits.clear();
  return of_lines(std::move(map), spec.l2.cache);
}

fabric::AddressMapSpec memory_map_of(const MachineSpec& spec) {
  const std::uint64_t channels = spec.memory.channels_per_die;
  const auto& side = spec.memory_side_cache;
  fabric::AddressMapSpec map = side ? map_of(side->index, side->slices_per_die, side->cache.sets(), channels)
                               : channels_are_apart(spec) ? map_of(spec.l2.index, channels, l2_sets(spec), channels)
                                                          : l2_map_of(spec);
  map.home_bits = home_bits(spec);
  return map;
}

const char* memory_index_path(const MachineSpec& spec) {
  return spec.memory_side_cache ? "memory_side_cache.index" : "l2.index";
}

fabric::AddressMapSpec level_map_of(const MachineSpec& spec, const Level& level) {
  if (level.kind == LevelKind::memory_side_cache) return memory_map_of(spec);
  fabric::AddressMapSpec map = map_of(*level.index, level.slices, level.cache->sets(), 1);
  // A memory die is asked for blocks of its own home alone.
  map.home_bits.clear();
  if (level.shared_by == Sharers::memory_die) map.home_bits = home_bits(spec);
  return of_lines(std::move(map), *level.cache);
}

}  // namespace strata::machine
