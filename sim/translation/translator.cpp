// SPDX-License-Identifier: Apache-2.0
#include "translation/translator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "memory/transaction.hpp"
#include "stats/collect_counters.hpp"

namespace strata::translation {

namespace {

constexpr std::size_t most_levels = 8;

void check(const TlbLevelSpec& spec) {
  if (spec.entries == 0 || (spec.ways != 0 && spec.entries % spec.ways != 0)) {
    throw InvalidRequest(spec.name + ": the entries do not make whole sets");
  }
  if (!std::has_single_bit(spec.entry_reach.value) || spec.entry_reach.value < memory::block_bytes) {
    throw InvalidRequest(spec.name + ": an entry's reach is no power of two of 128 B or more");
  }
}

}  // namespace

std::uint32_t cores_sharing(Scope scope, const TranslatorShape& shape) {
  switch (scope) {
    case Scope::core:
      return 1;
    case Scope::group:
      return shape.cores_per_group;
    case Scope::die:
      return shape.cores_per_die;
  }
  return 1;
}

Translator::Level::Level(const TlbLevelSpec& spec, std::uint32_t sharing, std::uint32_t instances, engine::Clock clock,
                         memory::StageNames& stages)
    : tlb(spec, instances),
      shared(spec.scope != Scope::core),
      tag_shift(static_cast<unsigned>(std::countr_zero(spec.entry_reach.value / memory::block_bytes))),
      cores_per_instance(sharing),
      miss_latency(clock.cycles(spec.miss_latency.value)),
      miss_occupancy(spec.misses_per_clock > 0 ? clock.cycles(1.0 / spec.misses_per_clock) : Duration{}),
      stage(stages.add(spec.name, "miss", memory::StageKind::translation_miss)),
      name(spec.name),
      counts(instances),
      way_down(instances) {}

Translator::Translator(const engine::Timebase& timebase, engine::Clock clock, const TranslationSpec& spec,
                       const TranslatorShape& shape, memory::StageNames& stages)
    : cores_per_die_(shape.cores_per_die),
      parallel_walks_(spec.walker.parallel),
      walk_latency_(timebase.nanoseconds(spec.walker.latency.value)),
      walk_stage_(stages.add("page walk")) {
  if (shape.cores == 0 || shape.cores_per_group == 0 || shape.cores_per_die == 0 || parallel_walks_ == 0 ||
      spec.levels.size() > most_levels) {
    throw InvalidRequest("translation needs cores, walkers and at most 8 levels");
  }
  for (const TlbLevelSpec& level : spec.levels) {
    check(level);
    const std::uint32_t sharing = cores_sharing(level.scope, shape);
    levels_.emplace_back(level, sharing, (shape.cores + sharing - 1) / sharing, clock, stages);
  }
  const std::uint32_t dies = (shape.cores + shape.cores_per_die - 1) / shape.cores_per_die;
  walkers_.resize(std::size_t{dies} * parallel_walks_);
}

Time Translator::translate(std::uint32_t core, std::uint64_t virtual_block, Time ready, memory::Journey* journey) {
  std::array<Time*, most_levels> made;
  std::size_t missed = 0;
  Time t = ready;
  bool found = levels_.empty();
  for (Level& level : levels_) {
    const std::uint32_t instance = core / level.cores_per_instance;
    const Tlb::Look look = level.tlb.look_up(instance, virtual_block >> level.tag_shift);
    if (look.hit) {
      ++level.counts[instance].hits;
      // The entry may still be pending: the wait counts as the miss that fetches it.
      if (*look.usable > t) {
        t = *look.usable;
        if (journey != nullptr) journey->mark(level.stage, t);
      }
      found = true;
      break;
    }
    ++level.counts[instance].misses;
    made[missed++] = look.usable;
    if (level.miss_occupancy > Duration{}) t = level.way_down[instance].reserve(t, level.miss_occupancy);
    t += level.miss_latency;
    if (journey != nullptr) journey->mark(level.stage, t);
  }
  if (!found) {
    t = walk(core, t);
    if (journey != nullptr) journey->mark(walk_stage_, t);
  }
  for (std::size_t i = 0; i < missed; ++i) *made[i] = t;
  return t;
}

// The first free walker of the die.
Time Translator::walk(std::uint32_t core, Time ready) {
  ++walks_;
  const auto first = walkers_.begin() +
                     static_cast<std::ptrdiff_t>(core / cores_per_die_) * static_cast<std::ptrdiff_t>(parallel_walks_);
  const auto walker =
      std::min_element(first, first + parallel_walks_,
                       [](const engine::Lane& a, const engine::Lane& b) { return a.free_at() < b.free_at(); });
  return walker->reserve(ready, walk_latency_) + walk_latency_;
}

void Translator::touch(std::uint32_t core, std::uint64_t virtual_block) {
  for (Level& level : levels_) {
    const std::uint32_t instance = core / level.cores_per_instance;
    if (level.tlb.look_up(instance, virtual_block >> level.tag_shift).hit) return;
  }
}

std::vector<HeldPages> Translator::held(std::uint32_t core, std::uint64_t virtual_block) const {
  std::vector<HeldPages> all;
  for (const Level& level : levels_) {
    HeldPages& held =
        all.emplace_back(level.tlb.held(core / level.cores_per_instance, virtual_block >> level.tag_shift));
    held.name = level.name;
    held.reach_bytes = memory::block_bytes << level.tag_shift;
  }
  return all;
}

void Translator::assume_pages_used() {
  for (Level& level : levels_)
    if (level.shared) level.tlb.take_as_held_before();
}

Translator::Counters Translator::counts(std::size_t level) const {
  Counters all;
  for (const Counters& each : levels_.at(level).counts) {
    all.hits += each.hits;
    all.misses += each.misses;
  }
  return all;
}

// Each core uses the translator of its process, so one translator has all counters of a TLB, except those of cores
// that share it across processes.
void collect(std::span<const Translator* const> all, stats::Collector& collector) {
  const auto sum = [&all](const auto& count_of) {
    std::uint64_t counted = 0;
    for (const Translator* const each : all) counted += count_of(*each);
    return counted;
  };
  const std::vector<Translator::Level>& levels = all.front()->levels_;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    for (std::size_t i = 0; i < levels[l].counts.size(); ++i) {
      const stats::Collector::Scope scope(collector, fmt::format("{} {}", levels[l].name, i));
      Translator::Counters counted;
      counted.hits = sum([&](const Translator& each) { return std::uint64_t{each.levels_[l].counts[i].hits}; });
      counted.misses = sum([&](const Translator& each) { return std::uint64_t{each.levels_[l].counts[i].misses}; });
      stats::collect_counters(collector, counted);
    }
  }
  collector.count("walks", "walks", "of the page table, begun",
                  sum([](const Translator& each) { return each.walks(); }));
  collector.count("walker time", "ticks", "of these walks, summed over the walkers",
                  sum([](const Translator& each) { return static_cast<std::uint64_t>(each.walker_busy().ticks); }));
}

Duration Translator::walker_busy() const {
  Duration sum{};
  for (const engine::Lane& walker : walkers_) sum += walker.busy();
  return sum;
}

}  // namespace strata::translation
