// SPDX-License-Identifier: Apache-2.0
// The request coalescer between some cores and the slices of an L2: a read of
// the very sectors that another core's read under way brings waits for that one's
// answer instead of going down itself; fewer or other sectors do not join. NVIDIA names such a unit in
// front of the L2 of Hopper and later (Nsight Compute documentation, LRC: the
// L2 Request Coalescer); what it does is that of a miss status holding
// register (Kroft: Lockup-Free Instruction Fetch/Prefetch Cache Organization,
// 1981) without a cache behind it: nothing is kept after the answer. A table
// of so many reads under way; a read that finds it full goes down unseen.
#pragma once
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
      : most_(spec.merges), entries_(spec.entries), chains_(std::bit_ceil(spec.entries)) {
    for (std::uint32_t i = 0; i + 1 < spec.entries; ++i) entries_[i].next = i + 2;
  }

  /// True: the read waits in here for another's answer. False: it goes down,
  /// and if there is a free entry others may join it.
  bool join(memory::Transaction& read) {
    std::uint32_t& first = chains_[chain(read.block)];
    for (std::uint32_t at = first; at != 0; at = entries_[at - 1].next) {
      Entry& entry = entries_[at - 1];
      if (entry.leader->block != read.block || read.fetched != entry.sectors) continue;
      if (entry.closed || entry.joined.size() >= most_) continue;
      entry.joined.push(read);
      ++counters_.joined;
      counters_.sectors_joined += memory::sector_count(read.fetched);
      return true;
    }
    if (free_ == 0) return false;
    const std::uint32_t number = free_;
    Entry& entry = entries_[number - 1];
    free_ = entry.next;
    entry.leader = &read;
    entry.sectors = read.fetched;
    entry.closed = false;
    entry.next = first;
    first = number;
    return false;
  }

  /// The answer of a read has come: those that waited for it, first come first.
  engine::MessageList leave(const memory::Transaction& read) {
    std::uint32_t* link = &chains_[chain(read.block)];
    while (*link != 0 && entries_[*link - 1].leader != &read) link = &entries_[*link - 1].next;
    if (*link == 0) return {};
    const std::uint32_t number = *link;
    Entry& entry = entries_[number - 1];
    *link = entry.next;
    entry.next = free_;
    free_ = number;
    const engine::MessageList joined = entry.joined;
    entry.joined = {};
    return joined;
  }

  /// A thread has a value that reads of the block now under way may be older than: no other joins them.
  void close(std::uint64_t block) {
    for (std::uint32_t at = chains_[chain(block)]; at != 0; at = entries_[at - 1].next)
      if (entries_[at - 1].leader->block == block) entries_[at - 1].closed = true;
  }

  const CoalescerCounters& counters() const { return counters_; }

 private:
  struct Entry {
    const memory::Transaction* leader = nullptr;
    engine::MessageList joined;
    std::uint32_t next = 0;  ///< in the chain or the free list; entry + 1, or 0
    memory::SectorMask sectors = 0;
    bool closed = false;
  };
  std::size_t chain(std::uint64_t block) const {
    return static_cast<std::size_t>((block ^ block >> 11U) & (chains_.size() - 1));
  }

  std::uint32_t most_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> chains_;  ///< the first entry + 1, or 0
  std::uint32_t free_ = 1;
  CoalescerCounters counters_;
};

}  // namespace strata::fabric
