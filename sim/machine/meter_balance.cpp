// SPDX-License-Identifier: Apache-2.0
// The figures that level_balance.hpp compares, collected from a machine. Between levels, as far
// as the path of a request is fixed: the L2s of a partitioned machine send requests to each
// other and to memory, and without an L2 the cores send them to memory.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/account/coherence_balance.hpp"
#include "machine/account/level_balance.hpp"
#include "machine/machine.hpp"

namespace strata::machine {
namespace {

// Checks caches and collects the requests that they sent to the next level and those that they
// hold.
class Caches {
 public:
  Caches(observe::Balance& balance, const Instant& instant) : balance_(balance), instant_(instant) {}

  /// where: forms the name of the place.
  template <class Where>
  void check(const cache::Cache& cache, const cache::CacheStatistics& counts, const Where& where) {
    const cache::InFlight held = cache.in_flight();
    own_ += held.own;
    const auto name = [&] { return fmt::format("{} of {}", cache.spec().name, where()); };
    machine::check(balance_, CacheAccount{name, counts, held}, instant_);
  }
  std::uint64_t own() const { return own_; }

 private:
  observe::Balance& balance_;
  const Instant& instant_;
  std::uint64_t own_ = 0;
};

DramAccount account_of(const MemoryDie& die, const observe::Name& name) {
  DramAccount account;
  account.name = name;
  account.arrived = die.arrivals().traffic().requests;
  account.held = die.before_dram();
  for (const dram::Channel& channel : die.channels()) {
    const dram::Statistics s = channel.counted();
    account.served += s.reads + s.writes;
    account.moved.read += s.read_bursts;
    account.moved.written += s.write_bursts;
    account.queued += s.queued_ticks;
    account.places += static_cast<double>(channel.queue_places()) * static_cast<double>(channel.ticks());
  }
  account.asked = die.arrivals().bursts(die.channels().front().sectors_of_burst());
  return account;
}

/// Which flow enters a level: number 0 comes from the caches of the cores, number i + 1 from level i. A
/// partitioned level forwards to its other part and to the level below, so both are one flow.
class Ways {
 public:
  explicit Ways(const std::vector<Level>& levels) : levels_(levels) {
    for (const Level& level : levels) into_.push_back(level.partitioned ? into_.back() : into_.size());
  }
  /// levels.size(): DRAM.
  std::size_t into(std::size_t level) const { return into_[level]; }
  /// Into the first level that these share, or the first that more cores share.
  std::size_t into(Sharers sharers) const {
    std::size_t level = 0;
    while (level < levels_.size() && levels_[level].shared_by < sharers) ++level;
    return into_[level];
  }

 private:
  const std::vector<Level>& levels_;
  std::vector<std::size_t> into_{0};
};

std::string_view sharer(Sharers sharers) {
  constexpr std::array<std::string_view, 4> names{"core", "group", "die", "memory die"};
  return names[static_cast<std::size_t>(sharers)];
}

}  // namespace

void Meter::require_balance() const {
  observe::Balance balance;
  Instant instant{machine_.processes_.now(), machine_.processes_.idle(), machine_.alive()};
  Caches caches(balance, instant);
  const Ways ways(machine_.levels_);
  std::vector<SectorFlow> flows(machine_.levels_.size() + 1);
  for (const std::unique_ptr<CoreFront>& slot : machine_.cores_) {
    if (!slot) continue;
    const CoreFront& front = *slot;
    const auto name = [&] { return fmt::format("core {}", front.core().index()); };
    CoreAccount account{name, front.core().flow()};
    front.visit_caches([&](const cache::Cache& cache) {
      const cache::CacheStatistics s = cache.statistics();
      account.looked_up += s.requests;
      account.mshr_ticks += static_cast<std::int64_t>(s.mshr_ticks);
      account.lines_open_mshrs = account.lines_open_mshrs && s.prefetches.sent + s.writebacks == 0;
      caches.check(cache, s, name);
    });
    if (const cache::Cache* const second = front.second_scalar()) caches.check(*second, second->statistics(), name);
    account.looked_up += front.bulk_copies().traffic().requests;
    check(balance, account, instant);
    front.first_levels_leave(flows[0]);
  }
  for (const Machine::OfProcess& each : machine_.of_process_)
    if (each.instruction_caches)
      each.instruction_caches->visit([&](const InstructionCache& of) {
        const cache::CacheStatistics counts = of.cache().statistics();
        caches.check(of.cache(), counts, [&] { return fmt::format("its cores, number {}", of.number()); });
        flows[0].leaves(counts);
      });
  flows[ways.into(Sharers::group)] += machine_.of_former_cores_;
  for (const ComputeDie& die : machine_.compute_dies_)
    flows[ways.into(Sharers::die)].answered_on_the_way(die.crossbar().reads_coalesced(),
                                                       die.crossbar().sectors_coalesced());
  for (std::size_t i = 0; i < machine_.levels_.size(); ++i) {
    machine_.visit_slices(
        machine_.levels_[i], [&](const cache::Cache& slice, std::size_t instance, std::size_t number) {
          const cache::CacheStatistics counts = slice.statistics();
          caches.check(slice, counts, [&] {
            return fmt::format("{} {} slice {}", sharer(machine_.levels_[i].shared_by), instance, number);
          });
          flows[ways.into(i)].enters(counts);
          flows[ways.into(i + 1)].leaves(counts);
        });
    machine_.visit_instances(machine_.levels_[i], [&](const CacheLevel& level, std::size_t) {
      flows[ways.into(i)].enters(level.passed_by());
      flows[ways.into(i + 1)].leaves(level.passed_by());
    });
  }
  for (std::size_t m = 0; m < machine_.memory_dies_.size(); ++m) {
    flows[ways.into(machine_.levels_.size())].enters(machine_.memory_dies_[m].arrivals());
    const auto name = [m] { return fmt::format("DRAM of memory die {}", m); };
    check(balance, account_of(machine_.memory_dies_[m], name), instant);
  }
  for (const MemoryDie& die : machine_.memory_dies_)
    for (const cache::CoherentSlave& slave : die.slaves())
      flows[ways.into(Sharers::memory_die)].asked += {slave.statistics().with_data, 0, slave.statistics().sectors};
  if (machine_.host_) flows[ways.into(Sharers::memory_die)].enters(machine_.host_->arrivals());
  instant.in_flight += caches.own();
  check(balance, "below the caches of the cores", flows[0], instant);
  for (std::size_t i = 0; i < machine_.levels_.size(); ++i)
    check(balance, [&] { return "below " + machine_.levels_[i].cache->name; }, flows[i + 1], instant);
  if (instant.at_rest && machine_.probe_routes_)
    check_coherence(balance, machine_.compute_dies_, machine_.memory_dies_, machine_.memory_map());
  balance.require();
}

}  // namespace strata::machine
