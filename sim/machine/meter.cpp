// SPDX-License-Identifier: Apache-2.0
// Statistics of a machine: every block under its name, and the sums by
// level.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "machine/checks/cache_shortages.hpp"
#include "machine/machine.hpp"

namespace strata::machine {

namespace {

// Of the reservations of the data port, only the bytes moved by now count.
void add(LevelTraffic& level, const cache::Cache& cache, double ticks_per_second) {
  const cache::CacheStatistics s = cache.statistics();
  level.requests += s.requests;
  level.sectors += s.sectors_read_here() + s.sectors_stored + s.sectors_completed;
  level.sectors_read += s.sectors_read_here();
  level.sectors_below += s.sectors_read_below();
  level.hits += s.sector_hits + s.store_hits;
  level.misses = level.sectors - level.hits;
  level.bytes_read += s.bytes_read;
  level.bytes_written += s.bytes_written;
  const double reading = static_cast<double>(s.bytes_read) / level.peak_bytes_per_second;
  const double writing = static_cast<double>(s.bytes_written) / level.peak_written_per_second;
  const double ahead = static_cast<double>(cache.data_use().ahead.ticks) / ticks_per_second;
  level.port_seconds += std::max(reading + (level.stores_apart ? 0 : writing) - ahead, 0.0);
  if (level.stores_apart) level.store_port_seconds += writing;
  ++level.instances;
}

void set_peaks(LevelTraffic& level, const cache::CacheSpec& cache, Frequency clock) {
  const auto hertz = static_cast<double>(clock.value);
  level.peak_bytes_per_second = cache.data_width.value * hertz;
  level.peak_written_per_second = cache.write_width.value_or(cache.data_width).value * hertz;
  level.stores_apart = cache.stores_apart;
}

}  // namespace

stats::Snapshot Meter::snapshot() {
  stats::Collector collector(machine_.figures_);
  using Scope = stats::Collector::Scope;
  for (const std::unique_ptr<CoreFront>& core : machine_.cores_)
    if (core) core->collect(collector);
  for (const Machine::OfProcess& each : machine_.of_process_)
    if (each.instruction_caches) each.instruction_caches->collect(collector);
  {
    const Scope translation(collector, "translation");
    std::vector<const translation::Translator*> translators;
    for (const Machine::OfProcess& each : machine_.of_process_) translators.push_back(&each.translator);
    translation::collect(translators, collector);
  }
  for (std::size_t d = 0; d < machine_.compute_dies_.size(); ++d) {
    const Scope die(collector, fmt::format("die {}", d), stats::Owner::die);
    machine_.compute_dies_[d].collect(collector);
  }
  if (machine_.network_) {
    const Scope network(collector, "network", stats::Block::link);
    machine_.network_->collect(collector);
  }
  if (machine_.host_) {
    const Scope host(collector, "host", stats::Block::link);
    machine_.host_->collect(collector);
  }
  for (std::size_t m = 0; m < machine_.memory_dies_.size(); ++m) {
    const Scope die(collector, fmt::format("memory die {}", m), stats::Owner::memory_die);
    machine_.memory_dies_[m].collect(collector);
  }
  machine_.figures_ = collector.snapshot().figures().size();
  return collector.take();
}

std::vector<std::string> Meter::shortages() const {
  std::vector<std::string> all;
  // Compute dies are equal.
  if (std::string words = machine_.compute_dies_.front().crossbar().shortage(); !words.empty())
    all.push_back(std::move(words));
  if (machine_.network_)
    all.insert(all.end(), machine_.network_->shortages().begin(), machine_.network_->shortages().end());
  if (std::string words = narrow_group_ports(machine_.spec_); !words.empty()) all.push_back(std::move(words));
  for (CacheShortage& shortage : cache_shortages(machine_.spec_))
    if (fetches_stall(shortage.cache)) all.push_back(std::move(shortage.words));
  return all;
}

// A cache in which few requests have stalled for a free MSHR would not gain from more MSHRs.
bool Meter::fetches_stall(const std::string& name) const {
  constexpr std::uint64_t few = 20;  // one of so many fetches
  std::uint64_t stalls = 0;
  std::uint64_t fetches = 0;
  const auto count = [&](const cache::Cache& cache) {
    if (cache.spec().name != name) return;
    const cache::CacheStatistics s = cache.statistics();
    stalls += s.stalls_mshr_full + s.stalls_ways_pending;
    fetches += s.fetches;
  };
  for (const std::unique_ptr<CoreFront>& core : machine_.cores_)
    if (core) {
      std::as_const(*core).visit_caches(count);
      if (const cache::Cache* const second = std::as_const(*core).second_scalar()) count(*second);
    }
  for (const Level& level : machine_.levels_)
    machine_.visit_slices(level, [&](const cache::Cache& slice, std::size_t, std::size_t) { count(slice); });
  return stalls * few > fetches;
}

std::uint64_t Meter::transactions() const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<CoreFront>& core : machine_.cores_)
    if (core) sum += std::as_const(*core).core().transactions();
  return sum;
}

