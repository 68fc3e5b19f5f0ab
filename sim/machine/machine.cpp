// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/invalid_request.hpp"
#include "compute/placement.hpp"
#include "machine/address_maps.hpp"
#include "machine/consistency.hpp"
#include "machine/numa.hpp"
#include "observe/watchdog.hpp"
#include "replacement/table.hpp"

namespace strata::machine {

namespace {

// Widths need ticks much finer than a cycle: a thousandth at the least.
engine::Timebase timebase_of(const MachineSpec& spec) {
  std::vector<std::uint64_t> hertz{spec.clocks.core.value, spec.clocks.l2.value, spec.clocks.fabric.value,
                                   spec.memory.channel.timing.tick_rate().value};
  constexpr std::uint64_t parts = 2520;  // divides by every number up to ten
  const std::uint64_t fastest = *std::max_element(hertz.begin(), hertz.end());
  try {
    if (engine::Timebase(hertz).ticks_per_second() / fastest < parts) hertz.push_back(spec.clocks.core.value * parts);
    return engine::Timebase(hertz);
  } catch (const std::domain_error& error) {
    throw InvalidRequest(
        fmt::format("clocks.core, clocks.l2, clocks.fabric and memory.channel.timing.data_rate: {}", error.what()),
        {"clocks.core", "clocks.l2", "clocks.fabric", "memory.channel.timing.data_rate"},
        "round them, for example to whole MHz");
  }
}

translation::PageTableSpec page_table_of(const MachineSpec& spec) {
  translation::PageTableSpec pages{spec.pages.page, address_space(spec), spec.pages.placement, spec.pages.run,
                                   spec.pages.seed};
  if (has_domains(spec)) {
    pages.domains = static_cast<std::uint32_t>(spec.dies.memory);
    pages.domain = Bytes{domain_bytes(spec)};
    pages.domain_memory = Bytes{spec.memory.size.value / spec.dies.memory};
  }
  return pages;
}

translation::TranslatorShape translator_shape(const MachineSpec& spec) {
  return {static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die),
          static_cast<std::uint32_t>(spec.dies.cores_per_group), static_cast<std::uint32_t>(spec.dies.cores_per_die)};
}

}  // namespace

Machine::Machine(const MachineSpec& spec)
    : spec_(consistent(spec)),
      timebase_(timebase_of(spec)),
      core_clock_(timebase_.clock(spec.clocks.core.value)),
      simulation_(Duration{core_clock_.period().ticks / 8}),
      pages_(page_table_of(spec)),
      translator_(timebase_, core_clock_, spec.translation, translator_shape(spec), stages_),
      l2_map_(l2_map_of(spec)),
      memory_map_(memory_map_of(spec)),
      shared_{simulation_, stages_,     pool_,
              spec_,       core_clock_, pages_,
              translator_, memory_map_, CoreDesigns(stages_, spec_, core_clock_)},
      cores_(spec.dies.compute * spec.dies.cores_per_die) {
  if (spec.event_order.seed != 0) simulation_.shuffle_ties(spec.event_order.seed);
  const engine::Clock l2_clock = timebase_.clock(spec.clocks.l2.value);
  const engine::Clock fabric_clock = timebase_.clock(spec.clocks.fabric.value);
  const auto memory_level = static_cast<std::uint8_t>(levels(trace::Space::global).size() - 1);
  if (spec.host) host_ = std::make_unique<HostPath>(simulation_, timebase_, fabric_clock, spec_, stages_);
  for (std::uint8_t m = 0; m < spec.dies.memory; ++m)
    memory_dies_.emplace_back(simulation_, timebase_, stages_, spec_, memory_map_, fabric_clock, m, memory_level,
                              host_.get());
  for (std::uint8_t d = 0; d < spec.dies.compute; ++d) {
    Below& below = below_.emplace_back(Below{this, d});
    compute_dies_.emplace_back(simulation_, stages_, spec_, l2_map_, l2_clock, core_clock_, d,
                               memory::sink<&Below::take>(below));
  }
  if (spec.dies.compute > 1 || spec.dies.memory > 1) {
    const auto nodes = static_cast<std::uint32_t>(spec.dies.memory + (fused() ? 0 : spec.dies.compute));
    network_ = std::make_unique<fabric::DieNetwork>(simulation_, timebase_, fabric_clock, spec.network, nodes,
                                                    std::span<const std::uint32_t>{}, stages_);
    for (std::uint8_t m = 0; m < spec.dies.memory; ++m) {
      Arrival& arrival = arrivals_.emplace_back(Arrival{this, m});
      network_->attach(m, memory::sink<&Arrival::take>(arrival));
    }
  }
}

