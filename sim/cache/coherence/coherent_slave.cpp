// SPDX-License-Identifier: Apache-2.0
#include "cache/coherence/coherent_slave.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "memory/requester.hpp"
#include "stats/collect_counters.hpp"

namespace strata::cache {

using memory::Operation;
using memory::Transaction;

CoherentSlave::CoherentSlave(engine::Simulation& simulation, const CoherentSlaveDesign& design, std::uint8_t home_die,
                             memory::Sink admit)
    : simulation_(simulation),
      design_(design),
      home_die_(home_die),
      admit_(admit),
      filter_(design.sets, design.ways, design.dies) {}

void CoherentSlave::connect(ParcelSink network, const std::vector<Master>& masters) {
  network_ = network;
  masters_ = &masters;
}

CoherentSlave::Turn* CoherentSlave::turn_of(std::uint64_t block) {
  for (Turn* const turn : turns_)
    if (turn->block == block) return turn;
  return nullptr;
}

void CoherentSlave::wait(Turn& turn, Transaction& transaction, Time ready) {
  transaction.ready = ready;
  turn.waiting.push(transaction);
}

void CoherentSlave::take(Transaction& transaction, Time ready) {
  if (Turn* const turn = turn_of(transaction.block)) {
    ++statistics_.waits;
    return wait(*turn, transaction, ready);
  }
  proceed(transaction, ready, Seen::first);
}

void CoherentSlave::proceed(Transaction& transaction, Time ready, Seen seen) {
  const std::uint32_t die = transaction.requester_die;
  const std::uint32_t set = filter_.set_of(transaction.set());
  std::uint32_t entry = filter_.find(set, transaction.block);
  if (transaction.dropped_copy) {
    filter_.remove(entry, die);
    transaction.dropped_copy = false;
  }
  if (seen == Seen::first) {
    const bool hit = entry != ProbeFilter::none && !filter_.unused(entry);
    statistics_.hits += hit ? 1 : 0;
    statistics_.misses += hit ? 0 : 1;
  }
  if (transaction.operation == Operation::atomic && entry != ProbeFilter::none && seen != Seen::probed) {
    const ProbeFilter::Dies others = filter_.holders(entry) & ~(ProbeFilter::Dies{1} << die);
    if (others != 0) {
      statistics_.waits += seen == Seen::first ? 1 : 0;
      transaction.ready = ready;
      probe(transaction.block, set, others, ready).first = &transaction;
      return;
    }
  }
  if (transaction.tracked) {
    if (entry == ProbeFilter::none) entry = make_entry(transaction, set, ready);
    if (entry == ProbeFilter::none) {
      statistics_.waits += seen == Seen::first ? 1 : 0;
      return;
    }
    filter_.add(entry, die);
  } else if (entry != ProbeFilter::none && filter_.unused(entry)) {
    filter_.free(entry);
  }
  admit_.take(transaction, ready);
}

std::uint32_t CoherentSlave::make_entry(Transaction& transaction, std::uint32_t set, Time ready) {
  if (const std::uint32_t entry = filter_.allocate(set, transaction.block); entry != ProbeFilter::none) return entry;
  const std::uint32_t oldest = filter_.oldest(set, [this](std::uint64_t block) { return turn_of(block) == nullptr; });
  if (oldest == ProbeFilter::none) {
    wait(*turn_of(filter_.block(set * filter_.ways())), transaction, ready);
  } else {
    ++statistics_.evictions;
    wait(probe(filter_.block(oldest), set, filter_.holders(oldest), ready), transaction, ready);
  }
  return ProbeFilter::none;
}

CoherentSlave::Turn& CoherentSlave::probe(std::uint64_t block, std::uint32_t set, ProbeFilter::Dies dies, Time ready) {
  Turn& turn = turn_pool_.take();
  turns_.push_back(&turn);
  turn.block = block;
  turn.set = set;
  turn.awaited = static_cast<std::uint32_t>(std::popcount(dies));
  statistics_.probes += turn.awaited;
  for (; dies != 0; dies &= dies - 1) {
    Probe& probe = probes_.take();
    probe.block = block;
    probe.die = static_cast<std::uint32_t>(std::countr_zero(dies));
    probe.back = answer_;
    probe.back_to = home_die_;
    probe.to = (*masters_)[probe.die].node;
    probe.arrived = (*masters_)[probe.die].probed;
    network_.send(probe, later(ready, simulation_.now()) + design_.lookup);
  }
  return turn;
}

void CoherentSlave::on_answer(memory::Parcel& parcel) {
  auto& probe = static_cast<Probe&>(parcel);
  Turn& turn = *turn_of(probe.block);
  if (probe.tracked) filter_.remove(filter_.find(turn.set, probe.block), probe.die);
  if (probe.data.wanted == 0) {
    probes_.give_back(probe);
  } else {
    ++statistics_.with_data;
    statistics_.sectors += memory::sector_count(probe.data.wanted);
    probe.data.probe = &probe;
    probe.data.home_die = home_die_;
    probe.data.core = memory::no_core;
    probe.data.issued = simulation_.now();
    probe.data.return_through(written_);
    admit_.take(probe.data, simulation_.now());
  }
  --turn.awaited;
  if (over(turn)) end(turn);
}

void CoherentSlave::on_written(Transaction& data) { probes_.give_back(*static_cast<Probe::Data&>(data).probe); }

void CoherentSlave::gone(std::uint64_t block, std::uint32_t set, std::uint32_t die) {
  const std::uint32_t entry = filter_.find(filter_.set_of(set), block);
  filter_.remove(entry, die);
  if (!filter_.unused(entry)) return;
  Turn* const turn = turn_of(block);
  if (turn == nullptr) return filter_.free(entry);
  if (over(*turn)) end(*turn);
}

/// An entry that is evicted stays until no notice of its copies is on the way.
bool CoherentSlave::over(const Turn& turn) const {
  if (turn.awaited != 0) return false;
  return turn.first != nullptr || filter_.unused(filter_.find(turn.set, turn.block));
}

void CoherentSlave::end(Turn& turn) {
  turns_.erase(std::find(turns_.begin(), turns_.end(), &turn));
  engine::MessageList waiting = turn.waiting;
  Transaction* const first = turn.first;
  if (first == nullptr) filter_.free(filter_.find(turn.set, turn.block));
  turn_pool_.give_back(turn);
  const auto go_on = [this](Transaction& transaction, Seen seen) {
    const Time now = later(transaction.ready, simulation_.now());
    transaction.mark(design_.stage, now);
    if (Turn* const other = seen == Seen::again ? turn_of(transaction.block) : nullptr) {
      wait(*other, transaction, now);
    } else {
      proceed(transaction, now, seen);
    }
  };
  if (first != nullptr) go_on(*first, Seen::probed);
  while (!waiting.empty()) go_on(static_cast<Transaction&>(waiting.pop()), Seen::again);
}

std::uint64_t CoherentSlave::waiting() const {
  std::uint64_t all = 0;
  for (const Turn* const turn : turns_) all += turn->waiting.size() + (turn->first != nullptr ? 1 : 0);
  return all;
}

void CoherentSlave::collect(stats::Collector& collector) const { stats::collect_counters(collector, statistics_); }

}  // namespace strata::cache
