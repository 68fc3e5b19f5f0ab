// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers (Kroft: Lockup-Free Instruction Fetch/Prefetch
// Cache Organization, 1981): one for each line being fetched, with the
// requests that wait for it. A flat table, a free list and an open-addressed
// index from line to register. A register is attached while the line in the
// tags is held for it; one that is detached (the line was dropped, or the load
// passes the cache by) still answers its own requests but gathers no others
// and leaves nothing in the tags.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/line_word.hpp"
#include "engine/port.hpp"

namespace strata::cache {

struct Mshr {
  LineNumber line = 0;
  std::uint64_t set = 0;
  engine::MessageList waiters;   ///< merged requests, first come first answered
  SectorMask have = 0;           ///< sectors that requests of this register may use
  SectorMask coming = 0;         ///< sectors on their way
  std::uint8_t outstanding = 0;  ///< fetches on their way
  bool attached = false;
  bool far = false;  ///< another die's cache must answer
  std::uint32_t next_free = 0;
};

class MshrTable {
 public:
  static constexpr std::uint32_t most = 1U << 20U;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// 1 <= count <= most.
  explicit MshrTable(std::uint32_t count);

  bool full() const { return open_ == registers_.size(); }
  std::uint32_t open() const { return open_; }
  Mshr& operator[](std::uint32_t index) { return registers_[index]; }

  /// A register for a line that has no attached one; the table is not full.
  std::uint32_t take(LineNumber line, std::uint64_t set, SectorMask have, bool attached);
  /// The attached register of a line, or none.
  std::uint32_t find(LineNumber line) const;
  void detach(std::uint32_t index);
  void detach_all();
  /// Nothing waits in it and nothing is on its way.
  void give_back(std::uint32_t index);

 private:
  std::size_t home(LineNumber line) const {
    return static_cast<std::size_t>((line * 0x9E3779B97F4A7C15U) >> shift_);
  }
  std::size_t slot_of(std::uint32_t index) const;

  std::vector<Mshr> registers_;
  std::vector<std::uint32_t> slots_;  ///< register + 1, or 0; linear probing
  unsigned shift_;
  std::uint32_t free_ = 0;
  std::uint32_t open_ = 0;
};

}  // namespace strata::cache