std::vector<std::string> Machine::levels(trace::Space space) const {
  if (space == trace::Space::shared) return {"shared memory"};
  const std::string& first = space == trace::Space::scalar    ? spec_.scalar_cache.value().name
                             : space == trace::Space::texture ? spec_.texture_cache.value().name
                                                              : spec_.l1.cache.name;
  std::vector<std::string> names{first};
  if (!spec_.l2.bypass) names.push_back(spec_.l2.cache.name);
  if (spec_.l2.partitioned) names.push_back("far " + spec_.l2.cache.name);
  if (spec_.memory_side_cache) names.push_back(spec_.memory_side_cache->cache.name);
  names.emplace_back("DRAM");
  return names;
}

std::vector<std::uint32_t> Machine::placement(std::string_view policy) const {
  const compute::PlacementPolicy* found =
      compute::find_placement(policy.empty() ? std::string_view(spec_.placement) : policy);
  if (found == nullptr)
    throw InvalidRequest(fmt::format("there is no placement policy '{}'; strata list policies shows them", policy),
                         {"placement"});
  // Blocks of one program fill one logical GPU.
  const auto dies = static_cast<std::uint32_t>(spec_.dies.compute / spec_.dies.logical_gpus);
  const auto cores = static_cast<std::uint32_t>(spec_.dies.cores_per_die);
  const std::vector<std::uint32_t> one =
      found->order({dies, cores, static_cast<std::uint32_t>(spec_.dies.cores_per_group)});
  std::vector<std::uint32_t> all;
  for (std::uint32_t gpu = 0; gpu < spec_.dies.logical_gpus; ++gpu)
    for (const std::uint32_t core : one) all.push_back(gpu * dies * cores + core);
  return all;
}

std::uint32_t Machine::logical_gpu(std::uint32_t core) const {
  return static_cast<std::uint32_t>(core / spec_.dies.cores_per_die * spec_.dies.logical_gpus / spec_.dies.compute);
}

CoreFront& Machine::core(std::uint32_t index) {
  std::unique_ptr<CoreFront>& slot = cores_.at(index);
  if (!slot) {
    const auto die = static_cast<std::uint8_t>(index / spec_.dies.cores_per_die);
    slot = std::make_unique<CoreFront>(shared_, index, compute_dies_[die], die, nearest_domain(index));
    slot->core().watch_atomics(atomic_listener_);
    if (values_ != nullptr) slot->keep_values(*values_);
  }
  return *slot;
}

std::uint32_t Machine::start(std::uint32_t index, trace::WarpStream& stream,
                             const compute::CompletionListener& listener, memory::Journey* journey) {
  compute::Core& chosen = core(index).core();
  chosen.listen(listener);
  chosen.observe(journey);
  chosen.sample(sampler_);
  return chosen.start(stream, simulation_.now());
}

void Machine::start_block(std::uint32_t index, std::unique_ptr<trace::BlockStreams> streams, std::uint32_t warps,
                          Time t, Time origin, const compute::BlockListener& done,
                          const compute::CompletionListener& listener) {
  compute::Core& chosen = core(index).core();
  chosen.listen(listener);
  chosen.sample(sampler_);
  chosen.start_block(std::move(streams), warps, t, origin, done);
}

std::uint64_t Machine::block_of(std::uint32_t core, std::uint32_t warp) const {
  return std::as_const(*cores_[core]).core().block_of(warp);
}

