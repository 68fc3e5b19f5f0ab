// SPDX-License-Identifier: Apache-2.0
// The figures that level_balance.hpp compares, collected from a machine. Between levels, as far
// as the way of a request is fixed: the L2s of a partitioned machine ask each other as well as
// the memory, and without an L2 the cores ask the memory.
#include <fmt/format.h>

#include <utility>

#include "machine/account/level_balance.hpp"
#include "machine/machine.hpp"

namespace strata::machine {
namespace {

// Checks caches and collects what they have sent down and what they hold.
class Caches {
 public:
  Caches(observe::Balance& balance, const Instant& instant) : balance_(balance), instant_(instant) {}

  void check(const cache::Cache& cache, const std::string& where) {
    const cache::InFlight held = cache.in_flight();
    own_ += held.own;
    machine::check(balance_, CacheAccount{fmt::format("{} of {}", cache.spec().name, where), cache.statistics(), held},
                   instant_);
  }
  std::uint64_t own() const { return own_; }

 private:
  observe::Balance& balance_;
  const Instant& instant_;
  std::uint64_t own_ = 0;
};

DramAccount account_of(const MemoryDie& die, std::string_view name) {
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

}  // namespace

void Machine::require_balance() const {
  observe::Balance balance;
  Instant instant{simulation_.now(), simulation_.idle(), pool_.alive()};
  Caches caches(balance, instant);
  SectorFlow from_cores = of_former_cores_;
  SectorFlow from_l2;
  SectorFlow from_memory_side;
  SectorFlow& past_l2 = spec_.l2.partitioned || spec_.l2.bypass ? from_cores : from_l2;
  for (const std::unique_ptr<CoreFront>& slot : cores_) {
    if (!slot) continue;
    const CoreFront& front = *slot;
    const std::string name = fmt::format("core {}", front.core().index());
    CoreAccount account{name, front.core().flow()};
    front.visit_caches([&](const cache::Cache& cache) {
      const cache::CacheStatistics s = cache.statistics();
      account.looked_up += s.requests;
      account.mshr_ticks += static_cast<std::int64_t>(s.mshr_ticks);
      account.lines_open_mshrs = account.lines_open_mshrs && s.prefetches + s.writebacks == 0;
      caches.check(cache, name);
      from_cores.leaves(s);
    });
    check(balance, account, instant);
    from_cores.answered_on_the_way(front.loads_of_victims(), front.sectors_of_victims());
  }
  for (std::size_t d = 0; d < compute_dies_.size(); ++d) {
    const ComputeDie& die = compute_dies_[d];
    from_cores.answered_on_the_way(die.crossbar().reads_coalesced(), die.crossbar().sectors_coalesced());
    for (std::size_t s = 0; s < die.slices().size(); ++s) {
      const cache::Cache& slice = die.slices()[s];
      caches.check(slice, fmt::format("die {} slice {}", d, s));
      from_cores.enters(slice.statistics());
      past_l2.leaves(slice.statistics());
    }
  }
  for (std::size_t m = 0; m < memory_dies_.size(); ++m) {
    const MemoryDie& die = memory_dies_[m];
    for (std::size_t s = 0; s < die.slices().size(); ++s) {
      const cache::Cache& slice = die.slices()[s];
      caches.check(slice, fmt::format("memory die {} slice {}", m, s));
      past_l2.enters(slice.statistics());
      from_memory_side.leaves(slice.statistics());
    }
    (spec_.memory_side_cache ? from_memory_side : past_l2).enters(die.arrivals());
    check(balance, account_of(die, fmt::format("DRAM of memory die {}", m)), instant);
  }
  if (host_) past_l2.enters(host_->arrivals());
  instant.in_flight += caches.own();
  check(balance, "below the caches of the cores", from_cores, instant);
  check(balance, "below " + spec_.l2.cache.name, from_l2, instant);
  if (spec_.memory_side_cache)
    check(balance, "below " + spec_.memory_side_cache->cache.name, from_memory_side, instant);
  balance.require();
}

}  // namespace strata::machine
