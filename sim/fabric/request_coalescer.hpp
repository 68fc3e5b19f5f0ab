// SPDX-License-Identifier: Apache-2.0
// The request coalescer between some cores and the slices of an L2: a read of
// the very sectors that another core's read under way brings waits for that one's
// answer instead of going down itself; fewer or other sectors do not join. NVIDIA names such a unit in
// front of the L2 of Hopper and later (Nsight Compute documentation, LRC: the
// L2 Request Coalescer); what it does is that of a miss status holding
// register (Kroft: Lockup-Free Instruction Fetch/Prefetch Cache Organization,
// 1981) without a cache behind it: nothing is kept after the answer. Of the reads
// under way, so many may be joined, those that came last.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/port.hpp"
#include "fabric/crossbar_spec.hpp"
#include "memory/transaction.hpp"
#include "stats/counter.hpp"

namespace strata::fabric {

struct CoalescerCounters {
  stats::Counter<"joined", "requests", "reads merged with a pending read of the same line"> joined;
  stats::Counter<"sectors joined", "sectors", "of these reads"> sectors_joined;
};

class RequestCoalescer {
 public:
  explicit RequestCoalescer(const CoalescerSpec& spec)
      : most_(spec.merges),
        most_open_(spec.entries),
        chains_(std::bit_ceil(std::max(spec.entries, 2U))),
        shift_(64U - static_cast<unsigned>(std::countr_zero(chains_.size()))) {}

  /// True: the read waits in here for another's answer. False: it goes down, and others may join it;
  /// if too many could be joined, the oldest of these no longer can.
  bool join(memory::Transaction& read) {
    std::uint32_t& first = chains_[chain(read.block)];
    for (std::uint32_t at = first; at != 0; at = entries_[at - 1].next) {
      Entry& entry = entries_[at - 1];
      if (entry.block != read.block || read.fetched != entry.sectors) continue;
      if (entry.closed || entry.joined.size() >= most_) continue;
      entry.joined.push(read);
      ++counters_.joined;
      counters_.sectors_joined += memory::sector_count(read.fetched);
      return true;
    }
    if (open_ == most_open_) close_oldest();
    if (free_ == 0) {
      entries_.emplace_back();
      free_ = static_cast<std::uint32_t>(entries_.size());
    }
    const std::uint32_t number = free_;
    Entry& entry = entries_[number - 1];
    free_ = entry.next;
    entry = {&read, read.block, {}, first, 0, newest_, read.fetched, false};
    first = number;
    (newest_ == 0 ? oldest_ : entries_[newest_ - 1].newer) = number;
    newest_ = number;
    ++open_;
    return false;
  }

  /// The answer of a read has come: those that waited for it, first come first.
  engine::MessageList leave(const memory::Transaction& read) {
    std::uint32_t* const link = link_to(read.block, &read);
    if (*link == 0) return {};
    Entry& entry = entries_[*link - 1];
    const engine::MessageList joined = entry.joined;
    close(entry);
    give_back(link);
    return joined;
  }

  /// A thread has a value that reads of the block now under way may be older than: no other joins them.
  void close(std::uint64_t block) {
    for (std::uint32_t at = chains_[chain(block)]; at != 0; at = entries_[at - 1].next)
      if (entries_[at - 1].block == block) close(entries_[at - 1]);
  }

  const CoalescerCounters& counters() const { return counters_; }

 private:
  struct alignas(64) Entry {  // one line of the host's cache
    const memory::Transaction* leader = nullptr;
    std::uint64_t block = 0;  ///< the leader's
    engine::MessageList joined;
    // Numbers of entries from 1; 0: none.
    std::uint32_t next = 0;   ///< in the chain or the free list
    std::uint32_t newer = 0;  ///< among those that may be joined
    std::uint32_t older = 0;
    memory::SectorMask sectors = 0;
    bool closed = false;
  };
  void close(Entry& entry) {
    if (entry.closed) return;
    entry.closed = true;
    --open_;
    (entry.older == 0 ? oldest_ : entries_[entry.older - 1].newer) = entry.newer;
    (entry.newer == 0 ? newest_ : entries_[entry.newer - 1].older) = entry.older;
  }
  void close_oldest() {
    Entry& entry = entries_[oldest_ - 1];
    close(entry);
    if (entry.joined.empty()) give_back(link_to(entry.block, entry.leader));  // else they wait for its answer
  }
  /// In the chain of the block, what holds the number of the leader's entry; 0 there: it has none.
  std::uint32_t* link_to(std::uint64_t block, const memory::Transaction* leader) {
    std::uint32_t* link = &chains_[chain(block)];
    while (*link != 0 && entries_[*link - 1].leader != leader) link = &entries_[*link - 1].next;
    return link;
  }
  /// link: to the entry in its chain.
  void give_back(std::uint32_t* link) {
    const std::uint32_t number = *link;
    Entry& entry = entries_[number - 1];
    *link = entry.next;
    entry.next = free_;
    free_ = number;
  }
  std::size_t chain(std::uint64_t block) const {
    // Multiplicative hashing with the golden ratio (Knuth): pending blocks are adjacent within pages.
    return static_cast<std::size_t>(block * 0x9E37'79B9'7F4A'7C15U >> shift_);
  }

  std::uint32_t most_;
  std::uint32_t most_open_;
  std::uint32_t open_ = 0;  ///< that may be joined
  std::uint32_t oldest_ = 0, newest_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> chains_;  ///< the first entry of each
  unsigned shift_;                     ///< leaves as many bits as number them
  std::uint32_t free_ = 0;
  CoalescerCounters counters_;
};

}  // namespace strata::fabric