void Machine::sample(memory::JourneySampler* sampler) { sampler_ = sampler; }

void Machine::watch_atomics(const memory::AtomicListener* listener) {
  atomic_listener_ = listener;
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->core().watch_atomics(listener);
  for (ComputeDie& die : compute_dies_)
    for (std::uint32_t slice = 0; slice < die.slices().size(); ++slice) die.slice(slice).watch_atomics(listener);
  for (MemoryDie& die : memory_dies_) die.watch_atomics(listener);
}

void Machine::forget_first_levels() {
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->forget();
}

void Machine::write_back_l2() {
  for (ComputeDie& die : compute_dies_)
    for (std::uint32_t slice = 0; slice < die.slices().size(); ++slice) die.slice(slice).write_back_all();
}

void Machine::forget_l2() {
  for (ComputeDie& die : compute_dies_)
    for (std::uint32_t slice = 0; slice < die.slices().size(); ++slice) die.slice(slice).drop_all();
}

void Machine::split_arrays(const std::string& carve_out) {
  if (carve_out == spec_.l1.carve_out) return forget_first_levels();
  spec_.l1.carve_out = carve_out;
  shared_.designs = CoreDesigns(stages_, spec_, core_clock_);
  // Built again at the next use. What they asked for is still part of the balance.
  for (std::unique_ptr<CoreFront>& core : cores_) {
    if (!core) continue;
    core->visit_caches([&](const cache::Cache& cache) { of_former_cores_.leaves(cache.statistics()); });
    of_former_cores_.answered_on_the_way(core->loads_of_victims(), core->sectors_of_victims());
    core.reset();
  }
}

bool Machine::run() {
  simulation_.run();
  if (!simulation_.idle()) return false;
  std::vector<const engine::Port*> ports;
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->collect_ports(ports);
  for (const ComputeDie& die : compute_dies_) die.collect_ports(ports);
  for (const MemoryDie& die : memory_dies_) die.collect_ports(ports);
  if (network_)
    for (const engine::Port* port : network_->ports()) ports.push_back(port);
  if (host_)
    for (const engine::Port* port : host_->ports()) ports.push_back(port);
  observe::require_drained(ports, pool_.alive());
  require_balance();
  return true;
}

std::uint32_t Machine::node_of(std::uint8_t compute_die) const {
  return fused() ? compute_die : static_cast<std::uint32_t>(spec_.dies.memory + compute_die);
}

void Machine::below_l2(memory::Transaction& transaction, Time ready, std::uint8_t die) {
  if (transaction.home_die == memory::Transaction::not_told)
    transaction.home_die = static_cast<std::uint8_t>(memory_map_.home(transaction.block));
  if (network_ == nullptr || (fused() && transaction.home_die == die)) {
    memory_dies_[transaction.home_die].take(transaction, ready);
    return;
  }
  network_->send(transaction, node_of(die), ready);
}

void Machine::at_home(memory::Transaction& transaction, Time ready, std::uint8_t die) {
  transaction.deepest = 2;
  if (spec_.l2.partitioned) {
    compute_dies_[die].from_die(transaction);
  } else {
    memory_dies_[die].take(transaction, ready);
  }
}

void Machine::touch(std::uint32_t index, std::uint64_t address, std::uint64_t bytes, trace::Space space,
                    memory::CacheOperator cache_operator, Reach reach, memory::Operation operation) {
  CoreFront& front = core(index);
  const std::uint64_t last = address + bytes - 1;
  for (std::uint64_t block = address / memory::block_bytes; block <= last / memory::block_bytes; ++block) {
    memory::SectorMask sectors = 0;
    for (unsigned s = 0; s < memory::sectors_per_block; ++s) {
      const std::uint64_t sector = block * memory::sectors_per_block + s;
      if (sector >= address / memory::sector_bytes && sector <= last / memory::sector_bytes)
        sectors = static_cast<memory::SectorMask>(sectors | (1U << s));
    }
    const cache::TouchRequest request =
        front.touch(block, sectors, space, cache_operator, reach == Reach::every_level, operation);
    if (request.sectors != 0) touch_l2(request, compute_dies_[front.die()], front.die());
  }
}

