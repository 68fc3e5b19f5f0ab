// SPDX-License-Identifier: Apache-2.0
// A memory with values, for those who ask what threads see of each other's stores. Blocks keep time
// and tags only; where a Values is given to them they also report each step by which words move, and
// a load is answered with the words that stores left along the way it took. A copy in a cache that
// another core's store does not reach therefore stays as it is, and is read, as long as its tag is
// valid. Words that are never written are 0.
//
// A step takes place when the block decides it, at the look-up in the tags: between issue and answer of
// the request, in the order of the block. What lies behind the last cache that a die owns (a
// memory-side cache with its channels) serves all requests for a block in the order in which they come, so
// it is one place here.
//
// A store writes the words that its request names: all of its sectors where core.load_store.masked_stores is off.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "base/random.hpp"
#include "memory/transaction.hpp"
#include "memory/words.hpp"

namespace strata::memory {

/// Where several threads report how words move, what keeps them apart: each report enters and leaves it.
struct ValuesGuard {
  void (*enter)(void* self) = nullptr;
  void (*leave)(void* self) = nullptr;
  void* self = nullptr;
};

class Values {
 public:
  using Word = memory::Word;
  using Words = memory::Words;
  using Operand = memory::Operand;
  /// The caches of a machine, by address.
  using Place = const void*;

  /// What the program does with values.
  struct Program {
    /// A request is issued. What it returns is not read of a load.
    Operand (*issued)(void* self, const Transaction& transaction);
    /// A load or an atomic has its answer: the words of its block, of which it asked for some.
    void (*answered)(void* self, const Transaction& transaction, const Words& words);
    void* self;
  };
  explicit Values(const Program& program, const ValuesGuard& guard = {}) : program_(program), guard_(guard) {}
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  /// Every word is 0 again. While no request is under way.
  void clear();

  // At a core.
  void issue(const Transaction& transaction);
  void answer(const Transaction& transaction) {
    const Entered entered(guard_);
    program_.answered(program_.self, transaction, payloads_[&transaction]);
  }

  // At a cache.
  /// A line of these sectors is allocated: nothing that was written here before is newer than what a fetch brings.
  void allocate(Place place, std::uint64_t block, SectorMask sectors) {
    const Entered entered(guard_);
    copies_[{place, block}].kept &= ~words_of(sectors);
  }
  void read(Place place, const Transaction& load) {
    const Entered entered(guard_);
    payloads_[&load] = copies_[{place, load.block}].words;
  }
  /// A store. keep: a fetch that is under way must not overwrite it.
  void write(Place place, const Transaction& store, bool keep);
  /// An atomic changes the words here as its operand says.
  void perform(Place place, const Transaction& atomic);
  /// The answer of an atomic that was performed below leaves these sectors here, as they are after it.
  void keep_copy(Place place, const Transaction& atomic, SectorMask sectors);
  /// A fetch has come with these sectors. attached: the line is held for it; else the data are kept
  /// by its register.
  void fill(Place place, std::uint32_t mshr, const Transaction& fetch, SectorMask sectors, bool attached);
  /// What waits for a register that is not attached.
  void read_mshr(Place place, std::uint32_t mshr, const Transaction& load);
  void perform_mshr(Place place, std::uint32_t mshr, const Transaction& atomic);
  /// The last fetch of a register has come; these sectors are no longer newer than what is below.
  void fetched(Place place, std::uint32_t mshr, std::uint64_t block, SectorMask sectors);
  /// What is dirty leaves by this transaction.
  void write_back(Place place, const Transaction& back);
  /// The missing words of masked sectors are asked for by this transaction, and have come.
  void ask_missing(Place place, const Transaction& completion);
  void merge_missing(Place place, const Transaction& completion, SectorMask came);

  /// A read that joined another on its way has that one's answer.
  void share(const Transaction& leader, const Transaction& joined) {
    const Entered entered(guard_);
    payloads_[&joined] = Words(payloads_[&leader]);
  }

  /// Behind the last cache of a die.
  void at_memory(const Transaction& transaction);

 private:
  struct Entered {
    explicit Entered(const ValuesGuard& guard) : guard_(guard) {
      if (guard_.enter != nullptr) guard_.enter(guard_.self);
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
    ~Entered() {
      if (guard_.leave != nullptr) guard_.leave(guard_.self);
    }
    const ValuesGuard& guard_;
  };
  struct Copy {
    Words words{};
    WordMask kept = 0;  ///< written here and newer than what comes from below
  };
  struct Where {
    Place place;
    std::uint64_t number;
    bool operator==(const Where&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Where& where) const {
      return static_cast<std::size_t>(mix(reinterpret_cast<std::uintptr_t>(where.place), where.number));
    }
  };
  static WordMask written_by(const Transaction& t) {
    return t.operation == Operation::writeback ? words_of(t.wanted) : words_of(t.wanted) & t.words;
  }
  static void take(Words& words, const Words& from, WordMask mask);
  static void apply(Words& words, const Transaction& atomic, const Operand& operand);
  void update(Words& words, const Transaction& atomic);

  Program program_;
  ValuesGuard guard_;
  std::unordered_map<const Transaction*, Words> payloads_;
  std::unordered_map<const Transaction*, Operand> operands_;
  std::unordered_map<const Transaction*, Copy> incomplete_;  ///< of completions, what was here
  std::unordered_map<Where, Copy, Hash> copies_;             ///< by block
  std::unordered_map<Where, Words, Hash> registers_;         ///< by MSHR, of those that are not attached
  std::unordered_map<std::uint64_t, Words> memory_;
};

}  // namespace strata::memory
