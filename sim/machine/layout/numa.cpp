// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/numa.hpp"

#include <bit>

namespace strata::machine {

bool has_domains(const MachineSpec& spec) {
  return spec.memory.interleave == Interleave::per_die && spec.dies.memory > 1;
}

Bytes memory_of_die(const MachineSpec& spec) { return Bytes{spec.memory.size.value / spec.dies.memory}; }

std::uint64_t domain_bytes(const MachineSpec& spec) {
  if (!has_domains(spec)) return 0;
  return std::bit_ceil(memory_of_die(spec).value);
}

namespace {
bool side_gives_home(const MachineSpec& spec) { return spec.memory_side_cache && !spec.l2.partitioned; }
}  // namespace

std::vector<fabric::HomeBitSpec> home_bits(const MachineSpec& spec) {
  const auto& index = side_gives_home(spec) ? spec.memory_side_cache->index : spec.l2.index;
  const std::uint64_t domain = domain_bytes(spec);
  if (domain == 0) return index.home_bits;
  std::vector<fabric::HomeBitSpec> bits;
  const auto lowest = static_cast<std::uint32_t>(std::countr_zero(domain));
  for (std::uint32_t bit = 0; (std::uint64_t{1} << bit) < spec.dies.memory; ++bit) bits.push_back({{lowest + bit}});
  return bits;
}

std::vector<const char*> home_settings(const MachineSpec& spec) {
  if (has_domains(spec)) return {"memory.interleave", "memory.size", "dies.memory"};
  return {side_gives_home(spec) ? "memory_side_cache.index.home_bits" : "l2.index.home_bits"};
}

Bytes address_space(const MachineSpec& spec) {
  const std::uint64_t domain = domain_bytes(spec);
  return domain == 0 ? spec.memory.size : Bytes{domain * spec.dies.memory};
}

}  // namespace strata::machine
