// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks wait for each other: locks, a barrier of all blocks, queues. They read values, so they run on a
// memory with values. One lane of a warp synchronises, by atomics, which are performed at a level that all cores share;
// each shared word lies in a separate line.
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::choices;
using config::range;
using config::Schema;
using memory::Word;

constexpr std::uint64_t line = memory::block_bytes;
constexpr Registers result = reg(1);

trace::KernelInfo info_of(const char* name, std::uint64_t blocks, std::uint64_t threads, const Arrays& arrays,
                          const Target& target) {
  trace::KernelInfo info{name, {}, {}, 16, 0, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>(blocks);
  info.block.x = static_cast<std::uint32_t>(threads);
  info.regions = arrays.regions();
  info.reads_values = true;
  return info;
}

// States that are impossible unless the machine violates the semantics of atomics.
void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("a synchronising kernel found that ") + what);
}

enum class Lock : std::uint8_t { cas, ticket };

struct SpinLock {
  std::uint64_t blocks = 256;
  std::uint64_t acquisitions = 16;
  std::uint64_t locks = 1;
  std::uint64_t work = 100;
  Lock lock = Lock::cas;
  std::uint64_t words = 0;  ///< of lock k: line 2 k, and of a ticket lock the ticket that is served: line 2 k + 1
  std::shared_ptr<std::vector<bool>> held;

  static Schema<SpinLock> schema() {
    return Schema<SpinLock>("spin_lock", "blocks of one thread that take a lock in turn")
        .optional("blocks", &SpinLock::blocks, "blocks of one thread", range(1, 65536))
        .optional("acquisitions", &SpinLock::acquisitions, "of each block", range(1, 1000000))
        .optional("locks", &SpinLock::locks, "block b takes lock b modulo locks", range(1, 65536))
        .optional("work", &SpinLock::work, "arithmetic instructions, each after the other, while the lock is held",
                  range(0, 65535))
        .optional("lock", &SpinLock::lock, "how a lock is taken",
                  choices<Lock>({{"cas", Lock::cas, "by compare-and-swap of 0 for 1, tried until it succeeds"},
                                 {"ticket", Lock::ticket, "by a ticket, in the order of arrival"}}));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    SpinLock run = *this;
    Arrays memory;
    run.words = memory.allocate(2 * locks * line);
    run.held = std::make_shared<std::vector<bool>>(locks);
    return std::make_unique<ProgramKernel<SpinLock>>(info_of("spin_lock", blocks, 1, memory, target), run, program);
  }

 private:
  static Program program(Warp& w, const SpinLock& p) {
    const std::uint64_t lock = w.block.x % p.locks;
    const std::uint64_t lock_word = p.words + 2 * lock * line;
    const std::uint64_t served = lock_word + line;
    for (std::uint64_t k = 0; k < p.acquisitions; ++k) {
      if (p.lock == Lock::cas) {
        do {
          co_yield w.compare_exchange(result, lock_word, 0, 1);
          co_yield w.wait(result);
          co_yield w.op(OpClass::control);
        } while (w.value() != 0);
      } else {
        co_yield w.add(result, lock_word, 1);
        co_yield w.wait(result);
        const Word ticket = w.value();
        do {
          co_yield w.add(result, served, 0);
          co_yield w.wait(result);
          co_yield w.op(OpClass::control);
        } while (w.value() != ticket);
      }
      expect(!(*p.held)[lock], "two blocks hold one lock");
      (*p.held)[lock] = true;
      for (std::uint64_t i = 0; i < p.work; ++i) co_yield w.op(OpClass::integer, reg(2), reg(2));
      co_yield w.fence(trace::Scope::gpu);
      (*p.held)[lock] = false;
      if (p.lock == Lock::cas)
        co_yield w.exchange({}, lock_word, 0);
      else
        co_yield w.add({}, served, 1);
    }
    co_yield w.exit();
  }
};

struct GridBarrier {
  std::uint64_t blocks = 64;
  std::uint64_t threads = 256;
  std::uint64_t rounds = 16;
  std::uint64_t work = 100;
  std::uint64_t arrivals = 0;  ///< address of the counter; the number of rounds that are over: a line behind it
  std::shared_ptr<std::uint64_t> arrived;

