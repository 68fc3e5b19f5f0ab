// SPDX-License-Identifier: Apache-2.0
#include "machine/checks/unread.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "machine/checks/unread_rules.hpp"

namespace strata::machine {

namespace {

// Whether the path is the rule's or lies below it; the indices on the path are stored in `at`.
bool matches(std::string_view rule, std::string_view path, std::vector<std::size_t>& at) {
  at.clear();
  std::size_t p = 0;
  for (const char expected : rule) {
    if (p == path.size() || path[p] != expected) return false;
    ++p;
    if (expected != '[') continue;
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(path.data() + p, path.data() + path.size(), index);
    if (error != std::errc{}) return false;
    at.push_back(index);
    p = static_cast<std::size_t>(end - path.data());
  }
  return p == path.size() || path[p] == '.' || path[p] == '[';
}

struct CachePlace {
  std::string_view prefix;
  const cache::CacheSpec* (*of)(const MachineSpec& spec);
  bool loads_only;
};

constexpr std::array<CachePlace, 7> caches{{
    {"l1.cache.", [](const MachineSpec& s) { return &s.l1.cache; }, false},
    {"scalar_cache.", [](const MachineSpec& s) { return s.scalar_cache ? &*s.scalar_cache : nullptr; }, true},
    {"second_scalar_cache.",
     [](const MachineSpec& s) { return s.second_scalar_cache ? &*s.second_scalar_cache : nullptr; }, true},
    {"texture_cache.", [](const MachineSpec& s) { return s.texture_cache ? &*s.texture_cache : nullptr; }, true},
    {"instruction_cache.cache.",
     [](const MachineSpec& s) { return s.instruction_cache ? &s.instruction_cache->cache : nullptr; }, true},
    {"l2.cache.", [](const MachineSpec& s) { return &s.l2.cache; }, false},
    {"memory_side_cache.cache.",
     [](const MachineSpec& s) -> const cache::CacheSpec* {
       return s.memory_side_cache ? &s.memory_side_cache->cache : nullptr;
     },
     false},
}};

}  // namespace

std::optional<std::string> why_unread(const MachineSpec& spec, const Activity& does, std::string_view path) {
  Inquiry inquiry{spec, does, {}};
  for (const auto rules : {core_unread_rules(), memory_unread_rules()})
    for (const UnreadRule& rule : rules) {
      if (!matches(rule.path, path, inquiry.at)) continue;
      if (std::string why = rule.why(inquiry); !why.empty()) return why;
    }
  for (const CachePlace& place : caches) {
    if (!path.starts_with(place.prefix)) continue;
    const cache::CacheSpec* const cache = place.of(spec);
    if (cache == nullptr) continue;
    if (std::string why = why_cache_unread(*cache, does, place.loads_only, path.substr(place.prefix.size()));
        !why.empty())
      return why;
  }
  for (std::size_t i = 0; i < spec.levels.size(); ++i) {
    const std::string prefix = fmt::format("levels[{}].cache.", i);
    if (!path.starts_with(prefix)) continue;
    if (std::string why = why_cache_unread(spec.levels[i].cache, does, false, path.substr(prefix.size())); !why.empty())
      return why;
  }
  return std::nullopt;
}

std::optional<std::string> why_unread_by_all(const MachineSpec& spec, std::span<const Activity> does,
                                             std::string_view path) {
  std::optional<std::string> first;
  for (const Activity& activity : does) {
    std::optional<std::string> why = why_unread(spec, activity, path);
    if (!why) return std::nullopt;
    if (!first) first = std::move(why);
  }
  return first;
}

std::optional<std::string> caveat(const MachineSpec& spec, std::string_view path) {
  if (path == "pages.page" && !spec.translation.levels.empty())
    return "it determines the placement of pages; an entry of a TLB covers translation.levels[].entry_reach";
  if (path == "dies.logical_gpus" && spec.dies.logical_gpus > 1 && spec.dies.memory > 1 &&
      spec.memory.interleave == Interleave::all_dies)
    return "it determines which cores run a program; all of them still share the memory of all dies, unless "
           "memory.interleave is per_die";
  return std::nullopt;
}

}  // namespace strata::machine
