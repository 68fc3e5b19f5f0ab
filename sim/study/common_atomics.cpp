// SPDX-License-Identifier: Apache-2.0
#include "study/common_atomics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/invalid_request.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/levels.hpp"

namespace strata::study {

namespace {

constexpr const char* no_common_cache =
    "the two cores share no cache: add a memory_side_cache that performs atomics, or keep to cores of one die";

}  // namespace

void check_common_atomics(const machine::MachineSpec& spec, std::uint32_t one, std::uint32_t other) {
  const std::vector<machine::Level> levels = machine::levels_of(spec);
  const auto unit = std::find_if(levels.begin(), levels.end(),
                                 [](const machine::Level& level) { return level.cache->performs_atomics; });
  const bool partitioned = spec.l2.partitioned && !spec.l2.bypass;
  const bool other_dies = one / spec.dies.cores_per_die != other / spec.dies.cores_per_die;
  if (spec.l1.cache.performs_atomics ||
      (unit != levels.end() && other_dies && !partitioned && unit->shared_by == machine::Sharers::die)) {
    machine::consistent(spec);  // said first: a remedy for its atomics would lead nowhere
    const std::string path = spec.l1.cache.performs_atomics ? "l1" : unit->path;
    const bool have_common = !other_dies || partitioned || spec.memory_side_cache;
    throw InvalidRequest(
        fmt::format("cores {} and {} perform atomics in separate caches, so neither sees the stores of the other", one,
                    other),
        {path + ".cache.performs_atomics", "memory_side_cache.cache.performs_atomics"},
        have_common ? fmt::format("set {}.cache.performs_atomics=false{}", path,
                                  spec.memory_side_cache ? " and memory_side_cache.cache.performs_atomics=true" : "")
                    : no_common_cache);
  }
}

void check_atomics_in_cache(const machine::MachineSpec& spec, std::uint32_t one, std::uint32_t other) {
  check_common_atomics(spec, one, other);
  if (machine::caches_perform_atomics(spec)) return;
  machine::consistent(spec);
  const std::vector<machine::Level> levels = machine::levels_of(spec);
  const bool partitioned = spec.l2.partitioned && !spec.l2.bypass;
  const bool other_dies = one / spec.dies.cores_per_die != other / spec.dies.cores_per_die;
  std::vector<std::string> settings;
  std::vector<std::string> remedies;
  if (spec.l2.bypass) {
    settings.emplace_back("l2.bypass");
    remedies.emplace_back(spec.l2.cache.performs_atomics ? "l2.bypass=false"
                                                         : "l2.bypass=false and l2.cache.performs_atomics=true");
  }
  // The first level that both cores share.
  const auto meet = std::find_if(levels.begin(), levels.end(), [&](const machine::Level& level) {
    return level.shared_by == machine::Sharers::memory_die ||
           (level.shared_by == machine::Sharers::die && (partitioned || !other_dies));
  });
  if (meet != levels.end()) {
    settings.push_back(meet->path + ".cache.performs_atomics");
    const bool keeps = meet->cache->write_policy == cache::WritePolicy::write_back;
    remedies.push_back(
        settings.back() + "=true" +
        (keeps ? ""
               : fmt::format(", {0}.cache.write_policy=write_back and {0}.cache.write_allocate=sector", meet->path)));
  }
  throw InvalidRequest(fmt::format("no cache of {} performs atomics, so nothing orders the attempts of both cores{}",
                                   spec.name, spec.l2.bypass ? ": l2.bypass = true removes the L2" : ""),
                       settings,
                       remedies.empty() ? no_common_cache : fmt::format("set {}", fmt::join(remedies, ", or ")));
}

}  // namespace strata::study
