// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/compute_die.hpp"

#include <fmt/format.h>

#include <optional>

#include "machine/blocks/host_path.hpp"
#include "machine/layout/shapes.hpp"

namespace strata::machine {

namespace {

std::uint8_t number_of_l2(const MachineSpec& spec) {
  // Without an L2, the level that follows, or memory.
  std::uint8_t number = 1;
  for (const Level& level : levels_of(spec))
    if (level.shared_by == Sharers::core || level.shared_by == Sharers::group) ++number;
  return number;
}

}  // namespace

ComputeDie::ComputeDie(engine::Simulation& simulation, memory::StageNames& stages, const MachineSpec& spec,
                       const DieDesign& design, engine::Clock clock, engine::Clock core_clock, std::uint8_t index,
                       const DieSinks& sinks)
    : map_(design.map),
      dies_(spec.dies),
      index_(index),
      l2_number_(number_of_l2(spec)),
      partitioned_(spec.l2.partitioned),
      first_host_block_(spec.host ? host_memory_begin(spec) / memory::block_bytes : ~std::uint64_t{0}),
      lines_(spec.l2.cache),
      simulation_(simulation),
      below_l2_(sinks.below_l2),
      touch_below_l2_(sinks.touch_below_l2),
      behind_l2_(simulation, design.behind_l2, fmt::format("die {}", index), index, sinks.below_die,
                 sinks.touch_below_die) {
  if (has_probe_filter(spec)) master_.emplace(simulation, index, first_host_block_, below_l2_);
  std::vector<engine::Handler> inputs;
  if (spec.l2.bypass) inputs.assign(spec.l2.slices_per_die, engine::Handler{&ComputeDie::pass, this});
  const auto slice_design = std::make_shared<const cache::CacheDesign>(
      stages, spec.l2.cache, clock, cache::IndexFunction{&ComputeDie::set_of, this, true});
  for (std::uint32_t s = 0; !spec.l2.bypass && s < spec.l2.slices_per_die; ++s) {
    cache::Cache& slice = slices_.emplace_back(simulation, slice_design, mix(index, s),
                                               partitioned_ ? std::optional<std::uint8_t>(index) : std::nullopt);
    slice.connect(master_ ? memory::sink<&cache::CoherentMaster::take>(*master_) : below_l2_);
    inputs.push_back(slice.input());
    if (partitioned_)
      from_die_.emplace_back(simulation, fmt::format("die {} slice {} from other dies", index, s), slice.input(),
                             Duration{}, static_cast<std::uint32_t>(spec.l2.cache.input_depth));
  }
  if (spec.l2.cache.prefetcher != cache::no_prefetcher)
    for (cache::Cache& slice : slices_) slice.share_prefetcher(slices_.front(), {&ComputeDie::prefetch, this});
  build_groups(design);
  fabric::CrossbarShape shape = crossbar_shape(spec);
  shape.source_clock = core_clock;
  crossbar_ =
      std::make_unique<fabric::Crossbar>(simulation, clock, spec.crossbar, shape, inputs, stages,
                                         spec.dies.compute > 1 ? fmt::format("die {} crossbar", index) : "crossbar");
}

void ComputeDie::build_groups(const DieDesign& design) {
  if (design.of_group.empty()) return;
  has_groups_ = true;
  for (std::uint32_t g = 0; g < groups_of_die(dies_); ++g) {
    GroupEnd& end = group_ends_.emplace_back(GroupEnd{*this, g});
    groups_.emplace_back(simulation_, design.of_group, fmt::format("die {} group {}", index_, g),
                         static_cast<std::uint32_t>(mix(index_, g)), memory::sink<&GroupEnd::take>(end),
                         TouchSink{[](void* self, const cache::TouchRequest& request) {
                                     static_cast<ComputeDie*>(self)->touch_l2(request);
                                   },
                                   this});
  }
}

void ComputeDie::keep_values(memory::Values& values) {
  crossbar_->keep_values(&values);
  visit_caches([&](cache::Cache& cache) { cache.keep_values(&values); });
}

fabric::Place ComputeDie::place(std::uint64_t block) const {
  if (last_.block != block)
    last_ = {block, partitioned_ && map_.home(block) != index_ ? map_.copy_place(block)
                                                               : map_.place(lines_.from_block(block))};
  return last_.place;
}

std::uint64_t ComputeDie::set_of(const void* self, std::uint64_t line) {
  // Lines shorter than a block share its set.
  const auto& die = *static_cast<const ComputeDie*>(self);
  return die.place(die.lines_.from_line(line) << die.lines_.of_block).set;
}

// Lines of this home are prefetched; if the L2 is not partitioned, these are all lines except the
// host's.
bool ComputeDie::prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin) {
  auto& die = *static_cast<ComputeDie*>(self);
  const std::uint64_t block = die.lines_.from_line(line);
  if (block >= die.first_host_block_ || (die.partitioned_ && die.map_.home(block) != die.index_)) return false;
  return die.slices_[die.place(block).slice].prefetch_soon(line, origin);
}

