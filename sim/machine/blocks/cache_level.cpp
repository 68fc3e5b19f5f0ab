// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/cache_level.hpp"

#include <fmt/format.h>

#include "base/random.hpp"

namespace strata::machine {

LevelDesign::LevelDesign(const engine::Timebase& timebase, memory::StageNames& stages, const Level& level,
                         const fabric::AddressMapSpec& map_spec, std::uint64_t host_begins)
    : map(map_spec),
      lines(*level.cache),
      slice(std::make_shared<const cache::CacheDesign>(stages, *level.cache, timebase.clock(level.clock.value),
                                                       cache::IndexFunction{&LevelDesign::set_of, this, true})),
      slices(static_cast<std::uint32_t>(level.slices)),
      latency(timebase.nanoseconds(level.latency.value)),
      number(level.number),
      first_block(level.addresses ? level.addresses->from.value / memory::block_bytes : 0),
      end_block(level.addresses ? level.addresses->to.value / memory::block_bytes : ~std::uint64_t{0}),
      first_host_block(host_begins),
      prefetches(level.cache->prefetcher != cache::no_prefetcher) {}

std::uint64_t LevelDesign::set_of(const void* self, std::uint64_t line) {
  // Lines shorter than a block share its set.
  const auto& design = *static_cast<const LevelDesign*>(self);
  return design.map.place(design.lines.from_line(line)).set;
}

CacheLevel::CacheLevel(engine::Simulation& simulation, const LevelDesign& design, const std::string& place,
                       std::uint32_t seed)
    : design_(design), home_(design.map.homes() > 1 ? seed : 0) {
  for (std::uint32_t s = 0; s < design.slices; ++s) {
    const cache::Cache& slice = slices_.emplace_back(simulation, design.slice, mix(seed, s));
    inputs_.push_back(&ports_.emplace_back(simulation, fmt::format("{} {} slice {}", place, slice.spec().name, s),
                                           slice.input(), design.latency,
                                           static_cast<std::uint32_t>(slice.spec().input_depth)));
  }
  if (design.prefetches)
    for (cache::Cache& slice : slices_) slice.share_prefetcher(slices_.front(), {&CacheLevel::prefetch, this});
}

// Lines of this home are prefetched, by the slices that hold them.
bool CacheLevel::prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin) {
  auto& level = *static_cast<CacheLevel*>(self);
  const std::uint64_t block = level.design_.lines.from_line(line);
  if (!level.homes(block) || block >= level.design_.first_host_block) return false;
  if (level.design_.map.home(block) != level.home_) return false;
  return level.slice(block).prefetch_soon(line, origin);
}

void CacheLevel::connect(memory::Sink below, TouchSink below_without_time) {
  for (cache::Cache& slice : slices_) slice.connect(below);
  below_ = below;
  below_without_time_ = below_without_time;
}

void CacheLevel::pass_by(memory::Transaction& transaction, Time ready) {
  passed_by_.count(transaction);
  below_.take(transaction, ready);
}

void CacheLevel::touch(const cache::TouchRequest& request) {
  if (!homes(request.block)) return below_without_time_.touch(request);
  const fabric::Place at = place(request.block);
  const cache::Touch touch = slices_[at.slice].touch(request, at.set);
  cache::pass_on(request, touch, [this](const cache::TouchRequest& below) { below_without_time_.touch(below); });
}

void CacheLevel::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const std::string& level = slices_[s].spec().name;
    const Scope slice(collector, fmt::format("{} slice {}", level, s), stats::Block::cache, level);
    slices_[s].collect(collector);
  }
}

void CacheLevel::collect_ports(std::vector<const engine::Port*>& ports) const {
  for (const engine::Port& port : ports_) ports.push_back(&port);
}

CacheLevels::CacheLevels(engine::Simulation& simulation, const LevelDesigns& designs, const std::string& place,
                         std::uint32_t seed, memory::Sink below, TouchSink below_without_time)
    : below_(below), below_without_time_(below_without_time) {
  for (const LevelDesign* design : designs) levels_.emplace_back(simulation, *design, place, seed);
  if (!levels_.empty()) first_ = &levels_.front();
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (i + 1 == levels_.size()) {
      levels_[i].connect(below, below_without_time);
      continue;
    }
    levels_[i].connect(
        memory::sink<&CacheLevel::take>(levels_[i + 1]),
        {[](void* self, const cache::TouchRequest& request) { static_cast<CacheLevel*>(self)->touch(request); },
         &levels_[i + 1]});
  }
}

}  // namespace strata::machine
