// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/derived.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "config/schema/path.hpp"
#include "machine/layout/derived_memory.hpp"
#include "machine/layout/setting_tree.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

namespace {

using config::Value;

/// The largest size of a part, as its schema has it.
constexpr std::uint64_t largest_part = std::uint64_t{4} << 30U;

/// Of a total that was rounded.
constexpr std::string_view in_whole_sets = " rounded to whole sets";

/// A capacity and the size that it is made of.
struct Total {
  std::string map;   ///< `l2`
  std::string part;  ///< `l2.cache.size`
  std::optional<Bytes> wanted;
  std::uint64_t size = 0;             ///< of the part
  std::uint64_t count = 1;            ///< of them
  std::uint64_t whole = 1;            ///< the size is a multiple of this
  std::string counted;                ///< `l2.slices_per_die = 24 x dies.compute = 1`
  std::vector<std::string> counts{};  ///< the settings that give the count
};

std::string shown(std::uint64_t bytes) { return config::show_number(Bytes{bytes}); }

void derive_capacity(Value& tree, const Total& total, std::vector<Diagnostic>& diagnostics) {
  if (at(tree, total.part) == nullptr) return;
  const std::uint64_t actual = total.size * total.count;
  const std::string path = total.map + ".capacity";
  Value& capacity = entry(tree, total.map, "capacity");
  Value* const part = at(tree, total.part);  // only now: an entry more moves the others
  const std::string follows = fmt::format("{} x {}", total.part, total.counted);
  if (!total.wanted) return put(capacity, shown(actual), part->where, follows);
  // The whole sets nearest to what was asked for.
  const std::uint64_t step = total.count * total.whole;
  const std::uint64_t rounded = std::max<std::uint64_t>((total.wanted->value + step / 2) / step, 1) * step;
  const auto round = [&] {
    if (rounded != total.wanted->value)
      put(capacity, shown(rounded), capacity.where,
          fmt::format("{}{} of {} B: {} = {}", capacity.text, in_whole_sets, total.whole, total.part,
                      shown(rounded / total.count)));
  };
  if (rounded == actual) return round();
  const int of_total = rank(&capacity, tree);
  const int of_part = rank(part, tree);
  if (of_total < of_part) return put(capacity, shown(actual), part->where, follows);
  // Both agreed until another number of parts was asked for.
  const bool counted_later = std::any_of(total.counts.begin(), total.counts.end(), [&](const std::string& count) {
    return rank(at(tree, count), tree) > of_total;
  });
  if (of_total == of_part && counted_later) return put(capacity, shown(actual), part->where, follows);
  const double off = std::abs(static_cast<double>(rounded) / static_cast<double>(total.wanted->value) - 1);
  if (of_total == of_part) {
    diagnostics.push_back(
        capacity.where.diagnostic(fmt::format("'{}' = {} contradicts '{}' = {}, which {} makes {}", path, capacity.text,
                                              total.part, shown(total.size), total.counted, shown(actual)),
                                  fmt::format("{} set by {}; leave one of them out", total.part, part->where.text())));
  } else if (off > 0.01) {
    const std::uint64_t below = total.wanted->value / step * step;
    diagnostics.push_back(capacity.where.diagnostic(
        fmt::format("'{}' = {} does not divide into {} parts, {}, of whole sets of {} B", path, capacity.text,
                    total.counted, total.part, total.whole),
        fmt::format("use {}{}", below == 0 ? "" : shown(below) + " or ", shown(below + step))));
  } else if (rounded / total.count > largest_part) {
    diagnostics.push_back(
        capacity.where.diagnostic(fmt::format("'{}' = {} over {} makes a {} of more than {}", path, capacity.text,
                                              total.counted, total.part, shown(largest_part)),
                                  fmt::format("{} is the most", shown(total.count * largest_part))));
  } else {
    round();
    put(*part, shown(rounded / total.count), capacity.where, fmt::format("{} over {}", path, total.counted));
  }
}

std::uint64_t set_bytes(const cache::CacheSpec& cache) { return cache.line.value * (cache.data_pool ? 1 : cache.ways); }

/// `memory_side_cache.slices_per_die = 16 x dies.memory = 4`.
std::string counted(const Level& level) {
  const std::string slices = fmt::format("{} = {}", level.slices_path, level.slices);
  if (level.counted_by.size() == 1)
    return fmt::format("{} x {} = {}", slices, level.counted_by.front(), level.instances);
  return fmt::format("{} x {} instances ({})", slices, level.instances, fmt::join(level.counted_by, ", "));
}

std::vector<std::string> counts_of(const Level& level) {
  std::vector<std::string> settings{level.slices_path};
  settings.insert(settings.end(), level.counted_by.begin(), level.counted_by.end());
  return settings;
}

void derive_capacities(Value& tree, const MachineSpec& spec, std::vector<Diagnostic>& diagnostics) {
  const cache::CacheSpec& l1 = spec.l1.cache;
  std::size_t chosen = 0;
  while (chosen + 1 < spec.l1.carve_outs.size() && spec.l1.carve_outs[chosen].name != spec.l1.carve_out) ++chosen;
  derive_capacity(tree,
                  {"l1", fmt::format("l1.carve_outs[{}].size", chosen), spec.l1.capacity, spec.l1.chosen().size.value,
                   1, set_bytes(l1), fmt::format("l1.carve_out = {}", spec.l1.carve_out)},
                  diagnostics);
  const auto slices = [](const char* map, std::uint64_t per_die, const char* die, std::uint64_t dies) {
    return fmt::format("{}.slices_per_die = {} x {} = {}", map, per_die, die, dies);
  };
  const L2Spec& l2 = spec.l2;
  derive_capacity(tree,
                  {"l2",
                   "l2.cache.size",
                   l2.capacity,
                   l2.cache.size.value,
                   l2.slices_per_die * spec.dies.compute,
                   set_bytes(l2.cache),
                   slices("l2", l2.slices_per_die, "dies.compute", spec.dies.compute),
                   {"l2.slices_per_die", "dies.compute"}},
                  diagnostics);
  for (const Level& level : levels_of(spec)) {
    if (level.is_l2()) continue;
    derive_capacity(tree,
                    {level.path, level.path + ".cache.size", level.capacity, level.cache->size.value,
                     level.slices_of_all(), set_bytes(*level.cache), counted(level), counts_of(level)},
                    diagnostics);
  }
}

// A size of the L1 that is refused would not have been read: a user who sets it means another setting.
void report_unread_size(Value& tree, const std::vector<Diagnostic>& refused, std::vector<Diagnostic>& diagnostics) {
  const std::string path = "l1.cache.size";
  const Value* const size = at(tree, path);
  if (size == nullptr || rank(size, tree) < 2) return;
  const auto names_it = [&](const Diagnostic& fault) {
    return fault.message.find(fmt::format("'{}'", path)) != std::string::npos;
  };
  if (std::any_of(refused.begin(), refused.end(), names_it))
    diagnostics.push_back(size->where.diagnostic(
        fmt::format("'{}' is not read: the size of the L1 is that of its carve-out", path), "set l1.capacity"));
}

}  // namespace