std::uint64_t Meter::block_of(std::uint32_t core, std::uint32_t warp) const {
  return std::as_const(*machine_.cores_[core]).core().block_of(warp);
}

Time Meter::last_answer() const {
  Time last{};
  for (const std::unique_ptr<CoreFront>& core : machine_.cores_)
    if (core) last = later(last, std::as_const(*core).core().last_answer());
  return last;
}

Time Meter::dies_written_back() const {
  Time last{};
  for (ComputeDie& die : machine_.compute_dies_)
    die.visit_caches([&last](cache::Cache& cache) { last = later(last, cache.statistics().flushed); });
  return last;
}

std::vector<LevelTraffic> Meter::traffic() {
  for (MemoryDie& die : machine_.memory_dies_)
    for (dram::Channel& channel : die.channels()) channel.statistics();
  return counted_traffic();
}

std::vector<LevelTraffic> Meter::counted_traffic() const {
  const auto ticks_per_second = static_cast<double>(machine_.timebase_.ticks_per_second());
  std::vector<LevelTraffic> levels;
  LevelTraffic& shared = levels.emplace_back();
  shared.name = "shared memory";
  shared.shared_memory = true;
  LevelTraffic l1;
  l1.name = machine_.spec_.l1.cache.name;
  set_peaks(l1, machine_.spec_.l1.cache, machine_.spec_.clocks.core);
  const compute::SharedMemorySpec& banks = machine_.spec_.core.shared_memory;
  const double array =
      static_cast<double>(banks.banks * banks.bank_width.value) * static_cast<double>(machine_.spec_.clocks.core.value);
  if (banks.shares_array) l1.peak_bytes_per_second = std::min(l1.peak_bytes_per_second, array);
  for (const std::unique_ptr<CoreFront>& core : machine_.cores_) {
    if (!core) continue;
    add(l1, core->l1(), ticks_per_second);
  }
  for (const ComputeDie& die : machine_.compute_dies_) l1.sectors_coalesced += die.crossbar().sectors_coalesced();
  levels.push_back(l1);
  for (const Level& level : machine_.levels_) {
    LevelTraffic& sum = levels.emplace_back();
    sum.name = level.cache->name;
    set_peaks(sum, *level.cache, level.clock);
    machine_.visit_slices(
        level, [&](const cache::Cache& slice, std::size_t, std::size_t) { add(sum, slice, ticks_per_second); });
  }
  LevelTraffic dram;
  dram.name = "DRAM";
  dram.peak_bytes_per_second = dram::peaks(machine_.spec_.memory.channel).bandwidth.value;
  dram.peak_written_per_second = dram.peak_bytes_per_second;
  for (const MemoryDie& die : machine_.memory_dies_) {
    for (const dram::Channel& channel : die.channels()) {
      const dram::Statistics s = channel.counted();
      dram.requests += s.reads + s.writes;
      dram.bytes_read += s.bytes_read;
      dram.bytes_written += s.bytes_written;
      dram.hits += s.row_hits;
      dram.misses += s.row_closed + s.row_conflicts;
      if (s.bus.busy > 0)
        dram.port_seconds += static_cast<double>(s.bytes_read + s.bytes_written) / dram.peak_bytes_per_second *
                             static_cast<double>(s.bus.busy - s.bus.ahead) / static_cast<double>(s.bus.busy);
      ++dram.instances;
    }
  }
  dram.sectors = (dram.bytes_read + dram.bytes_written) / memory::sector_bytes;
  levels.push_back(dram);
  return levels;
}

}  // namespace strata::machine
