// SPDX-License-Identifier: Apache-2.0
#include "machine/core_front.hpp"

namespace strata::machine {

CoreFront::CoreFront(const Shared& shared, std::uint32_t index, ComputeDie& die,
                     std::uint8_t die_index)
    : shared_(shared),
      memo_(shared.spec.pages.page),
      die_(die),
      within_die_(index % static_cast<std::uint32_t>(shared.spec.dies.cores_per_die)),
      core_(shared.simulation, shared.spec.core, shared.core_clock, index, die_index, shared.pool,
            shared.stages),
      l1_(shared.simulation, shared.stages, shared.spec.l1.chosen(), shared.core_clock,
          cache::IndexFunction{&CoreFront::set_of, &l1_}, index) {
  const memory::Sink below = memory::sink<&CoreFront::leave>(*this);
  l1_.connect(below);
  compute::CoreOutlets outlets;
  outlets.global = memory::sink<&CoreFront::into_global>(*this);
  if (const auto& spec = shared.spec.scalar_cache) {
    scalar_.emplace(shared.simulation, shared.stages, *spec, shared.core_clock,
                    cache::IndexFunction{&CoreFront::set_of, &*scalar_}, index);
    scalar_->connect(below);
    outlets.scalar = memory::sink<&CoreFront::into_scalar>(*this);
  }
  if (const auto& spec = shared.spec.texture_cache) {
    texture_.emplace(shared.simulation, shared.stages, *spec, shared.core_clock,
                     cache::IndexFunction{&CoreFront::set_of, &*texture_}, index);
    texture_->connect(below);
    outlets.texture = memory::sink<&CoreFront::into_texture>(*this);
  }
  core_.connect(outlets);
}

// First-level caches are indexed by bits of the line number alone: no hash
// spreads their lines.
std::uint64_t CoreFront::set_of(const void* cache, std::uint64_t line) {
  return static_cast<const cache::Cache*>(cache)->natural_set(line);
}

void CoreFront::enter(memory::Transaction& transaction, Time ready, cache::Cache& first) {
  transaction.block = block(transaction.virtual_block);
  if (shared_.spec.translate_before_l1)
    ready = shared_.translator.translate(core_.index(), transaction.virtual_block, ready,
                                         transaction.journey);
  first.take(transaction, ready);
}

void CoreFront::leave(memory::Transaction& transaction, Time ready) {
  transaction.deepest = 1;
  transaction.home_die = static_cast<std::uint8_t>(shared_.home_map.home(transaction.block));
  if (!shared_.spec.translate_before_l1)
    ready = shared_.translator.translate(core_.index(), transaction.virtual_block, ready,
                                         transaction.journey);
  die_.from_core(transaction, within_die_, ready);
}

cache::TouchRequest CoreFront::touch(std::uint64_t virtual_block, memory::SectorMask sectors,
                                     trace::Space space, memory::CacheOperator cache_operator,
                                     bool through_first) {
  cache::Cache& first = space == trace::Space::scalar    ? *scalar_
                        : space == trace::Space::texture ? *texture_
                                                         : l1_;
  cache::TouchRequest request;
  request.block = block(virtual_block);
  request.sectors = sectors;
  request.cache_operator = cache_operator;
  if (shared_.spec.translate_before_l1) shared_.translator.touch(core_.index(), virtual_block);
  request.sectors = through_first ? first.touch(request).below : first.fetched_for(sectors);
  if (request.sectors != 0) {
    request.home_die = static_cast<std::uint8_t>(shared_.home_map.home(request.block));
    if (!shared_.spec.translate_before_l1) shared_.translator.touch(core_.index(), virtual_block);
  }
  return request;
}

}  // namespace strata::machine
