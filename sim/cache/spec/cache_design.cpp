// SPDX-License-Identifier: Apache-2.0
#include "cache/spec/cache_design.hpp"

#include <algorithm>
#include <bit>

#include "cache/compression/table.hpp"
#include "cache/prefetch/table.hpp"

namespace strata::cache {

namespace {

Duration per_clock(engine::Clock clock, double rate) { return clock.cycles(1 / rate); }

Duration for_sectors(engine::Clock clock, std::optional<BytesPerClock> width, std::size_t sectors) {
  if (!width) return {};
  return clock.cycles(static_cast<double>(sectors * memory::sector_bytes) / width->value);
}

}  // namespace

CacheDesign::CacheDesign(memory::StageNames& names, const CacheSpec& from, engine::Clock clock, IndexFunction by)
    : index(by),
      line_shift(std::countr_zero(memory::block_bytes) - std::countr_zero(from.line.value)),
      bank_shift(64U - static_cast<unsigned>(std::countr_zero(from.banks))),
      writes_back(from.write_policy == WritePolicy::write_back),
      bypass_cg(from.bypass_cg),
      performs_atomics(from.performs_atomics),
      streaming(from.streaming),
      prefetches(from.prefetcher != no_prefetcher),
      atomics_take_fill_port(from.atomics_take_fill_port),
      stores_apart(from.stores_apart),
      keeps_masks(from.masked_lines.has_value()),
      far_mshrs_most(
          static_cast<std::uint32_t>(std::min({(from.mshr_count() + 1) / 2, from.mshr_count() - 1, from.lines() - 1}))),
      merges_per_mshr(static_cast<std::uint32_t>(std::min<std::uint64_t>(from.merges_per_mshr, ~std::uint32_t{0}))),
      tag_occupancy(per_clock(clock, from.lookups_per_clock)),
      miss_occupancy(from.misses_per_clock ? per_clock(clock, *from.misses_per_clock) : Duration{}),
      ahead(std::min(clock.cycles(from.tag_latency.value), tag_occupancy * 4)),
      tag_latency(clock.cycles(from.tag_latency.value)),
      hit_latency(clock.cycles(from.hit_latency.value +
                               (from.compression == no_compression ? 0.0 : from.decompression_latency.value))),
      store_latency(clock.cycles(from.hit_latency.value)),
      fill_latency(clock.cycles(from.fill_latency.value)),
      atomic_latency(clock.cycles(from.atomic_latency.value)),
      atomic_pass(per_clock(clock, from.atomic_passes_per_clock)),
      partial_pass(per_clock(clock, from.partial_passes_per_clock.value_or(from.atomic_passes_per_clock))),
      fill_groups(from.fill_granularity.value),
      sector_groups(from.sector.value),
      natural_index(from),
      spec(from) {
  for (std::size_t n = 0; n < occupancy.size(); ++n) {
    occupancy[n] = {
        for_sectors(clock, from.bank_width.value_or(from.data_width), n), for_sectors(clock, from.data_width, n),
        for_sectors(clock, from.write_width.value_or(from.data_width), n), for_sectors(clock, from.fill_width, n)};
  }
  const auto stage = [&](const char* what) { return names.add(from.name + ' ' + what); };
  stages = {names.add("to " + from.name),
            stage("queue"),
            names.add(from.name, "tag", memory::StageKind::tags),
            names.add(from.name, "data", memory::StageKind::data),
            stage("wait (data width)"),
            stage("wait (miss port)"),
            stage("wait (merged)"),
            names.add(from.name, "fill", memory::StageKind::fill),
            stage("atomic unit"),
            {stage("wait (MSHR full)"), stage("wait (ways pending)"), stage("wait (merge list full)"),
             stage("wait (write-back buffer full)"), stage("wait (being completed)")}};
}

}  // namespace strata::cache
