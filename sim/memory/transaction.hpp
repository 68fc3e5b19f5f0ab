// SPDX-License-Identifier: Apache-2.0
// The one message that all blocks pass: a request for up to one 128-byte block
// of memory, with a mask of its 32-byte sectors. It travels down until some
// block can answer, and back up along the handlers that the blocks on its way
// left on its return path. A block that answers or forwards says so with
// mark(), so that the milestones of an observed transaction add up to its
// latency exactly; an unobserved one pays a null test.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>

#include "engine/port.hpp"
#include "memory/journey.hpp"

namespace strata::memory {

inline constexpr std::uint64_t block_bytes = 128;
inline constexpr std::uint64_t sector_bytes = 32;
inline constexpr unsigned sectors_per_block = 4;

/// One bit per sector of a block, the lowest address first.
using SectorMask = std::uint8_t;
inline constexpr SectorMask all_sectors = 0xF;

enum class Operation : std::uint8_t { load, store, atomic, writeback };

/// Cache operators of a load: ca caches everywhere, cg passes the L1 by.
enum class CacheOperator : std::uint8_t { ca, cg };

struct Transaction : engine::Message {
  std::uint64_t virtual_block = 0;  ///< address / 128 as the program sees it
  std::uint64_t block = 0;          ///< physical address / 128
  SectorMask wanted = all_sectors;  ///< what the core asked for
  SectorMask fetched = all_sectors; ///< what the present level asks the next one for
  Operation operation = Operation::load;
  CacheOperator cache_operator = CacheOperator::ca;
  std::uint8_t requester_die = 0;   ///< compute die of the core
  std::uint8_t home_die = 0;        ///< memory die of the block
  std::uint8_t deepest = 0;         ///< deepest level reached, an index into the machine's levels
  std::uint16_t slice = 0;          ///< the slice it is at or on the way to
  std::uint32_t core = 0;
  std::uint32_t warp = 0;
  Time issued{};
  Journey* journey = nullptr;       ///< where milestones go, if anyone looks

  /// The time up to now, since the last mark, was spent in stage.
  void mark(Stage stage, Time until) {
    if (journey != nullptr) journey->mark(stage, until);
  }

  /// Leaves word that the answer passes handler on its way back. context is
  /// handed back by context() when it does.
  void return_through(const engine::Handler& handler, std::uint32_t context = 0) {
    assert(depth_ < path_.size());
    path_[depth_++] = {&handler, context};
  }
  /// Sends the answer to the block that left its handler last.
  void answer(engine::Simulation& simulation, Time t) {
    assert(depth_ > 0);
    const Step& step = path_[--depth_];
    context_ = step.context;
    simulation.at(t, engine::Priority::completion, *step.handler, this);
  }
  /// What the block now being called left with return_through().
  std::uint32_t context() const { return context_; }
  unsigned depth() const { return depth_; }

 private:
  struct Step {
    const engine::Handler* handler;
    std::uint32_t context;
  };
  std::array<Step, 12> path_;
  std::uint32_t context_ = 0;
  std::uint8_t depth_ = 0;
};

/// Where a block passes transactions on: a direct call, not an event. ready is
/// the earliest time at which the transaction may leave the caller.
struct Sink {
  using Function = void (*)(void* self, Transaction& transaction, Time ready);
  Function function = nullptr;
  void* self = nullptr;

  void take(Transaction& transaction, Time ready) const { function(self, transaction, ready); }
};

template <auto Member>
struct MemberSink;
template <class Block, void (Block::*Member)(Transaction&, Time)>
struct MemberSink<Member> {
  static Sink of(Block& block) {
    return {[](void* self, Transaction& transaction, Time ready) {
              (static_cast<Block*>(self)->*Member)(transaction, ready);
            },
            &block};
  }
};
template <auto Member, class Block>
Sink sink(Block& block) {
  return MemberSink<Member>::of(block);
}

}  // namespace strata::memory
