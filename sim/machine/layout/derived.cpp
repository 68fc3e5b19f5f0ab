// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/derived.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "config/schema/path.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

namespace {

using config::Value;

/// The largest size of a part, as its schema has it.
constexpr std::uint64_t largest_part = std::uint64_t{4} << 30U;

/// Of a total that was rounded.
constexpr std::string_view in_whole_sets = " rounded to whole sets";

/// What was set later has the higher rank.
int rank(const Value* value, const Value& root) {
  if (value == nullptr) return 0;
  const std::string file = value->where.file_name();
  if (file == "--set") return 2;
  return file == root.where.file_name() ? 1 : 0;
}

Value* at(Value& root, std::string_view path) {
  Value* value = &root;
  for (const config::Segment& segment : config::split_path(path)) {
    if (value->shape == config::Shape::list)
      value = const_cast<Value*>(config::list_entry(*value, segment.text));
    else
      value = value->shape == config::Shape::map ? value->find(segment.text) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

/// Gives the map at the path an entry, after those it has.
Value& entry(Value& root, std::string_view map, const std::string& key) {
  Value& parent = *at(root, map);
  if (Value* there = parent.find(key)) return *there;
  parent.entries.push_back({key, parent.where, {}});
  return parent.entries.back().value;
}

void put(Value& value, std::string text, const config::Position& where, std::string why) {
  value.shape = config::Shape::scalar;
  value.text = std::move(text);
  value.where = where;
  value.provenance = {config::Origin::derived, std::move(why)};
}

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
          fmt::format("{}{}, {} of {} B on each slice", capacity.text, in_whole_sets, total.part, total.whole));
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
        fmt::format("'{}' = {} does not divide into whole sets of {}, which are {} of {} B each", path, capacity.text,
                    total.counted, total.part, total.whole),
        fmt::format("{}{} would do", below == 0 ? "" : shown(below) + " or ", shown(below + step))));
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

void derive_bandwidth(Value& tree, const MachineSpec& spec, std::vector<Diagnostic>& diagnostics) {
  const std::string path = "memory.channel.timing.data_rate";
  if (at(tree, path) == nullptr) return;
  const std::uint64_t channels = spec.memory.channels_per_die * spec.dies.memory;
  const double peak = dram::peaks(spec.memory.channel).bandwidth.value * static_cast<double>(channels);
  const std::string counted =
      fmt::format("memory.channels_per_die = {} x dies.memory = {}", spec.memory.channels_per_die, spec.dies.memory);
  Value& bandwidth = entry(tree, "memory", "bandwidth");
  Value* const rate = at(tree, path);
  const auto follow = [&] {
    put(bandwidth, config::show_number(BytesPerSecond{peak}), rate->where,
        fmt::format("{} at memory.channel.timing.data_rate", counted));
  };
  if (!spec.memory.bandwidth) return follow();
  const double ratio = spec.memory.bandwidth->value / peak;
  const bool agrees = std::abs(ratio - 1) < 1e-6;
  const int of_total = rank(&bandwidth, tree);
  if (!agrees && of_total < rank(rate, tree)) return follow();
  const bool counted_later =
      std::max(rank(at(tree, "memory.channels_per_die"), tree), rank(at(tree, "dies.memory"), tree)) > of_total;
  if (!agrees && of_total == rank(rate, tree) && counted_later) return follow();
  if (!agrees && of_total == rank(rate, tree)) {
    diagnostics.push_back(bandwidth.where.diagnostic(
        fmt::format("'memory.bandwidth' = {} contradicts 'memory.channel.timing.data_rate' = {}, with which {} make {}",
                    bandwidth.text, rate->text, counted, config::show_number(BytesPerSecond{peak})),
        fmt::format("memory.channel.timing.data_rate set by {}; leave one of them out", rate->where.text())));
    return;
  }
  Value* const published = at(tree, "memory.published_peak");
  if (published != nullptr && rank(published, tree) < of_total)
    put(*published, "none", bandwidth.where, "memory.bandwidth");
  if (agrees) return;
  // Whole MT/s: any other rate has no common tick with the clocks of the cores.
  const double transfers =
      std::round(static_cast<double>(spec.memory.channel.timing.data_rate.value) * ratio / 1e6) * 1e6;
  if (transfers < 1e8 || transfers > 1e11) {
    diagnostics.push_back(
        bandwidth.where.diagnostic(fmt::format("'memory.bandwidth' = {} over {} needs a "
                                               "memory.channel.timing.data_rate of {:.0f} MT/s, which may be 100 MT/s "
                                               "to 100000 MT/s",
                                               bandwidth.text, counted, transfers / 1e6),
                                   "change memory.channels_per_die as well"));
    return;
  }
  put(*rate, config::show_number(DataRate{static_cast<std::uint64_t>(std::llround(transfers))}), bandwidth.where,
      fmt::format("memory.bandwidth over {}", counted));
}

/// Timings that cells, drivers and the controller decide, not the bus: they last as long at
/// any data rate. Bursts, the spacing of column commands and the command bus follow the clock.
constexpr std::array kept_in_time{
    "timing.read_latency", "timing.write_latency", "timing.t_rcd_read", "timing.t_rcd_write", "timing.t_rp",
    "timing.t_ras",        "timing.t_rc",          "timing.t_rrd_s",    "timing.t_rrd_l",     "timing.t_faw",
    "timing.t_wtr_s",      "timing.t_wtr_l",       "timing.t_rtw",      "timing.t_wr",        "timing.t_rtp",
    "timing.t_refi",       "timing.t_rfc_ab",      "timing.t_rfc_pb",   "timing.t_rrefd",     "controller.latency"};

double cycles_at(Value& tree, const std::string& path, double otherwise) {
  const Value* value = at(tree, path);
  return value == nullptr ? otherwise : config::read_number<Cycles>(value->text).value.value;
}

void keep_times(Value& tree, const Value& before) {
  const std::string channel = "memory.channel.";
  const std::string path = channel + "timing.data_rate";
  const Value* const rate = at(tree, path);
  const Value* const former = at(const_cast<Value&>(before), path);
  if (rate == nullptr || former == nullptr || rank(rate, tree) < 2) return;
  const auto of = [](const Value& value) {
    return static_cast<double>(config::read_number<DataRate>(value.text).value.value);
  };
  if (of(*former) <= 0 || of(*rate) <= 0 || of(*rate) == of(*former)) return;
  const double ratio = of(*rate) / of(*former);
  const auto scale = [&](const std::string& timing, double cycles) {
    Value& value = *at(tree, timing);
    const std::string was = value.text;
    put(value, config::show_number(Cycles{cycles}), value.where,
        fmt::format("{} at {}, kept in nanoseconds", was, former->text));
  };
  for (const char* name : kept_in_time) {
    const Value* const value = at(tree, channel + name);
    if (value == nullptr || rank(value, tree) == 2) continue;
    const double cycles = config::read_number<Cycles>(value->text).value.value;
    if (cycles > 0) scale(channel + name, std::max(cycles * ratio, std::min(cycles, 1.0)));
  }
  // The bus needs a burst between the last beat of a read and the first of a write.
  const std::string turn = channel + "timing.t_rtw";
  const double least = cycles_at(tree, channel + "timing.read_latency", 0) +
                       cycles_at(tree, channel + "timing.burst", 2) -
                       cycles_at(tree, channel + "timing.write_latency", 0);
  const Value* const given = at(tree, turn);
  if (given != nullptr && rank(given, tree) < 2 && cycles_at(tree, turn, 0) < least) scale(turn, least);
}

// A size of the L1 that is refused would not have been read: whoever sets it means another setting.
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
