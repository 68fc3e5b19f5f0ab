// SPDX-License-Identifier: Apache-2.0
// The one message that all blocks pass: a request for up to one 128-byte block
// of memory, with a mask of its 32-byte sectors. It travels down until some
// block can answer, and back up along the handlers whose numbers the blocks on its
// way left on its return path. A block that answers or forwards records this with
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
/// How many sectors. A table in a word: without hardware flags, compilers call
/// a library for this.
constexpr unsigned sector_count(SectorMask mask) {
  return static_cast<unsigned>(0x4332'3221'3221'2110U >> (mask * 4U) & 0xFU);
}

/// One bit per word of 4 bytes of a block, the lowest address first.
using WordMask = std::uint32_t;
inline constexpr std::uint64_t word_bytes = 4;
inline constexpr unsigned words_per_block = block_bytes / word_bytes;
inline constexpr WordMask all_words = ~WordMask{0};
/// The sectors all of whose words are in the mask.
constexpr SectorMask whole_sectors(WordMask words) {
  words &= words >> 4U;
  words &= words >> 2U;
  words &= words >> 1U;
  return static_cast<SectorMask>((words & 1U) | (words >> 7U & 2U) | (words >> 14U & 4U) | (words >> 21U & 8U));
}
/// All words of these sectors.
constexpr WordMask words_of(SectorMask sectors) {
  const WordMask spread = (sectors & 1U) | (sectors & 2U) << 7U | (sectors & 4U) << 14U | (sectors & 8U) << 21U;
  return spread * 0xFFU;
}

enum class Operation : std::uint8_t { load, store, atomic, writeback };
/// What an atomic is on wires: like a store, or packets of a sector each: one with its header where it changes one word,
/// otherwise one for each sector and one more; each further lane on a word has another (first-hand, H100 xbar2lts).
enum class AtomicPackets : std::uint8_t { as_store, one_word, some_words, whole_sectors };

/// Cache operators of a load: ca caches everywhere, cg passes the L1 by, cv as well and returns the newest value that a
/// coherent access has left anywhere on the device (CDNA 3: the sc1 bit). Where one L2 serves all cores, cv is cg.
enum class CacheOperator : std::uint8_t { ca, cg, cv };

/// Three lines of the host's cache: what every hop touches; what issue and answer touch, with the first four steps of
/// the return path; and the other steps, of requests that pass more than four blocks.
struct alignas(64) Transaction : engine::Message {
  Journey* journey = nullptr;        ///< where milestones go, if anyone looks
  std::uint64_t block = 0;           ///< physical address / 128
  SectorMask wanted = all_sectors;   ///< what the core asked for
  SectorMask fetched = all_sectors;  ///< what the present level asks the next one for
  Operation operation = Operation::load;
  CacheOperator cache_operator = CacheOperator::ca;
  std::uint16_t slice = 0;          ///< the slice it is at or on the way to
  std::uint8_t home_die = 0;        ///< memory die of the block, or unknown_home
  std::uint8_t serviced_level = 0;  ///< deepest level reached, an index into the machine's levels

  /// Blocks that a request may pass on its way.
  static constexpr std::size_t most_steps = 12;
  /// What a cache sends down of its own that knows no homes.
  static constexpr std::uint8_t unknown_home = 0xFF;

  /// The time up to now, since the last mark, was spent in stage.
  void mark(Stage stage, Time until) {
    if (journey != nullptr) journey->mark(stage, until);
  }

  /// When a handler receives the answer: at the answer's time, by an event,
  /// or as soon as that time is known, by a call; `ready` then says it. A call
  /// suits a block that only has to book a wire for then. It may not answer,
  /// forward or release anything before.
  enum class Notice : std::uint8_t { at_its_time, in_advance };

  /// Leaves word that the answer passes the handler on its way back. context is
  /// handed back by context() when it does.
  void return_through(engine::HandlerNumber handler, std::uint32_t context = 0, Notice notice = Notice::at_its_time) {
    assert(depth_ < path_.size());
    const std::uint32_t number = static_cast<std::uint32_t>(handler);
    path_[depth_++] = {notice == Notice::in_advance ? number | in_advance : number, context};
  }
  /// Sends the answer to the block that left its handler last.
  void answer(engine::Simulation& simulation, Time t) {
    const std::uint32_t handler = pop();
    if ((handler & in_advance) == 0) {
      simulation.at(t, engine::Priority::completion, simulation.numbered(engine::HandlerNumber{handler}), this);
    } else {
      ready = t;
      call(simulation, handler);
    }
  }
  /// For an answer that another process is to have at t: the handler that is then to be called, whatever its notice.
  engine::HandlerNumber answer_elsewhere(Time t) {
    ready = t;
    return engine::HandlerNumber{pop() & ~in_advance};
  }
  /// The same at this very instant, by a call: for the end of a handler that has
  /// nothing more to do.
  void answer_now(engine::Simulation& simulation) {
    ready = simulation.now();
    call(simulation, pop());
  }
  /// What the block now being called left with return_through().
  std::uint32_t context() const { return context_; }
  /// The set of the destination slice, set by the block that chose the slice; valid until the
  /// cache there has looked it up.
  void set_destination(std::uint16_t to_slice, std::uint32_t set) {
    slice = to_slice;
    context_ = set;
  }
  std::uint32_t set() const { return context_; }
  /// What the last block to call return_through() left, on the way down.
  std::uint32_t top_context() const { return path_[depth_ - 1U].context; }
  unsigned depth() const { return depth_; }

  /// Of a store: the sectors of `wanted` that it writes whole.
  SectorMask covered() const { return static_cast<SectorMask>(wanted & whole_sectors(words)); }
  /// Of an atomic: lanes on a word that another lane changes as well, each of which is a request of its own.
  unsigned atomic_repeats() const {
    return packets == AtomicPackets::as_store ? 0U : atomic_passes - sector_count(wanted);
  }
  /// A store that leaves some words of its sectors alone.
  bool masked() const { return words != all_words && covered() != wanted; }

 private:
  /// Set in the number of a handler that is called in advance.
  static constexpr std::uint32_t in_advance = std::uint32_t{1} << 31U;
  static_assert(engine::Simulation::most_handlers <= in_advance);
  struct Step {
    std::uint32_t handler;
    std::uint32_t context;
  };
  std::uint32_t pop() {
    assert(depth_ > 0);
    const Step& step = path_[--depth_];
    context_ = step.context;
    return step.handler;
  }
  void call(const engine::Simulation& simulation, std::uint32_t number) {
    const engine::Handler& handler = simulation.numbered(engine::HandlerNumber{number & ~in_advance});
    handler.function(handler.self, this);
  }

  std::uint32_t context_ = 0;  ///< going up: of the step taken last; going down: the set
  std::uint8_t depth_ = 0;

 public:
  std::uint8_t requester_die = 0;  ///< compute die of the core
  /// Of an atomic: turns of the unit that performs it. In one turn each word of
  /// one sector is changed once, so lanes on one word take a turn each.
  std::uint8_t atomic_passes : 7 = 1;
  bool returns_old : 1 = true;                             ///< an atomic; else its answer is an acknowledgement
  static constexpr std::uint8_t most_atomic_passes = 127;  ///< more (wide lanes astride) count as so many
  // Between the coherent master of a compute die and the coherent slave of the block's home; see cache/coherence.
  bool coherent : 1 = false;      ///< the slave orders it among the coherent accesses to its block
  bool tracked : 1 = false;       ///< its answer leaves a copy in the L2 of the requester's die
  bool dropped_copy : 1 = false;  ///< a tracked copy there was dropped for it
  AtomicPackets packets : 2 = AtomicPackets::as_store;
  /// Of the turns of an atomic those that change every word of their sector: at most 4 of 32 lanes of 4 B. Of wider or
  /// more lanes those above 7 count among the others.
  std::uint8_t whole_passes : 3 = 0;
  static constexpr std::uint8_t most_whole_passes = 7;

  // What issue and answer touch; then the steps, four of them in the same line of the host's cache.
  WordMask words = all_words;  ///< of a store: the words that it writes whole. All of them where no cache keeps masks:
                               ///< then a sector that is touched counts as written whole
  std::uint16_t core = 0;
  std::uint16_t warp = 0;
  Time issued{};
  std::uint64_t virtual_block = 0;  ///< address / 128 as the program sees it

 private:
  std::array<Step, most_steps> path_;
};
static_assert(sizeof(Transaction) == 192);

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
