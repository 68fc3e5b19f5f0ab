// SPDX-License-Identifier: Apache-2.0
#include "cache/coherence/coherent_master.hpp"

#include "stats/collect_counters.hpp"

namespace strata::cache {

using memory::CacheOperator;
using memory::Operation;

CoherentMaster::CoherentMaster(engine::Simulation& simulation, std::uint32_t die, std::uint64_t first_host_block,
                               memory::Sink below)
    : simulation_(simulation), die_(die), first_host_block_(first_host_block), below_(below) {}

void CoherentMaster::connect(const Slices& slices, ParcelSink network, const Homes& homes, std::uint32_t node) {
  slices_ = slices;
  network_ = network;
  homes_ = homes;
  node_ = node;
}

void CoherentMaster::take(memory::Transaction& transaction, Time ready) {
  const bool load = transaction.operation == Operation::load && transaction.cache_operator == CacheOperator::cv;
  if ((!load && transaction.operation != Operation::atomic) || transaction.block >= first_host_block_)
    return below_.take(transaction, ready);
  Recent& now = recent(transaction.block);
  transaction.coherent = true;
  if (load) {
    transaction.tracked = true;
    copies_.fetch(transaction.block);
  } else {
    transaction.dropped_copy = copies_.remove(transaction.block);
    transaction.tracked = transaction.returns_old && now.atomics == 0;
    ++now.atomics;
    pass_epoch(now);
  }
  transaction.return_through(returned_, Asked{now.epoch, transaction.tracked}.pack());
  below_.take(transaction, ready);
}

void CoherentMaster::returned(memory::Transaction& transaction) {
  const Asked asked = Asked::of(transaction.context());
  const std::uint64_t block = transaction.block;
  Recent& now = recent(block);
  ProbedCache slice(slices_.of(slices_.self, block));
  const bool valid = asked.tracked && asked.epoch == now.epoch;
  if (transaction.operation == Operation::atomic) {
    --now.atomics;
    const bool kept = valid && slice.keep(transaction);
    if (asked.tracked) settle(block, kept);
    return transaction.answer_now(simulation_);
  }
  const SectorMask sectors = transaction.fetched;
  transaction.answer_now(simulation_);
  settle(block, valid && !copies_.holds(block) && slice.contains(block, sectors));
  copies_.fetched(block);
}

void CoherentMaster::settle(std::uint64_t block, bool kept) {
  if (!kept) return notify(block);
  copies_.add(block);
  ++statistics_.copies;
}

void CoherentMaster::gone(std::uint64_t block) {
  if (copies_.remove(block)) notify(block);
}

void CoherentMaster::notify(std::uint64_t block) {
  ++statistics_.notices;
  ++recent(block).notices;
  Notice& notice = notices_.take();
  notice.block = block;
  notice.die = die_;
  notice.back_to = node_;
  notice.back = notice_back_;
  homes_.address(homes_.self, notice);
  network_.send(notice, simulation_.now());
}

void CoherentMaster::on_notice_back(memory::Parcel& parcel) {
  auto& notice = static_cast<Notice&>(parcel);
  --recent(notice.block).notices;
  notices_.give_back(notice);
}

void CoherentMaster::on_probe(memory::Parcel& parcel) {
  auto& probe = static_cast<Probe&>(parcel);
  Recent& now = recent(probe.block);
  pass_epoch(now);
  probe.tracked = copies_.remove(probe.block);
  ++statistics_.probes;
  if (!probe.tracked) {
    ++statistics_.without_copy;
    if (now.notices == 0 && now.atomics == 0 && !copies_.coming(probe.block)) ++statistics_.needless;
  }
  const Time leaves = ProbedCache(slices_.of(slices_.self, probe.block)).surrender(probe.block, probe.data);
  probe.sectors = count(probe.data.wanted);
  if (probe.sectors != 0) ++statistics_.with_data;
  probe.to = probe.back_to;
  probe.arrived = probe.back;
  network_.send(probe, leaves);
}

void CoherentMaster::collect(stats::Collector& collector) const { stats::collect_counters(collector, statistics_); }

}  // namespace strata::cache
