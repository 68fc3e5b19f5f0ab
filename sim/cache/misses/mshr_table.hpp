// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers (Kroft: Lockup-Free Instruction Fetch/Prefetch
// Cache Organization, 1981): one for each line being fetched, with the
// requests that wait for it. A flat table and a free list, last in, first out,
// so that the registers in use stay few and warm, and short chains from a line
// to its register; adjacent lines have adjacent chains. A register is
// attached while the line in the tags is held for it; one that is detached (the line was dropped, or the
// load bypasses the cache) still answers its own requests but gathers no
// others and leaves nothing in the tags.
#pragma once
#include <cassert>
#include <cstdint>

#include "cache/tags/tag_words.hpp"
#include "cache/tags/zeroed_words.hpp"
#include "engine/port.hpp"

namespace strata::cache {

/// Requests that wait for a fetch, first come first answered: a ring of which
/// the last is known.
class Waiters {
 public:
  bool empty() const { return last_ == nullptr; }
  void push(engine::Message& message) {
    if (last_ == nullptr) {
      message.next = &message;
    } else {
      message.next = last_->next;
      last_->next = &message;
    }
    last_ = &message;
  }
  engine::Message& pop() {
    engine::Message& first = *last_->next;
    if (&first == last_) {
      last_ = nullptr;
    } else {
      last_->next = first.next;
    }
    first.next = nullptr;
    return first;
  }

 private:
  engine::Message* last_ = nullptr;
};

/// Half a line of the host's cache.
struct alignas(32) Mshr {
  LineNumber line = 0;
  Waiters waiters;
  std::uint32_t waiting = 0;  ///< how many
  std::uint32_t set = 0;
  std::uint32_t next = 0;        ///< in the chain or the free list; register + 1, or 0
  SectorMask have = 0;           ///< sectors that requests of this register may use
  SectorMask coming = 0;         ///< sectors on their way
  std::uint8_t outstanding = 0;  ///< fetches on their way
  bool attached : 1 = false;
  bool far : 1 = false;        ///< another die's cache must answer
  bool placeless : 1 = false;  ///< attached, but no line of the tags is held for it

  void wait(engine::Message& message) {
    waiters.push(message);
    ++waiting;
  }
  engine::Message& serve() {
    --waiting;
    return waiters.pop();
  }
};

class MshrTable {
 public:
  static constexpr std::uint32_t most = 1U << 20U;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// 1 <= count <= most.
  explicit MshrTable(std::uint32_t count);
  MshrTable(const MshrTable&) = delete;
  MshrTable& operator=(const MshrTable&) = delete;

  bool full() const { return open_ == count_; }
  std::uint32_t open() const { return open_; }
  std::uint32_t peak() const { return peak_; }
  std::uint32_t count() const { return count_; }
  /// Of those in use: requests that wait, fetched for or joined, and sectors that are coming.
  struct Held {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
  };
  Held held() const {
    Held held;
    for (std::uint32_t i = 0; i < fresh_; ++i) {
      held.requests += registers_[i].outstanding + registers_[i].waiting;
      held.sectors += memory::sector_count(registers_[i].coming);
    }
    return held;
  }
  /// Calls visit with the line of each register in use.
  template <class Visit>
  void visit(const Visit& visit) const {
    for (std::uint32_t i = 0; i < fresh_; ++i) {
      const Mshr& mshr = registers_[i];
      if (mshr.attached || mshr.outstanding != 0 || mshr.waiting != 0) visit(mshr.line);
    }
  }
  Mshr& operator[](std::uint32_t index) { return registers_[index]; }

  /// A register for a line that has no attached one; the table is not full.
  std::uint32_t take(LineNumber line, std::uint64_t set, SectorMask have, bool attached);
  /// The attached register of a line, or none.
  std::uint32_t find(LineNumber line) const;
  void detach(std::uint32_t index);
  void detach_all();
  /// Nothing waits in it and nothing is on its way.
  void give_back(std::uint32_t index);
  /// Brings a register near the host's core.
  void prefetch(std::uint32_t index) const { __builtin_prefetch(&registers_[index], 1); }

 private:
  std::size_t chain(LineNumber line) const { return static_cast<std::size_t>((line ^ line >> shift_) & chain_mask_); }

  // What requests touch, in one line of the host's cache.
  Mshr* registers_;
  std::uint32_t* chains_;  ///< the first register + 1, or 0
  std::uint32_t chain_mask_;
  unsigned shift_;
  std::uint32_t count_;
  std::uint32_t free_ = 0;   ///< register + 1, or 0
  std::uint32_t fresh_ = 0;  ///< the registers from here on have never been used
  std::uint32_t open_ = 0;
  std::uint32_t peak_ = 0;

  // Zero words, so that registers which are never used cost no memory.
  ZeroedWords register_words_;
  ZeroedWords chain_words_;
};

[[gnu::always_inline]] inline std::uint32_t MshrTable::take(LineNumber line, std::uint64_t set, SectorMask have,
                                                            bool attached) {
  assert(!full());
  const std::uint32_t index = free_ != 0 ? free_ - 1 : fresh_++;
  Mshr& mshr = registers_[index];
  if (free_ != 0) free_ = mshr.next;
  if (++open_ > peak_) peak_ = open_;
  mshr.line = line;
  mshr.set = static_cast<std::uint32_t>(set);
  mshr.have = have;
  mshr.coming = 0;
  mshr.outstanding = 0;
  mshr.attached = attached;
  if (attached) {
    std::uint32_t& first = chains_[chain(line)];
    mshr.next = first;
    first = index + 1;
  }
  return index;
}

inline std::uint32_t MshrTable::find(LineNumber line) const {
  for (std::uint32_t at = chains_[chain(line)]; at != 0; at = registers_[at - 1].next) {
    if (registers_[at - 1].line == line) return at - 1;
  }
  return none;
}

[[gnu::always_inline]] inline void MshrTable::detach(std::uint32_t index) {
  Mshr& mshr = registers_[index];
  if (!mshr.attached) return;
  mshr.attached = false;
  std::uint32_t* link = &chains_[chain(mshr.line)];
  while (*link != index + 1) link = &registers_[*link - 1].next;
  *link = mshr.next;
}

[[gnu::always_inline]] inline void MshrTable::give_back(std::uint32_t index) {
  Mshr& mshr = registers_[index];
  assert(mshr.waiters.empty() && mshr.outstanding == 0);
  detach(index);
  mshr.next = free_;
  free_ = index + 1;
  --open_;
}

}  // namespace strata::cache