void Machine::touch_l2(const cache::TouchRequest& request, ComputeDie& die, std::uint8_t die_index) {
  if (spec_.l2.bypass) return memory_dies_[request.home_die].touch(request);
  const cache::Touch touch = die.slice(die.place(request.block).slice).touch(request);
  const auto below = [&](const cache::TouchRequest& next) {
    if (spec_.l2.partitioned && next.home_die != die_index)
      touch_l2(next, compute_dies_[next.home_die], next.home_die);
    else
      memory_dies_[next.home_die].touch(next);
  };
  if (touch.surplus != nullptr)
    for (const cache::SurplusVictim& victim : *touch.surplus)
      below({victim.block, victim.dirty, memory::Operation::writeback, request.cache_operator,
             static_cast<std::uint8_t>(memory_map_.home(victim.block))});
  if (touch.below != 0)
    below({request.block, touch.below, touch.below_operation, request.cache_operator, request.home_die});
  if (touch.victim_dirty != 0)
    below({touch.victim_block, touch.victim_dirty, memory::Operation::writeback, request.cache_operator,
           static_cast<std::uint8_t>(memory_map_.home(touch.victim_block))});
}

void Machine::expect(std::uint32_t index, std::uint64_t address) {
  if (pages_.by_access()) return;  // looking would place the page
  CoreFront& front = core(index);
  const std::uint64_t block = front.block(address / memory::block_bytes);
  ComputeDie& die = compute_dies_[front.die()];
  if (!spec_.l2.bypass) die.slice(die.place(block).slice).expect(block);
  if ((spec_.dies.memory == 1 && !spec_.memory_side_cache) || (host_ && host_->holds(block))) return;
  const std::uint32_t home = memory_map_.home(block);
  if (spec_.memory_side_cache) {
    memory_dies_[home].slice(block)->expect(block);
  } else if (home != front.die()) {
    ComputeDie& other = compute_dies_[home];
    other.slice(other.place(block).slice).expect(block);
  }
}

std::uint64_t Machine::first_level_lines(trace::Space space) const {
  switch (space) {
    case trace::Space::scalar:
      return spec_.scalar_cache.value().lines();
    case trace::Space::texture:
      return spec_.texture_cache.value().lines();
    default:
      return spec_.l1.chosen().lines();
  }
}

std::uint64_t Machine::warm_up_touches() const {
  // Recency alone decides what an LRU cache holds: twice its lines pass every
  // set where the index is balanced, two and a half times behind a hash that is
  // not. Where a policy forgets by the factor e for each capacity that passes,
  // eight leave less than a thousandth.
  bool bounded = replacement::ReplacementTable::forgets(spec_.l1.chosen().replacement) != replacement::Forgets::never &&
                 !spec_.translation.may_keep_entries();
  const auto forgotten_after = [&](const cache::CacheSpec& cache, const IndexSpec& index) {
    const replacement::Forgets forgets = replacement::ReplacementTable::forgets(cache.replacement);
    if (forgets == replacement::Forgets::never) bounded = false;
    if (forgets != replacement::Forgets::by_recency) return cache.most_lines() * 8;
    return index.policy == "balanced" ? cache.most_lines() * 2 : cache.most_lines() * 5 / 2;
  };
  std::uint64_t touches = 0;
  if (!spec_.l2.bypass)
    touches += forgotten_after(spec_.l2.cache, spec_.l2.index) * spec_.l2.slices_per_die *
               (spec_.l2.partitioned ? spec_.dies.compute : 1);
  if (const auto& side = spec_.memory_side_cache)
    touches += forgotten_after(side->cache, side->index) * side->slices_per_die * spec_.dies.memory;
  return bounded ? touches + 8 * spec_.l1.chosen().most_lines() : all_touches;
}

