// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/core_front.hpp"
#include "machine/blocks/host_path.hpp"
#include "machine/layout/shapes.hpp"
#include "machine/levels.hpp"

#include <fmt/format.h>

namespace strata::machine {

CoreDesigns::CoreDesigns(memory::StageNames& stages, const MachineSpec& spec, engine::Clock clock) {
  // First-level caches are indexed by bits of the line number, without a hash.
  const auto design = [&](const cache::CacheSpec& of) {
    return std::make_shared<const cache::CacheDesign>(stages, of, clock, cache::IndexFunction{});
  };
  l1 = design(spec.l1.chosen());
  if (spec.scalar_cache) scalar = design(*spec.scalar_cache);
  if (spec.second_scalar_cache) {
    second_scalar = design(*spec.second_scalar_cache);
    second_scalar_level = static_cast<std::uint8_t>(level_names(spec, trace::Space::scalar).size() - 1);
  }
  if (spec.texture_cache) texture = design(*spec.texture_cache);
}

CoreFront::CoreFront(const Shared& shared, std::uint32_t index, ComputeDie& die, std::uint8_t die_index,
                     std::uint32_t domain)
    : shared_(shared),
      memo_(shared.spec.pages.page,
            shared.spec.host ? host_memory_begin(shared.spec) / memory::block_bytes : ~std::uint64_t{0}),
      domain_(domain),
      die_(die),
      within_die_(index % static_cast<std::uint32_t>(shared.spec.dies.cores_per_die)),
      core_(shared.simulation, shared.spec.core, shared.core_clock, index, die_index, shared.pool, shared.stages),
      levels_(shared.simulation, shared.of_core, fmt::format("core {}", index), index,
              memory::sink<&CoreFront::into_die>(*this),
              {[](void* self, const cache::TouchRequest& request) {
                 const auto& front = *static_cast<CoreFront*>(self);
                 front.die_.touch(request, front.within_die_);
               },
               this}),
      l1_(shared.simulation, shared.designs.l1, index) {
  const memory::Sink below = memory::sink<&CoreFront::leave>(*this);
  l1_.connect(below);
  if (const auto& spec = shared.spec.l1.victim_cache) {
    victims_.emplace(shared.simulation, shared.stages, *spec, shared.core_clock);
    victims_->connect(below);
    l1_.connect(memory::sink<&cache::VictimCache::take>(*victims_));
    l1_.on_eviction([](void* self, std::uint64_t block,
                       memory::SectorMask valid) { static_cast<cache::VictimCache*>(self)->evicted(block, valid); },
                    &*victims_);
  }
  compute::CoreOutlets outlets;
  outlets.global = way_into(l1_);
  if (shared.designs.scalar != nullptr) {
    scalar_.emplace(shared.simulation, shared.designs.scalar, index);
    scalar_->connect(below);
    if (shared.designs.second_scalar != nullptr) {
      second_scalar_.emplace(shared.simulation, shared.designs.second_scalar, index);
      second_scalar_->connect(below);
      scalar_->connect(memory::sink<&CoreFront::to_second_scalar>(*this));
      core_.load_store_unit().stands_behind_first(shared.designs.second_scalar_level);
    }
    outlets.scalar = way_into(*scalar_);
  }
  if (shared.designs.texture != nullptr) {
    texture_.emplace(shared.simulation, shared.designs.texture, index);
    texture_->connect(below);
    outlets.texture = way_into(*texture_);
  }
  if (shared.spec.core.bulk_copy) outlets.bulk = {&CoreFront::copy_in, this, nullptr};
  core_.connect(outlets);
  if (shared.cluster != nullptr) core_.join(*shared.cluster);
  if (shared.instruction_caches != nullptr)
    core_.connect(compute::CodeSource{&CoreFront::code_present, &CoreFront::fetch_code, this,
                                      shared.instruction_caches->request()});
}

compute::Outlet CoreFront::way_into(cache::Cache& first) {
  WayIn& way =
      ways_in_.emplace_back(*this, shared_.simulation, fmt::format("core {} to {}", core_.index(), first.spec().name),
                            first.input(), first_level_depth(shared_.spec, first.spec()));
  return {&WayIn::take, &way, &way.port};
}

void CoreFront::WayIn::take(void* self, memory::Transaction& transaction, Time departs, Duration underway) {
  auto& way = *static_cast<WayIn*>(self);
  CoreFront& front = way.front;
  transaction.block = front.block(transaction.virtual_block);
  if (front.shared_.spec.translate_before_l1)
    underway = front.shared_.translator.translate(front.core_.index(), transaction.virtual_block, departs + underway,
                                                  transaction.journey) -
               departs;
  way.port.send(transaction, departs, Duration{}, underway);
}

void CoreFront::copy_in(void* self, memory::Transaction& transaction, Time departs, Duration underway) {
  auto& front = *static_cast<CoreFront*>(self);
  transaction.block = front.block(transaction.virtual_block);
  Time ready = departs + underway;
  if (front.shared_.spec.translate_before_l1)
    ready =
        front.shared_.translator.translate(front.core_.index(), transaction.virtual_block, ready, transaction.journey);
  front.bulk_copies_.count(transaction);
  front.leave(transaction, ready);
}

void CoreFront::collect_ports(std::vector<const engine::Port*>& ports) const {
  for (const WayIn& way : ways_in_) ports.push_back(&way.port);
  levels_.collect_ports(ports);
}

bool CoreFront::code_present(void* self, memory::Transaction& request) {
  auto& front = *static_cast<CoreFront*>(self);
  request.virtual_block = front.shared_.code.block(request.virtual_block);
  request.block = front.block(request.virtual_block);
  if (front.instruction_cache_ == nullptr) {
    front.instruction_cache_ = &front.shared_.instruction_caches->of_core(front.core_.index());
    front.instruction_cache_->join(front.core_.index(), memory::sink<&CoreFront::leave_code>(front));
  }
  return front.instruction_cache_->present(request);
}

void CoreFront::fetch_code(void* self, memory::Transaction& request) {
  static_cast<CoreFront*>(self)->instruction_cache_->fetch(request);
}

void CoreFront::leave(memory::Transaction& transaction, Time ready) {
  if (!shared_.spec.translate_before_l1)
    ready = shared_.translator.translate(core_.index(), transaction.virtual_block, ready, transaction.journey);
  to_levels(transaction, ready);
}

void CoreFront::leave_code(memory::Transaction& transaction, Time ready) {
  to_levels(transaction, shared_.translator.translate(core_.index(), transaction.virtual_block, ready, nullptr));
}

void CoreFront::to_levels(memory::Transaction& transaction, Time ready) {
  transaction.home_die = static_cast<std::uint8_t>(shared_.home_map.home(transaction.block));
  if (levels_.empty()) return into_die(transaction, ready);
  levels_.take(transaction, ready);
}

cache::Cache* CoreFront::first_of(trace::Space space) {
  switch (space) {
    case trace::Space::scalar:
      return &*scalar_;
    case trace::Space::texture:
      return &*texture_;
    case trace::Space::bulk:
      return nullptr;
    default:
      return &l1_;
  }
}

void CoreFront::touch(std::uint64_t virtual_block, memory::SectorMask sectors, trace::Space space,
                      memory::CacheOperator cache_operator, bool through_first, memory::Operation operation) {
  cache::Cache* const first = first_of(space);
  const bool load = operation == memory::Operation::load;
  cache::TouchRequest request;
  request.block = block(virtual_block);
  request.sectors = sectors;
  request.cache_operator = cache_operator;
  request.operation = operation;
  if (shared_.spec.translate_before_l1) shared_.translator.touch(core_.index(), virtual_block);
  if (first != nullptr)
    request.sectors = through_first ? first->touch(request).below
                      : load        ? first->design().fill_groups.touched(sectors)
                                    : sectors;
  if (request.sectors == 0) return;
  if (second_scalar_ && space == trace::Space::scalar) request.sectors = second_scalar_->touch(request).below;
  if (request.sectors == 0) return;
  if (victims_ && first == &l1_ &&
      victims_->touch(request.block, request.sectors, load && cache_operator == memory::CacheOperator::ca))
    return;
  request.home_die = static_cast<std::uint8_t>(shared_.home_map.home(request.block));
  if (!shared_.spec.translate_before_l1) shared_.translator.touch(core_.index(), virtual_block);
  levels_.touch(request);
}

void CoreFront::first_levels_leave(SectorFlow& flow) const {
  visit_caches([&](const cache::Cache& first) { flow.leaves(first.statistics()); });
  if (second_scalar_) {
    flow.enters(second_scalar_->statistics());
    flow.leaves(second_scalar_->statistics());
  }
  if (victims_) flow.answered_on_the_way(victims_->loads_returned(), victims_->sectors_returned());
  flow.leaves(bulk_copies_);
}

void CoreFront::leaves(SectorFlow& flow) const {
  if (levels_.empty()) return first_levels_leave(flow);
  const CacheLevel& last = levels_.levels().back();
  for (const cache::Cache& slice : last.slices()) flow.leaves(slice.statistics());
  flow.leaves(last.passed_by());
}

void CoreFront::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  const Scope core(collector, fmt::format("core {}", core_.index()), stats::Owner::core);
  {
    const Scope own(collector, stats::Block::core);
    core_.collect(collector);
  }
  const auto collect_cache = [&](const cache::Cache& of_core) {
    const Scope scope(collector, of_core.spec().name, stats::Block::cache, of_core.spec().name);
    of_core.collect(collector);
  };
  visit_caches(collect_cache);
  if (second_scalar_) collect_cache(*second_scalar_);
  if (victims_) {
    const Scope scope(collector, "victim cache", stats::Block::cache, "victim cache");
    victims_->collect(collector);
  }
  levels_.collect(collector);
}

}  // namespace strata::machine
