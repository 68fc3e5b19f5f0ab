// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/invalid_request.hpp"
#include "compute/placement.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/layout/address_maps.hpp"
#include "machine/layout/numa.hpp"
#include "machine/layout/shapes.hpp"
#include "machine/levels.hpp"
#include "observe/watchdog.hpp"

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
    pages.domain_memory = memory_of_die(spec);
  }
  return pages;
}

// No request may span two lines of a cache below the first.
MachineSpec with_requests(MachineSpec spec) {
  for (const Level& level : levels_of(spec))
    spec.core.load_store.request = std::min(spec.core.load_store.request, level.cache->line);
  return spec;
}

Bytes row_of(const MachineSpec& spec) {
  return {spec.core.shared_memory.banks * spec.core.shared_memory.bank_width.value};
}

std::uint32_t cores_of(const MachineSpec& spec) {
  return static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die);
}

}  // namespace

Machine::OfProcess::OfProcess(Machine& machine, engine::Simulation& simulation)
    : translator(machine.timebase_, machine.core_clock_, machine.spec_.translation, translator_shape(machine.spec_),
                 machine.stages_),
      l2_map(l2_map_of(machine.spec_)),
      memory_map(memory_map_of(machine.spec_)),
      core_designs(machine.stages_, machine.spec_, machine.core_clock_),
      die{l2_map, {}, {}},
      core{simulation, machine.stages_, pool,         machine.spec_, machine.core_clock_, machine.pages_,
           translator, memory_map,      core_designs, of_core,       machine.code_} {
  const MachineSpec& spec = machine.spec_;
  if (spec.core.cluster) {
    const compute::ClusterMembers members{
        &machine,
        [](void* self, std::uint32_t index) -> compute::LoadStoreUnit& {
          return static_cast<Machine*>(self)->core(index).core().load_store_unit();
        },
        [](void* self, std::uint32_t index) { return next_in_group(static_cast<Machine*>(self)->spec().dies, index); }};
    core.cluster = &cluster.emplace(simulation, *spec.core.cluster, row_of(spec), machine.core_clock_, cores_of(spec),
                                    machine.stages_, members);
  }
  if (spec.instruction_cache)
    core.instruction_caches = &instruction_caches.emplace(simulation, machine.stages_, spec, machine.core_clock_);
  const std::uint64_t first_host_block = spec.host ? host_memory_begin(spec) / memory::block_bytes : ~std::uint64_t{0};
  for (const Level& level : machine.levels_) {
    if (level.is_l2()) continue;
    LevelDesigns& of_sharers = level.shared_by == Sharers::core    ? of_core
                               : level.shared_by == Sharers::group ? die.of_group
                               : level.shared_by == Sharers::die   ? die.behind_l2
                                                                   : of_memory_die;
    of_sharers.push_back(
        &levels.emplace_back(machine.timebase_, machine.stages_, level, level_map_of(spec, level), first_host_block));
  }
}

Machine::Machine(const MachineSpec& spec, Division division)
    : spec_(with_requests(consistent(spec))),
      levels_(levels_of(spec_)),
      timebase_(timebase_of(spec)),
      core_clock_(timebase_.clock(spec.clocks.core.value)),
      plan_(plan_processes(spec_, division)),
      // Each process has its share of the events.
      processes_(plan_.count, Duration{core_clock_.period().ticks * plan_.count / 8}),
      pages_(page_table_of(spec)),
      code_(spec),
      routes_(spec_, build_processes(), compute_dies_, memory_dies_),
      cores_(spec.dies.compute * spec.dies.cores_per_die) {
  build_dies();
}

const fabric::AddressMap& Machine::build_processes() {
  processes_.look_ahead(timebase_.nanoseconds(plan_.lookahead_ns));
  for (std::uint32_t p = 0; p < plan_.count; ++p) {
    if (spec_.event_order.seed != 0) processes_[p].shuffle_ties(spec_.event_order.seed);
    of_process_.emplace_back(*this, processes_[p]);
  }
  return memory_map();
}

