// SPDX-License-Identifier: Apache-2.0
#include "machine/compute_die.hpp"

#include <fmt/format.h>

#include <optional>

#include "machine/host_path.hpp"

namespace strata::machine {

ComputeDie::ComputeDie(engine::Simulation& simulation, memory::StageNames& stages, const MachineSpec& spec,
                       const fabric::AddressMap& map, engine::Clock clock, engine::Clock core_clock, std::uint8_t index,
                       memory::Sink below)
    : map_(map),
      index_(index),
      partitioned_(spec.l2.partitioned),
      first_host_block_(spec.host ? host_memory_begin(spec) / memory::block_bytes : ~std::uint64_t{0}),
      line_shift_(line_shift(spec.l2.cache)),
      simulation_(simulation),
      below_(below) {
  std::vector<engine::Handler> inputs;
  if (spec.l2.bypass) inputs.assign(spec.l2.slices_per_die, engine::Handler{&ComputeDie::pass, this});
  const auto design = std::make_shared<const cache::CacheDesign>(stages, spec.l2.cache, clock,
                                                                 cache::IndexFunction{&ComputeDie::set_of, this, true});
  for (std::uint32_t s = 0; !spec.l2.bypass && s < spec.l2.slices_per_die; ++s) {
    cache::Cache& slice = slices_.emplace_back(simulation, design, mix(index, s),
                                               partitioned_ ? std::optional<std::uint8_t>(index) : std::nullopt);
    slice.connect(below);
    inputs.push_back(slice.input());
    if (partitioned_)
      from_die_.emplace_back(simulation, fmt::format("die {} slice {} from other dies", index, s), slice.input(),
                             Duration{}, static_cast<std::uint32_t>(spec.l2.cache.input_depth));
  }
  if (spec.l2.cache.prefetcher != cache::no_prefetcher)
    for (cache::Cache& slice : slices_) slice.share_prefetcher(slices_.front(), {&ComputeDie::prefetch, this});
  crossbar_ = std::make_unique<fabric::Crossbar>(
      simulation, clock, spec.crossbar,
      fabric::CrossbarShape{static_cast<std::uint32_t>(spec.dies.cores_per_die),
                            static_cast<std::uint32_t>(spec.dies.cores_per_group),
                            static_cast<std::uint32_t>(spec.l2.slices_per_die), spec.dies.group_sizes,
                            static_cast<std::uint32_t>(spec.dies.cores_per_cluster),
                            static_cast<std::uint32_t>(spec.dies.cluster_run), core_clock},
      inputs, stages, spec.dies.compute > 1 ? fmt::format("die {} crossbar", index) : "crossbar");
}

fabric::Place ComputeDie::place(std::uint64_t block) const {
  if (last_.block != block)
    last_ = {block, partitioned_ && map_.home(block) != index_ ? map_.copy_place(block) : map_.place(block)};
  return last_.place;
}

std::uint64_t ComputeDie::set_of(const void* self, std::uint64_t line) {
  // Lines shorter than a block share its set.
  const auto& die = *static_cast<const ComputeDie*>(self);
  return die.place(line >> die.line_shift_).set;
}

/// Lines of this home are fetched ahead; where the L2 is not partitioned, that is each but the host's.
bool ComputeDie::prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin) {
  auto& die = *static_cast<ComputeDie*>(self);
  const std::uint64_t block = line >> die.line_shift_;
  if (block >= die.first_host_block_ || (die.partitioned_ && die.map_.home(block) != die.index_)) return false;
  return die.slices_[die.place(block).slice].prefetch_soon(line, origin);
}

void ComputeDie::pass(void* self, void* transaction) {
  const auto& die = *static_cast<const ComputeDie*>(self);
  die.below_.take(*static_cast<memory::Transaction*>(static_cast<engine::Message*>(transaction)),
                  die.simulation_.now());
}

void ComputeDie::from_core(memory::Transaction& transaction, std::uint32_t core, Time ready) {
  const fabric::Place to = partitioned_ && transaction.home_die != index_ ? map_.copy_place(transaction.block)
                                                                          : map_.place(transaction.block);
  transaction.bound_for(static_cast<std::uint16_t>(to.slice), to.set);
  crossbar_->send(transaction, core, to.slice, ready);
}

void ComputeDie::from_die(memory::Transaction& transaction) {
  const fabric::Place to = map_.place(transaction.block);
  transaction.bound_for(static_cast<std::uint16_t>(to.slice), to.set);
  from_die_[transaction.slice].hand_over(transaction);
}

void ComputeDie::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  {
    const Scope crossbar(collector, "crossbar");
    crossbar_->collect(collector);
  }
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const Scope slice(collector, fmt::format("{} slice {}", slices_[s].spec().name, s));
    slices_[s].collect(collector);
  }
}

void ComputeDie::collect_ports(std::vector<const engine::Port*>& ports) const {
  for (const engine::Port* port : crossbar_->ports()) ports.push_back(port);
  for (const engine::Port& port : from_die_) ports.push_back(&port);
}

}  // namespace strata::machine
