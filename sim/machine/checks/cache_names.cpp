// SPDX-License-Identifier: Apache-2.0
// The names by which statistics and results distinguish caches and TLBs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/checks/cache_consistency.hpp"
#include "machine/levels.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

namespace {

using Faults = std::vector<RequestFault>;

struct NamedCache {
  std::string path;  ///< of the name
  std::string name;
  const char* usual;  ///< a valid name
};

std::vector<NamedCache> named_caches(const MachineSpec& spec, const std::vector<Level>& levels) {
  std::vector<NamedCache> all{{"l1.cache.name", spec.l1.cache.name, "L1"}};
  if (spec.scalar_cache) all.push_back({"scalar_cache.name", spec.scalar_cache->name, "scalar L1"});
  if (spec.second_scalar_cache)
    all.push_back({"second_scalar_cache.name", spec.second_scalar_cache->name, "constant L1.5"});
  if (spec.texture_cache) all.push_back({"texture_cache.name", spec.texture_cache->name, "texture cache"});
  if (const auto& code = spec.instruction_cache)
    all.push_back({"instruction_cache.cache.name", code->cache.name, "instruction cache"});
  // Those of `levels` last: of two equal names, theirs is to be changed.
  for (const bool further : {false, true})
    for (const Level& level : levels)
      if ((level.kind == LevelKind::further) == further)
        all.push_back({level.path + ".cache.name", level.cache->name,
                       level.is_l2()                                ? "L2"
                       : level.kind == LevelKind::memory_side_cache ? "memory-side cache"
                       : level.shared_by < Sharers::die             ? "L1.5"
                                                                    : "L3"});
  return all;
}

// The paths of statistics are made of names.
bool breaks_paths(const std::string& name) { return name.find_first_of("/*") != std::string::npos; }

RequestFault path_breaking(const std::string& path, const std::string& name, std::string remedy) {
  return {fmt::format("{} = {}: the paths of statistics consist of names, so a name must not contain '/' or '*'", path,
                      name),
          {path},
          std::move(remedy)};
}

// Statistics and results distinguish caches by their names.
void check_cache_names(const MachineSpec& spec, const std::vector<Level>& levels, Faults& faults) {
  const std::vector<NamedCache> all = named_caches(spec, levels);
  std::vector<NamedCache> taken{{"", "DRAM", ""}, {"", "shared memory", ""}, {"", "crossbar", ""}};
  for (const Level& level : levels)
    if (level.partitioned)
      for (const char* part : {"near ", "far "})
        taken.push_back({level.path + ".partitioned", part + level.cache->name, ""});
  // Statistics add up names that differ only in numbers: slices, dies, also `Level 3` and `Level 4`.
  const auto has = [](const std::vector<NamedCache>& list, const std::string& name) {
    return std::find_if(list.begin(), list.end(),
                        [&](const NamedCache& other) { return stats::family(other.name) == stats::family(name); });
  };
  const auto another = [&](const NamedCache& cache) {
    const auto is_free = [&](const std::string& name) {
      return has(all, name) == all.end() && has(taken, name) == taken.end();
    };
    std::string free = cache.usual;
    if (!is_free(free)) free = fmt::format("{} 2", cache.usual);
    for (char letter = 'b'; !is_free(free); ++letter) free = fmt::format("{} {}", cache.usual, letter);
    return fmt::format("set {}={}", cache.path, free);
  };
  for (const NamedCache& cache : all) {
    const auto other = has(taken, cache.name);
    if (cache.name.find_first_not_of(' ') == std::string::npos)
      faults.push_back({fmt::format("{} is empty: statistics and results need a name for each cache", cache.path),
                        {cache.path},
                        another(cache)});
    else if (breaks_paths(cache.name))
      faults.push_back(path_breaking(cache.path, cache.name, another(cache)));
    else if (other != taken.end() && !other->path.ends_with(".name"))
      faults.push_back(
          {fmt::format("{0} = {1}: in statistics and results this is the name of another part of the machine, {1}",
                       cache.path, cache.name),
           other->path.empty() ? std::vector{cache.path} : std::vector{cache.path, other->path}, another(cache)});
    else if (other != taken.end())
      faults.push_back({fmt::format("{0} = {1} is {2} as well: statistics and results would not distinguish them",
                                    cache.path, cache.name, other->path),
                        {cache.path, other->path},
                        another(cache)});
    taken.push_back(cache);
  }
}

// TLBs are counted by level, under their names.
void check_tlb_names(const MachineSpec& spec, Faults& faults) {
  const std::vector<translation::TlbLevelSpec>& levels = spec.translation.levels;
  const auto path = [](std::size_t level) { return fmt::format("translation.levels[{}].name", level); };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string remedy = fmt::format("set {}=L{} TLB", path(i), i + 1);
    std::size_t other = 0;
    while (stats::family(levels[other].name) != stats::family(levels[i].name)) ++other;
    if (breaks_paths(levels[i].name))
      faults.push_back(path_breaking(path(i), levels[i].name, remedy));
    else if (other < i)
      faults.push_back({fmt::format("{} = {} is {} as well: statistics would not distinguish them", path(i),
                                    levels[i].name, path(other)),
                        {path(i), path(other)},
                        remedy});
  }
}

}  // namespace

void check_names(const MachineSpec& spec, std::vector<RequestFault>& faults) {
  check_cache_names(spec, levels_of(spec), faults);
  check_tlb_names(spec, faults);
}

}  // namespace strata::machine
