// SPDX-License-Identifier: Apache-2.0
// The coherent master of a compute die whose L2 serves that die alone: it stands between the L2 and the way to memory.
// Of what the L2 sends down it marks coherent loads (CacheOperator::cv) and atomics, which the coherent slave at the
// block's home then orders, and knows which copies in the L2 the probe filter there counts. It answers probes: a copy is
// dropped, and what is dirty of it goes to the home. Ordinary loads, stores and write-backs pass untouched.
//
// The filter counts a copy when the home admits the request whose answer leaves it. The end of that copy is reported
// once: an atomic of this die takes the report along, the answer to a probe holds it, and an eviction sends a notice. So
// does an answer that leaves no copy after all, because a probe or another atomic to the block has passed here
// meanwhile: its data may be older than what that one has changed. Epochs of hashed blocks distinguish these; two blocks of one
// hash cost a notice, no error.
//
// An atomic leaves a copy only if it was the only one of this die under way to the block, from its departure to its
// answer. The home does not probe the die that asks: its copies were dropped here, and none can come about before the
// answer.
#pragma once
#include <array>
#include <cstdint>

#include "cache/coherence/probe.hpp"
#include "cache/coherence/probed_cache.hpp"
#include "engine/pool.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"

namespace strata::cache {

struct CoherentMasterStatistics {
  stats::Counter<"copies tracked", "lines", "that coherent accesses left in the L2, known to a probe filter"> copies;
  stats::Counter<"notices", "messages", "to a probe filter that a copy is gone, or did not come about"> notices;
  stats::Counter<"probes received", "messages", "from coherent slaves, answered here"> probes;
  stats::Counter<"probes answered with data", "messages", "of these, with dirty sectors"> with_data;
  stats::Counter<"probes without a copy", "messages",
                 "of these, that found none: its notice or the atomic that dropped it was on the way">
      without_copy;
  stats::Counter<"needless probes", "messages", "of these, that nothing on the way explains: always 0"> needless;
};

class CoherentMaster {
 public:
  /// The slice of the L2 that a block is of.
  struct Slices {
    Cache& (*of)(void* self, std::uint64_t block) = nullptr;
    void* self = nullptr;
  };
  /// Gives a notice its destination: the home of its block.
  struct Homes {
    void (*address)(void* self, Notice& notice) = nullptr;
    void* self = nullptr;
  };

  /// first_host_block: blocks from there on are the host's and have no slave.
  CoherentMaster(engine::Simulation& simulation, std::uint32_t die, std::uint64_t first_host_block, memory::Sink below);
  CoherentMaster(const CoherentMaster&) = delete;
  CoherentMaster& operator=(const CoherentMaster&) = delete;

  /// Before the first request. node: of the die, among those of the network.
  void connect(const Slices& slices, ParcelSink network, const Homes& homes, std::uint32_t node);
  /// What a slice of the L2 sends down.
  void take(memory::Transaction& transaction, Time ready);
  /// A block is not in the L2 any more.
  void gone(std::uint64_t block);
  /// Probes arrive here.
  const engine::Handler& probed() const { return probed_; }

  const TrackedCopies& copies() const { return copies_; }
  /// The L2 is empty, and so are the filters. While no request is under way.
  void forget() { copies_.clear(); }
  const CoherentMasterStatistics& statistics() const { return statistics_; }
  void collect(stats::Collector& collector) const;

 private:
  /// What is remembered of a request on its return path.
  struct Asked {
    std::uint32_t epoch;
    bool tracked;
    static constexpr std::uint32_t epochs = 1U << 31U;
    std::uint32_t pack() const { return epoch << 1U | unsigned{tracked}; }
    static Asked of(std::uint32_t word) { return {word >> 1U, (word & 1U) != 0}; }
  };
  /// Of all blocks of one hash.
  struct Recent {
    std::uint32_t epoch = 0;    ///< of the last probe or atomic
    std::uint32_t atomics = 0;  ///< under way
    std::uint32_t notices = 0;  ///< under way, there or back
  };

  Recent& recent(std::uint64_t block) { return recent_[(block * 0x9E37'79B9'7F4A'7C15U) >> 56U]; }
  void pass_epoch(Recent& of) { of.epoch = (of.epoch + 1) % Asked::epochs; }
  void returned(memory::Transaction& transaction);
  void settle(std::uint64_t block, bool kept);
  void notify(std::uint64_t block);
  void on_probe(memory::Parcel& parcel);
  void on_notice_back(memory::Parcel& parcel);

  engine::Simulation& simulation_;
  std::uint32_t die_;
  std::uint32_t node_ = 0;
  std::uint64_t first_host_block_;
  memory::Sink below_;
  Slices slices_;
  ParcelSink network_;
  Homes homes_;
  TrackedCopies copies_;
  std::array<Recent, 256> recent_{};
  engine::Pool<Notice> notices_;
  engine::HandlerNumber returned_ = simulation_.number(engine::handler<&CoherentMaster::returned>(*this));
  engine::Handler probed_ = engine::handler<&CoherentMaster::on_probe>(*this);
  engine::Handler notice_back_ = engine::handler<&CoherentMaster::on_notice_back>(*this);
  CoherentMasterStatistics statistics_;
};

}  // namespace strata::cache