std::uint64_t Machine::settling_touches() const {
  std::uint64_t entries = 0;
  const auto add = [&](const cache::CacheSpec& cache, std::uint64_t count) {
    if (replacement::ReplacementTable::forgets(cache.replacement) != replacement::Forgets::by_recency)
      entries = std::max(entries, cache.most_lines() * count);
  };
  add(spec_.l1.chosen(), 1);
  if (spec_.scalar_cache) add(*spec_.scalar_cache, 1);
  if (spec_.texture_cache) add(*spec_.texture_cache, 1);
  if (!spec_.l2.bypass) add(spec_.l2.cache, spec_.l2.slices_per_die * (spec_.l2.partitioned ? spec_.dies.compute : 1));
  if (const auto& side = spec_.memory_side_cache) add(side->cache, side->slices_per_die * spec_.dies.memory);
  for (const translation::TlbLevelSpec& level : spec_.translation.levels)
    if (replacement::ReplacementTable::forgets(level.replacement) != replacement::Forgets::by_recency)
      entries = std::max<std::uint64_t>(entries, level.entries);
  return 16 * entries;
}

std::uint64_t Machine::local_memory(std::uint32_t core) const {
  const std::uint64_t domain = domain_bytes(spec_);
  return domain == 0 ? 0 : homes_by_distance(core).nearest * domain;
}

std::uint32_t Machine::nearest_domain(std::uint32_t core) const {
  return has_domains(spec_) ? homes_by_distance(core).nearest : 0;
}

void Machine::place_pages(const trace::Region& region, std::uint32_t memory_die) {
  if (!has_domains(spec_))
    throw InvalidRequest(
        fmt::format("an array is to lie in memory die {}, and the memory of {} is interleaved over its dies",
                    memory_die, spec_.name),
        {"memory.interleave"}, "set memory.interleave=per_die and pages.placement=contiguous");
  if (memory_die >= spec_.dies.memory)
    throw InvalidRequest(
        fmt::format("an array is to lie in memory die {}, and {} has {}", memory_die, spec_.name, spec_.dies.memory),
        {"dies.memory"});
  try {
    pages_.assign(region.first, region.bytes, memory_die);
  } catch (const std::out_of_range& error) {
    throw InvalidRequest(error.what(), {"memory.size"});
  }
}

Machine::Homes Machine::homes_by_distance(std::uint32_t core) const {
  Homes homes;
  if (network_ == nullptr) return homes;
  const std::uint32_t node = node_of(static_cast<std::uint8_t>(core / spec_.dies.cores_per_die));
  for (std::uint32_t m = 1; m < spec_.dies.memory; ++m) {
    if (network_->flight(node, m) < network_->flight(node, homes.nearest)) homes.nearest = m;
    if (network_->flight(node, homes.farthest) < network_->flight(node, m)) homes.farthest = m;
  }
  return homes;
}

Duration Machine::flight(std::uint32_t first, std::uint32_t second) const {
  if (network_ == nullptr) return {};
  const auto node = [this](std::uint32_t core) {
    return node_of(static_cast<std::uint8_t>(core / spec_.dies.cores_per_die));
  };
  return network_->flight(node(first), node(second));
}

std::uint64_t Machine::host_memory() const {
  if (!host_)
    throw InvalidRequest(fmt::format("{} has no link to a host's memory: host is none", spec_.name), {"host"});
  return host_memory_begin(spec_);
}

Machine::Whereabouts Machine::whereabouts(std::uint32_t index, std::uint64_t address) const {
  Whereabouts found;
  const std::uint64_t block = pages_.block_for(address / memory::block_bytes, nearest_domain(index));
  const ComputeDie& die = compute_dies_[index / spec_.dies.cores_per_die];
  const fabric::Place place = die.place(block);
  found.physical = block * memory::block_bytes + address % memory::block_bytes;
  found.home_die = memory_map_.home(block);
  found.slice = place.slice;
  found.set = place.set;
  found.channel = memory_map_.channel_block(block).channel;
  found.memory_slice = memory_map_.place(block).slice;
  return found;
}

}  // namespace strata::machine
