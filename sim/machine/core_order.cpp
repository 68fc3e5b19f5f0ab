// SPDX-License-Identifier: Apache-2.0
#include "machine/core_order.hpp"

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "compute/placement.hpp"

namespace strata::machine {

std::vector<std::uint32_t> core_order(const MachineSpec& spec, std::string_view policy) {
  const compute::PlacementPolicy* found =
      compute::find_placement(policy.empty() ? std::string_view(spec.placement) : policy);
  if (found == nullptr)
    throw InvalidRequest(fmt::format("there is no placement policy '{}'; strata list policies shows them", policy),
                         {"placement"});
  // Blocks of one program fill one logical GPU.
  const auto dies = static_cast<std::uint32_t>(spec.dies.compute / spec.dies.logical_gpus);
  const auto cores = static_cast<std::uint32_t>(spec.dies.cores_per_die);
  const std::vector<std::uint32_t> one =
      found->order({dies, cores, static_cast<std::uint32_t>(spec.dies.cores_per_group)});
  std::vector<std::uint32_t> all;
  for (std::uint32_t gpu = 0; gpu < spec.dies.logical_gpus; ++gpu)
    for (const std::uint32_t core : one) all.push_back(gpu * dies * cores + core);
  return all;
}

}  // namespace strata::machine
