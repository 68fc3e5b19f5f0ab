// SPDX-License-Identifier: Apache-2.0
#include "machine/numa.hpp"

#include <bit>
#include <stdexcept>

namespace strata::machine {

std::uint64_t domain_bytes(const MachineSpec& spec) {
  if (spec.memory.interleave == Interleave::all_dies || spec.dies.memory == 1) return 0;
  if (spec.l2.partitioned)
    throw std::invalid_argument(
        "memory.interleave=per_die: a partitioned L2 has its home sides interleaved; "
        "it takes all_dies");
  if (spec.pages.placement != "contiguous")
    throw std::invalid_argument(
        "memory.interleave=per_die: pages must lie with their die; set pages.placement=contiguous");
  return std::bit_ceil(spec.memory.size.value / spec.dies.memory);
}

std::vector<fabric::HomeBitSpec> home_bits(const MachineSpec& spec) {
  const auto& index = spec.memory_side_cache ? spec.memory_side_cache->index : spec.l2.index;
  const std::uint64_t domain = domain_bytes(spec);
  if (domain == 0) return index.home_bits;
  std::vector<fabric::HomeBitSpec> bits;
  const auto lowest = static_cast<std::uint32_t>(std::countr_zero(domain));
  for (std::uint32_t bit = 0; (std::uint64_t{1} << bit) < spec.dies.memory; ++bit)
    bits.push_back({{lowest + bit}});
  return bits;
}

Bytes address_space(const MachineSpec& spec) {
  const std::uint64_t domain = domain_bytes(spec);
  return domain == 0 ? spec.memory.size : Bytes{domain * spec.dies.memory};
}

}  // namespace strata::machine