void ComputeDie::pass(void* self, void* transaction) {
  const auto& die = *static_cast<const ComputeDie*>(self);
  die.below_l2_.take(*static_cast<memory::Transaction*>(static_cast<engine::Message*>(transaction)),
                     die.simulation_.now());
}

inline void ComputeDie::into_crossbar(memory::Transaction& transaction, std::uint32_t source, Time ready) {
  transaction.serviced_level = l2_number_;
  const fabric::Place to = partitioned_ && transaction.home_die != index_
                               ? map_.copy_place(transaction.block)
                               : map_.place(lines_.from_block(transaction.block));
  transaction.set_destination(static_cast<std::uint16_t>(to.slice), to.set);
  crossbar_->send(transaction, source, to.slice, ready);
}

void ComputeDie::connect(cache::ParcelSink network, const cache::CoherentMaster::Homes& homes, std::uint32_t node) {
  master_->connect({[](void* self, std::uint64_t block) -> cache::Cache& {
                      auto& die = *static_cast<ComputeDie*>(self);
                      return die.slices_[die.place(block).slice];
                    },
                    this},
                   network, homes, node);
  for (cache::Cache& slice : slices_) {
    cache::ProbedCache(slice).track(master_->copies());
    slice.on_eviction([](void* self, std::uint64_t block,
                         memory::SectorMask) { static_cast<cache::CoherentMaster*>(self)->gone(block); },
                      &*master_);
  }
}

void ComputeDie::from_core(memory::Transaction& transaction, std::uint32_t core, Time ready) {
  if (has_groups_) return groups_[group_of(dies_, core)].take(transaction, ready);
  into_crossbar(transaction, core, ready);
}

void ComputeDie::touch(const cache::TouchRequest& request, std::uint32_t core) {
  if (groups_.empty()) return touch_l2(request);
  groups_[group_of(dies_, core)].touch(request);
}

void ComputeDie::from_die(memory::Transaction& transaction) {
  transaction.serviced_level = static_cast<std::uint8_t>(l2_number_ + 1);
  const fabric::Place to = map_.place(transaction.block);
  transaction.set_destination(static_cast<std::uint16_t>(to.slice), to.set);
  from_die_[transaction.slice].hand_over(transaction);
}

void ComputeDie::touch_l2(const cache::TouchRequest& request) {
  if (slices_.empty()) return touch_below_l2_.touch(request);
  const fabric::Place at = place(request.block);
  const cache::Touch touch = slices_[at.slice].touch(request, at.set);
  cache::pass_on(request, touch, [this](const cache::TouchRequest& below) { touch_below_l2_.touch(below); });
}

void ComputeDie::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  {
    const Scope crossbar(collector, "crossbar", stats::Block::crossbar);
    crossbar_->collect(collector);
  }
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const std::string& level = slices_[s].spec().name;
    const Scope slice(collector, fmt::format("{} slice {}", level, s), stats::Block::cache, level);
    slices_[s].collect(collector);
  }
  if (master_) {
    const Scope master(collector, "coherent master", stats::Block::coherent_master);
    master_->collect(collector);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Scope group(collector, fmt::format("group {}", g), stats::Owner::group);
    groups_[g].collect(collector);
  }
  behind_l2_.collect(collector);
}

void ComputeDie::collect_ports(std::vector<const engine::Port*>& ports) const {
  for (const engine::Port* port : crossbar_->ports()) ports.push_back(port);
  for (const engine::Port& port : from_die_) ports.push_back(&port);
  for (const CacheLevels& group : groups_) group.collect_ports(ports);
  behind_l2_.collect_ports(ports);
}

}  // namespace strata::machine