void MachineSpec::derive(Value& tree, const Value& before, std::vector<Diagnostic>& diagnostics) {
  // Binding reports what cannot be bound.
  std::vector<Diagnostic> elsewhere;
  const MachineSpec spec = config::bind_spec<MachineSpec>(tree, elsewhere);
  if (!elsewhere.empty()) return report_unread_size(tree, elsewhere, diagnostics);
  derive_capacities(tree, spec, diagnostics);
  derive_bandwidth(tree, spec, diagnostics);
  if (diagnostics.empty()) keep_times(tree, before);
}

std::optional<std::string> rounding(const config::Provenance& provenance) {
  if (provenance.origin != config::Origin::derived || provenance.note.find(in_whole_sets) == std::string::npos)
    return std::nullopt;
  return provenance.note;
}

std::vector<std::string> large_totals(const MachineSpec& spec, const MachineSpec& plain) {
  std::vector<std::string> notes;
  const auto compare = [&](const std::string& map, const cache::CacheSpec& now, const cache::CacheSpec& then,
                           std::uint64_t slices, std::uint64_t former_slices) {
    const std::uint64_t total = now.size.value * slices;
    if (now.size == then.size || slices < 2 || total <= 4 * then.size.value * former_slices) return;
    notes.push_back(
        fmt::format("{}.cache.size = {} is one slice; {} slices make {} of {}, {} makes {}; {}.capacity sets all of it",
                    map, shown(now.size.value), slices, shown(total), now.name, plain.name,
                    shown(then.size.value * former_slices), map));
  };
  const std::vector<Level> now = levels_of(spec);
  const std::vector<Level> then = levels_of(plain);
  for (const Level& level : now)
    for (const Level& former : then)
      if (level.path == former.path)
        compare(level.path, *level.cache, *former.cache, level.slices_of_all(), former.slices_of_all());
  return notes;
}

}  // namespace strata::machine