  static Schema<GridBarrier> schema() {
    return Schema<GridBarrier>("grid_barrier", "rounds of work with a barrier of all blocks after each")
        .optional("blocks", &GridBarrier::blocks, "blocks, all of which must be resident", range(1, 65536))
        .optional("threads", &GridBarrier::threads, "threads of a block", range(1, 1024))
        .optional("rounds", &GridBarrier::rounds, "barriers that each block passes", range(1, 1000000))
        .optional("work", &GridBarrier::work,
                  "arithmetic instructions of each warp before a barrier, each after the other", range(0, 65535));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    GridBarrier run = *this;
    Arrays memory;
    run.arrivals = memory.allocate(2 * line);
    run.arrived = std::make_shared<std::uint64_t>(0);
    trace::KernelInfo info = info_of("grid_barrier", blocks, threads, memory, target);
    info.together = true;
    return std::make_unique<ProgramKernel<GridBarrier>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const GridBarrier& p) {
    const std::uint64_t all = w.active;
    const std::uint64_t over = p.arrivals + line;
    for (std::uint64_t round = 0; round < p.rounds; ++round) {
      for (std::uint64_t i = 0; i < p.work; ++i) co_yield w.op(OpClass::integer, reg(2), reg(2));
      co_yield w.barrier();
      if (w.number == 0) {
        w.active = 1;
        ++*p.arrived;
        co_yield w.fence(trace::Scope::gpu);
        co_yield w.add(result, p.arrivals, 1);
        co_yield w.wait(result);
        if (w.value() + 1 == (round + 1) * p.blocks) {
          co_yield w.add({}, over, 1);
        } else {
          do {
            co_yield w.add(result, over, 0);
            co_yield w.wait(result);
            co_yield w.op(OpClass::control);
          } while (w.value() <= round);
        }
        expect(*p.arrived >= (round + 1) * p.blocks, "a block has left a barrier that another has yet to reach");
        w.active = all;
      }
      co_yield w.barrier();
    }
    co_yield w.exit();
  }
};

struct Queue {
  std::uint64_t pairs = 32;
  std::uint64_t items = 64;
  std::uint64_t slots = 8;
  std::uint64_t work = 0;
  std::uint64_t words = 0;  ///< of each pair: items put, items taken, slots; a line each

  static Schema<Queue> schema() {
    return Schema<Queue>("queue", "pairs of blocks that pass items through a ring of slots")
        .optional("pairs", &Queue::pairs, "pairs of blocks of one thread", range(1, 32768))
        .optional("items", &Queue::items, "that each producer puts", range(1, 1000000))
        .optional("slots", &Queue::slots, "items that a ring holds", range(1, 1024))
        .optional("work", &Queue::work, "arithmetic instructions of the consumer for an item, each after the other",
                  range(0, 65535));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Queue run = *this;
    Arrays memory;
    run.words = memory.allocate(pairs * (2 + slots) * line);
    trace::KernelInfo info = info_of("queue", 2 * pairs, 1, memory, target);
    info.together = true;
    return std::make_unique<ProgramKernel<Queue>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const Queue& p) {
    const bool producer = w.block.x % 2 == 0;
    const std::uint64_t put = p.words + w.block.x / 2 * (2 + p.slots) * line;
    const std::uint64_t taken = put + line;
    Word seen = 0;  // of the other's count
    for (Word item = 0; item < p.items; ++item) {
      // The producer needs a free slot, the consumer an item.
      while (producer ? item - seen >= p.slots : seen <= item) {
        co_yield w.add(result, producer ? taken : put, 0);
        co_yield w.wait(result);
        co_yield w.op(OpClass::control);
        seen = w.value();
      }
      const std::uint64_t slot = taken + (1 + item % p.slots) * line;
      if (producer) {
        co_yield w.exchange(result, slot, item + 1);
      } else {
        co_yield w.add(result, slot, 0);
        co_yield w.wait(result);
        expect(w.value() == item + 1, "a consumer took another item than was put");
        for (std::uint64_t i = 0; i < p.work; ++i) co_yield w.op(OpClass::integer, reg(2), reg(2));
      }
      co_yield w.fence(trace::Scope::gpu);
      co_yield w.add({}, producer ? put : taken, 1);
    }
    co_yield w.exit();
  }
};

constexpr std::array synchronizing_table{
    kind<SpinLock>(
        "spin_lock", "blocks take a lock in turn",
        "Lock k is the word in line 2 k, the ticket that is served in line 2 k + 1. Block b takes lock b modulo "
        "`locks` by atomics of one thread, works, waits for its accesses and gives it back by an atomic."),
    kind<GridBarrier>(
        "grid_barrier", "rounds of work, each ended by a barrier of all blocks",
        "One thread of each block adds 1 to the word in line 0. The last of a round adds 1 to the word in "
        "line 1; the others read that by atomics until the round is over."),
    kind<Queue>("queue", "a producer and a consumer pass items through a ring",
                "Block 2 p is the producer of pair p, block 2 p + 1 its consumer. Of each pair, line 0 counts items "
                "put, line 1 items taken, and the lines behind are the slots; each access is an atomic."),
};

}  // namespace

std::span<const KernelKind> synchronizing_kinds() { return synchronizing_table; }

}  // namespace strata::kernels
