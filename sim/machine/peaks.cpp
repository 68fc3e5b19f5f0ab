// SPDX-License-Identifier: Apache-2.0
#include "machine/peaks.hpp"

#include <array>

namespace strata::machine {

namespace {

using Figure = std::optional<double>;

double real(std::uint64_t whole) { return static_cast<double>(whole); }

Figure cores(const MachineSpec& spec) { return real(spec.dies.compute * spec.dies.cores_per_die); }

Figure l1_capacity(const MachineSpec& spec) { return real(spec.l1.chosen().size.value); }

std::uint64_t l2_slice_count(const MachineSpec& spec) {
  return spec.dies.compute * spec.l2.slices_per_die;
}
Figure l2_slices(const MachineSpec& spec) { return real(l2_slice_count(spec)); }
Figure l2_capacity(const MachineSpec& spec) {
  return real(l2_slice_count(spec) * spec.l2.cache.size.value);
}
Figure l2_partition_capacity(const MachineSpec& spec) {
  return real(spec.l2.slices_per_die * spec.l2.cache.size.value);
}
Figure l2_bytes_per_clock(const MachineSpec& spec) {
  return real(l2_slice_count(spec)) * spec.l2.cache.data_width.value;
}
Figure l2_bandwidth(const MachineSpec& spec) {
  return *l2_bytes_per_clock(spec) * real(spec.clocks.l2.value);
}

Figure infinity_cache_slices(const MachineSpec& spec) {
  const auto& side = spec.memory_side_cache;
  return side ? Figure(real(spec.dies.memory * side->slices_per_die)) : std::nullopt;
}
Figure infinity_cache_capacity(const MachineSpec& spec) {
  const Figure slices = infinity_cache_slices(spec);
  return slices ? Figure(*slices * real(spec.memory_side_cache->cache.size.value)) : std::nullopt;
}
Figure infinity_cache_bytes_per_clock(const MachineSpec& spec) {
  const Figure slices = infinity_cache_slices(spec);
  return slices ? Figure(*slices * spec.memory_side_cache->cache.data_width.value) : std::nullopt;
}
Figure infinity_cache_bandwidth(const MachineSpec& spec) {
  const Figure width = infinity_cache_bytes_per_clock(spec);
  return width ? Figure(*width * real(spec.clocks.fabric.value)) : std::nullopt;
}

Figure memory_channels(const MachineSpec& spec) {
  return real(spec.dies.memory * spec.memory.channels_per_die);
}
Figure memory_bandwidth(const MachineSpec& spec) {
  return *memory_channels(spec) * dram::peaks(spec.memory.channel).bandwidth.value;
}

constexpr std::array<Peak, 13> all_peaks{{
    {"cores", "count", "SMs, CUs or Xe cores", cores},
    {"l1_capacity", "B", "L1 of one core, as the chosen carve-out leaves it", l1_capacity},
    {"l2_capacity", "B", "L2 of all compute dies", l2_capacity},
    {"l2_partition_capacity", "B", "L2 of one compute die or side", l2_partition_capacity},
    {"l2_slices", "count", "L2 slices of all compute dies", l2_slices},
    {"l2_bytes_per_clock", "B/clk", "what all L2 slices read in a clock", l2_bytes_per_clock},
    {"l2_bandwidth", "B/s", "the same at the L2 clock", l2_bandwidth},
    {"infinity_cache_capacity", "B", "memory-side cache of all memory dies", infinity_cache_capacity},
    {"infinity_cache_slices", "count", "its slices", infinity_cache_slices},
    {"infinity_cache_bytes_per_clock", "B/clk", "what its slices read in a clock",
     infinity_cache_bytes_per_clock},
    {"infinity_cache_bandwidth", "B/s", "the same at the fabric clock", infinity_cache_bandwidth},
    {"memory_channels", "count", "DRAM channels of all memory dies", memory_channels},
    {"memory_bandwidth", "B/s", "data pins of all channels at their rate", memory_bandwidth},
}};

}  // namespace

std::span<const Peak> peaks() { return all_peaks; }

}  // namespace strata::machine
