// SPDX-License-Identifier: Apache-2.0
#include "study/run/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/invalid_request.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "study/common_atomics.hpp"
#include "study/run/run.hpp"
#include "trace/relocated.hpp"

namespace strata::study {

void bring_within(const machine::MachineSpec& spec, trace::LaunchList& launches) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63U;
  for (const auto& kernel : launches)
    for (const trace::Region& region : kernel->info().regions)
      if (region.first >= most || region.bytes > most - region.first)
        throw InvalidRequest(fmt::format("kernel '{}' accesses 0x{:x}: memory has no addresses from 2^63 on",
                                         kernel->info().name, std::max(region.first, most)));
  const auto relocation = std::make_shared<const trace::Relocation>(launches);
  const std::uint64_t memory = spec.memory.size.value;
  const bool moved = relocation->needed(memory);
  if (moved && relocation->bytes() > memory)
    throw InvalidRequest(
        fmt::format("the kernels touch {} MiB and the memory has {} MiB", relocation->bytes() >> 20U, memory >> 20U),
        {"memory.size"});
  if (moved)
    for (auto& kernel : launches) kernel = trace::relocated(std::move(kernel), relocation);
}

bool read_values(const trace::LaunchList& launches) {
  return std::any_of(launches.begin(), launches.end(), [](const auto& kernel) { return kernel->info().reads_values; });
}

void check_readers(const machine::MachineSpec& spec) {
  machine::check_values(spec);
  check_common_atomics(spec, 0, static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die - 1));
}

void place_arrays(machine::Machine& machine, const trace::Kernel& kernel) {
  for (const trace::Region& region : kernel.info().regions)
    if (region.memory_die) machine.place_pages(region, *region.memory_die);
}

void check_run(machine::Machine& machine, trace::LaunchList& launches, const RunQuestion& question) {
  if (read_values(launches)) check_readers(machine.spec());
  bring_within(machine.spec(), launches);
  for (const auto& kernel : launches) place_arrays(machine, *kernel);
  for (const auto& kernel : launches) const machine::Dispatcher fits(machine, *kernel, question.placement, {});
}

}  // namespace strata::study