void Machine::build_dies() {
  const engine::Clock l2_clock = timebase_.clock(spec_.clocks.l2.value);
  const engine::Clock fabric_clock = timebase_.clock(spec_.clocks.fabric.value);
  const auto memory_level =
      static_cast<std::uint8_t>(level_names(spec_, trace::Space::global).size() - (spec_.host ? 2 : 1));
  if (spec_.host) host_ = std::make_unique<HostPath>(processes_, timebase_, fabric_clock, spec_, stages_);
  for (std::uint64_t die = 0; die < spec_.dies.memory; ++die) {
    const std::uint32_t process = plan_.of_memory_die[die];
    const OfProcess& own = of_process_[process];
    memory_dies_.emplace_back(processes_[process], timebase_, stages_, spec_, own.memory_map, own.of_memory_die,
                              static_cast<std::uint8_t>(die), memory_level, host_.get());
  }
  for (std::uint64_t die = 0; die < spec_.dies.compute; ++die) {
    const auto index = static_cast<std::uint8_t>(die);
    const std::uint32_t process = plan_.of_compute_die[die];
    OfProcess& own = of_process_[process];
    own.write_back.add(compute_dies_.emplace_back(processes_[process], stages_, spec_, own.die, l2_clock, core_clock_,
                                                  index, routes_.sinks_of(index)));
  }
  if (spec_.dies.compute == 1 && spec_.dies.memory == 1) return;
  const auto nodes = static_cast<std::uint32_t>(spec_.dies.memory + (spec_.dies.apart() ? spec_.dies.compute : 0));
  network_ = std::make_unique<fabric::DieNetwork>(processes_, timebase_, fabric_clock, spec_.network, nodes,
                                                  std::span<const std::uint32_t>{}, stages_,
                                                  plan_.of_nodes(spec_.dies.apart()));
  routes_.connect(*network_);
  if (has_probe_filter(spec_)) probe_routes_.emplace(*network_, routes_, memory_map(), compute_dies_, memory_dies_);
}

