// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/code_memory.hpp"

#include <algorithm>
#include <bit>

#include "base/rounding.hpp"
#include "machine/layout/numa.hpp"
#include "memory/transaction.hpp"

namespace strata::machine {

namespace {

// The last virtual address behind which there is memory whatever the placement of pages.
std::uint64_t end_of_memory(const MachineSpec& spec) {
  std::uint64_t end = spec.memory.size.value;
  if (has_domains(spec) && spec.pages.placement == "contiguous")
    end = (spec.dies.memory - 1) * domain_bytes(spec) + memory_of_die(spec).value;
  const std::uint64_t run = spec.pages.page.value * spec.pages.run;
  return end / run * run;
}

}  // namespace

CodeMemory::CodeMemory(const MachineSpec& spec) : end_(end_of_memory(spec) / memory::block_bytes) {
  constexpr std::uint64_t usual = (std::uint64_t{2} << 20U) / memory::block_bytes;
  const std::uint64_t quarter = std::max<std::uint64_t>(end_ / 4, 1);
  blocks_of_kernel_ = std::min(usual, std::bit_floor(quarter));
  most_ = quarter / blocks_of_kernel_;
  first_ = end_ - blocks_of_kernel_;
}

void CodeMemory::run(const std::string& kernel) {
  const std::uint64_t place = places_.try_emplace(kernel, places_.size() % most_).first->second;
  first_ = end_ - (place + 1) * blocks_of_kernel_;
}

}  // namespace strata::machine
