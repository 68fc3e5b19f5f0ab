// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/instruction_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/levels.hpp"

namespace strata::machine {

InstructionCache::InstructionCache(engine::Simulation& simulation, const cache::SharedDesign& design,
                                   std::uint32_t number, std::uint32_t first_core, std::uint32_t cores)
    : simulation_(simulation),
      number_(number),
      first_core_(first_core),
      ways_out_(cores),
      cache_(simulation, design, number),
      port_(simulation, fmt::format("cores to {} {}", cache_.spec().name, number), cache_.input(), Duration{},
            static_cast<std::uint32_t>(cache_.spec().input_depth)) {
  cache_.connect(memory::sink<&InstructionCache::leave>(*this));
}

InstructionCaches::InstructionCaches(engine::Simulation& simulation, memory::StageNames& stages,
                                     const MachineSpec& spec, engine::Clock clock)
    : simulation_(simulation),
      design_(std::make_shared<const cache::CacheDesign>(stages, spec.instruction_cache->cache, clock,
                                                         cache::IndexFunction{})),
      cores_of_die_(static_cast<std::uint32_t>(spec.dies.cores_per_die)),
      sharing_(static_cast<std::uint32_t>(spec.instruction_cache->cores)),
      of_die_(static_cast<std::uint32_t>(instruction_caches_of_die(spec))),
      request_(std::min(spec.instruction_cache->cache.line, spec.core.load_store.request)),
      caches_(spec.dies.compute * of_die_) {}

InstructionCache& InstructionCaches::of_core(std::uint32_t core) {
  const std::uint32_t die = core / cores_of_die_;
  const std::uint32_t within = core % cores_of_die_ / sharing_;
  const std::uint32_t number = die * of_die_ + within;
  std::unique_ptr<InstructionCache>& slot = caches_[number];
  if (!slot)
    slot = std::make_unique<InstructionCache>(simulation_, design_, number, die * cores_of_die_ + within * sharing_,
                                              sharing_);
  return *slot;
}

void InstructionCaches::drop(SectorFlow& flow) {
  visit([&flow](const InstructionCache& each) { flow.leaves(each.cache().statistics()); });
  for (std::unique_ptr<InstructionCache>& each : caches_) each.reset();
}

void InstructionCaches::collect(stats::Collector& collector) const {
  visit([&collector](const InstructionCache& each) {
    const std::string& name = each.cache().spec().name;
    const stats::Collector::Scope scope(collector, fmt::format("{} {}", name, each.number()), stats::Block::cache,
                                        name);
    each.cache().collect(collector);
  });
}

}  // namespace strata::machine