CoreFront& Machine::core(std::uint32_t index) {
  std::unique_ptr<CoreFront>& slot = cores_.at(index);
  if (!slot) {
    const auto die = static_cast<std::uint8_t>(index / spec_.dies.cores_per_die);
    slot = std::make_unique<CoreFront>(of_process_[process_of(index)].core, index, compute_dies_[die], die,
                                       nearest_domain(index));
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
  chosen.sample(sampler_of(index));
  return chosen.start(stream, processes_.now());
}

void Machine::start_block(std::uint32_t index, std::unique_ptr<trace::BlockStreams> streams, std::uint32_t warps,
                          Time t, Time origin, const compute::BlockListener& done,
                          const compute::CompletionListener& listener) {
  compute::Core& chosen = core(index).core();
  chosen.listen(listener);
  chosen.sample(sampler_of(index));
  chosen.start_block(std::move(streams), warps, t, origin, done);
}

void Machine::watch_atomics(const memory::AtomicListener* listener) {
  atomic_listener_ = listener;
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->core().watch_atomics(listener);
  for (ComputeDie& die : compute_dies_) die.visit_caches([&](cache::Cache& cache) { cache.watch_atomics(listener); });
  for (MemoryDie& die : memory_dies_) die.levels().visit([&](cache::Cache& cache) { cache.watch_atomics(listener); });
}

bool Machine::run() {
  engine::InTurn executor;
  return run(executor, {});
}

bool Machine::run(engine::Executor& executor, const engine::Processes::AtWindow& at_window) {
  if (!processes_.run(executor, at_window)) return false;
  std::vector<const engine::Port*> ports;
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->collect_ports(ports);
  for (const ComputeDie& die : compute_dies_) die.collect_ports(ports);
  for (const MemoryDie& die : memory_dies_) die.collect_ports(ports);
  for (const OfProcess& each : of_process_)
    if (each.instruction_caches)
      each.instruction_caches->visit([&](const InstructionCache& cache) { ports.push_back(&cache.port()); });
  if (network_)
    for (const engine::Port* port : network_->ports()) ports.push_back(port);
  if (host_)
    for (const engine::Port* port : host_->ports()) ports.push_back(port);
  observe::require_drained(ports, alive());
  meter().require_balance();
  return true;
}

std::size_t Machine::alive() const {
  std::size_t all = 0;
  for (const OfProcess& each : of_process_) all += each.pool.alive();
  return all;
}

void Machine::touch(std::uint32_t index, std::uint64_t address, std::uint64_t bytes, trace::Space space,
                    memory::CacheOperator cache_operator, Reach reach, memory::Operation operation) {
  if (reach == Reach::past_caches) return touch_past_caches(index, address, bytes);
  CoreFront& front = core(index);
  const std::uint64_t last = address + bytes - 1;
  const auto request_sectors = static_cast<unsigned>(spec_.core.load_store.request.value / memory::sector_bytes);
  for (std::uint64_t block = address / memory::block_bytes; block <= last / memory::block_bytes; ++block) {
    unsigned sectors = memory::all_sectors;
    if (block == address / memory::block_bytes)
      sectors &= unsigned{memory::all_sectors} << address / memory::sector_bytes % memory::sectors_per_block;
    if (block == last / memory::block_bytes)
      sectors &= (2U << last / memory::sector_bytes % memory::sectors_per_block) - 1U;
    for (unsigned first = 0; first < memory::sectors_per_block; first += request_sectors) {
      const auto asked = static_cast<memory::SectorMask>(sectors & (((1U << request_sectors) - 1U) << first));
      if (asked != 0) front.touch(block, asked, space, cache_operator, reach == Reach::every_level, operation);
    }
  }
}

void Machine::touch_past_caches(std::uint32_t index, std::uint64_t address, std::uint64_t bytes) {
  CoreFront& front = core(index);
  translation::Translator& translator = of_process_[process_of(index)].translator;
  const std::uint64_t last = (address + bytes - 1) / memory::block_bytes;
  for (std::uint64_t virtual_block = address / memory::block_bytes; virtual_block <= last; ++virtual_block) {
    translator.touch(index, virtual_block);
    const std::uint64_t block = front.block(virtual_block);
    if (!host_ || !host_->holds(block)) memory_dies_[memory_map().home(block)].touch_channel(block);
  }
}

void Machine::expect(std::uint32_t index, std::uint64_t address) {
  if (pages_.by_access()) return;  // a look-up would place the page
  CoreFront& front = core(index);
  const std::uint64_t block = front.block(address / memory::block_bytes);
  const ComputeDie& die = compute_dies_[front.die()];
  if (!spec_.l2.bypass) die.expect(block);
  if ((spec_.dies.memory == 1 && of_process_.front().of_memory_die.empty()) || (host_ && host_->holds(block))) return;
  const std::uint32_t home = memory_map().home(block);
  if (!of_process_.front().of_memory_die.empty()) {
    const CacheLevel& last = memory_dies_[home].levels().levels().back();
    if (last.homes(block)) last.expect(block);
  } else if (spec_.l2.partitioned && home != front.die()) {
    compute_dies_[home].expect(block);
  }
}

std::uint32_t Machine::nearest_domain(std::uint32_t core) const {
  return has_domains(spec_) ? atlas().homes_by_distance(core).nearest : 0;
}

void Machine::place_pages(const trace::Region& region, std::uint32_t memory_die) {
  if (!has_domains(spec_))
    throw InvalidRequest(
        fmt::format("an array is placed in memory die {}, but the memory of {} is interleaved over its dies",
                    memory_die, spec_.name),
        {"memory.interleave"}, "set memory.interleave=per_die and pages.placement=contiguous");
  if (memory_die >= spec_.dies.memory)
    throw InvalidRequest(
        fmt::format("an array is placed in memory die {}, but {} has {}", memory_die, spec_.name, spec_.dies.memory),
        {"dies.memory"});
  try {
    pages_.assign(region.first, region.bytes, memory_die);
  } catch (const std::out_of_range& error) {
    throw InvalidRequest(error.what(), {"memory.size"});
  }
}

}  // namespace strata::machine
