// SPDX-License-Identifier: Apache-2.0
// A memory with values: the values of loads, by the paths of stores and copies.
#include "memory/values.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "catch.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

using memory::CacheOperator;
using memory::Operation;
using memory::Transaction;
using memory::Values;

// One access at a time; a store writes the number that is set.
class Accesses {
 public:
  explicit Accesses(const MachineSpec& spec)
      : machine_(spec),
        values_({[](void* self, const Transaction&) { return static_cast<Accesses*>(self)->operand_; },
                 [](void* self, const Transaction&, const Values::Words& words) {
                   static_cast<Accesses*>(self)->words_ = words;
                 },
                 this}) {
    machine_.keep_values(values_);
  }
  Machine& machine() { return machine_; }

  void store(std::uint32_t core, std::uint64_t address, Values::Word value) {
    access(core, address, Operation::store, CacheOperator::ca, value);
  }
  Values::Word load(std::uint32_t core, std::uint64_t address, CacheOperator cache_operator = CacheOperator::ca) {
    access(core, address, Operation::load, cache_operator, 0);
    return words_[address % memory::block_bytes / memory::word_bytes];
  }
  Values::Word add(std::uint32_t core, std::uint64_t address, Values::Word operand) {
    access(core, address, Operation::atomic, CacheOperator::ca, operand);
    return words_[address % memory::block_bytes / memory::word_bytes];
  }
  Values::Word update(std::uint32_t core, std::uint64_t address, memory::Update update, Values::Word value,
                      Values::Word expected = 0) {
    operand_.update = update;
    operand_.expected = expected;
    access(core, address, Operation::atomic, CacheOperator::ca, value);
    operand_.update = memory::Update::add;
    return words_[address % memory::block_bytes / memory::word_bytes];
  }
  void release(std::uint32_t core, std::uint64_t address) {
    const std::uint64_t block = address / memory::block_bytes;
    while (!machine_.release(core, {&block, 1})) machine_.run();
  }
  void acquire(std::uint32_t core, std::uint64_t address) {
    const std::uint64_t block = address / memory::block_bytes;
    machine_.acquire(core, {&block, 1});
  }

 private:
  void access(std::uint32_t core, std::uint64_t address, Operation operation, CacheOperator cache_operator,
              Values::Word operand) {
    operand_.value = operand;
    operand_.words = memory::WordMask{1} << address % memory::block_bytes / memory::word_bytes;
    trace::Instruction pattern;
    pattern.bytes_per_lane = 4;
    pattern.operation = operation;
    pattern.cache_operator = cache_operator;
    trace::PointerChase one({address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
    machine_.start(core, one, {[](void*, std::uint32_t, Duration, unsigned) {}, nullptr});
    machine_.run();
  }

  Values::Operand operand_;
  Values::Words words_{};
  Machine machine_;
  Values values_;
};

// Only loads and atomics on a few words; each warp one access after the other.
class Counter final : public trace::WarpStream {
 public:
  Counter(std::uint64_t seed, std::uint64_t words, std::uint64_t accesses)
      : random_(seed), words_(words), left_(accesses) {}
  bool next(trace::Instruction& instruction) override {
    if (left_ == 0) return false;
    --left_;
    instruction = {};
    instruction.operation = random_.below(2) == 0 ? Operation::atomic : Operation::load;
    instruction.cache_operator = CacheOperator::cg;
    instruction.bytes_per_lane = 4;
    instruction.addresses[0] = random_.below(words_) * 36;  // nine words apart, so that lines are shared
    return true;
  }

 private:
  RandomSequence random_;
  std::uint64_t words_, left_;
};

struct Seen {
  std::map<std::uint64_t, std::vector<Values::Word>> before;  ///< by address: values that atomics found
  std::map<std::pair<std::uint64_t, std::uint64_t>, Values::Word>
      latest;  ///< by warp and address: the value that it read last
  std::uint64_t backwards = 0;
};

MachineSpec with_masks(MachineSpec spec) {
  spec.core.load_store.masked_stores = true;
  spec.l2.cache.masked_lines = 8;
  return spec;
}

// Atomics of private L2s are performed at the memory side, as on an MI300X.
MachineSpec chiplets_with_atomics() {
  MachineSpec spec = chiplets();
  spec.l2.cache.performs_atomics = false;
  spec.memory_side_cache->cache.performs_atomics = true;
  return spec;
}

}  // namespace

TEST_CASE("an_atomic_adds_exchanges_or_compares") {
  using memory::Update;
  for (const MachineSpec& spec : {monolithic(), two_sides()}) {
    CAPTURE(spec.name);
    Accesses memory(spec);
    constexpr std::uint64_t word = 1028;
    CHECK(memory.update(0, word, Update::compare_exchange, 7) == 0);  // was 0: written
    CHECK(memory.update(1, word, Update::compare_exchange, 9) == 7);  // was not: unchanged
    CHECK(memory.update(2, word, Update::exchange, 4) == 7);
    CHECK(memory.update(3, word, Update::add, 3) == 4);
    CHECK(memory.update(0, word, Update::compare_exchange, 1, 7) == 7);
    CHECK(memory.update(1, word, Update::add, 0) == 1);
    CHECK(memory.update(2, word + 4, Update::add, 0) == 0);
  }
}

TEST_CASE("a_load_returns_what_a_store_wrote_before_it") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), with_masks(monolithic()), with_masks(two_sides())}) {
    CAPTURE(spec.name, spec.core.load_store.masked_stores);
    Accesses accesses(spec);
    for (const std::uint64_t address : {0U, 132U, 4096U, 8188U}) {
      CHECK(accesses.load(1, address) == 0);
      accesses.store(0, address, address + 7);
      CHECK(accesses.load(0, address) == address + 7);
      CHECK(accesses.load(2, address) == address + 7);
      CHECK(accesses.load(2, address ^ 4U) == (spec.core.load_store.masked_stores ? 0 : address + 7));
    }
  }
}

// The L1 of the reader holds the line; the store reaches the L2 alone.
TEST_CASE("a_copy_in_an_L1_is_read_until_it_is_invalidated") {
  Accesses accesses(monolithic());
  CHECK(accesses.load(1, 64) == 0);
  accesses.store(0, 64, 5);
  CHECK(accesses.load(1, 64) == 0);
  CHECK(accesses.load(1, 64, CacheOperator::cg) == 5);
  CHECK(accesses.load(1, 64) == 5);  // that load took the copy away
  accesses.store(0, 64, 6);
  CHECK(accesses.load(1, 64) == 5);
  accesses.acquire(1, 64);
  CHECK(accesses.load(1, 64) == 6);
}

// Each die has a private L2 that holds the stores of its cores (MX-30, MX-31): cores 0 and 1 are of
// die 0, core 2 is of die 1.
TEST_CASE("a_store_stays_in_the_private_L2_of_its_die_until_a_release") {
  Accesses accesses(chiplets());
  CHECK(accesses.load(2, 64, CacheOperator::cg) == 0);
  accesses.store(0, 64, 5);
  CHECK(accesses.load(1, 64, CacheOperator::cg) == 5);
  CHECK(accesses.load(2, 64, CacheOperator::cg) == 0);
  accesses.acquire(2, 64);
  CHECK(accesses.load(2, 64, CacheOperator::cg) == 0);  // it is not written back
  accesses.release(0, 64);
  CHECK(accesses.load(2, 64, CacheOperator::cg) == 0);  // a separate copy
  accesses.acquire(2, 64);
  CHECK(accesses.load(2, 64, CacheOperator::cg) == 5);
  CHECK(accesses.load(4, 64) == 5);
}

TEST_CASE("an_eviction_writes_the_words_back") {
  MachineSpec spec = monolithic();
  Accesses accesses(spec);
  // 16 KiB of L2 in all: 256 lines of 128 B pass it by far.
  for (std::uint64_t line = 0; line < 256; ++line) accesses.store(0, line * 128 + 8, line + 1);
  for (std::uint64_t line = 0; line < 256; ++line) CHECK(accesses.load(1, line * 128 + 8) == line + 1);
}

TEST_CASE("a_store_of_some_words_keeps_the_others") {
  Accesses accesses(with_masks(monolithic()));
  accesses.store(0, 0, 3);
  for (std::uint64_t line = 1; line < 256; ++line) accesses.store(0, line * 128, 1);  // evicts line 0
  accesses.store(0, 4, 9);
  CHECK(accesses.load(1, 0) == 3);
  CHECK(accesses.load(1, 4) == 9);
  for (std::uint64_t line = 1; line < 256; ++line) accesses.store(0, line * 128, 2);
  CHECK(accesses.load(2, 0) == 3);
  CHECK(accesses.load(2, 4) == 9);
}

TEST_CASE("atomics_lose_nothing_wherever_they_are_performed") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets_with_atomics()}) {
    CAPTURE(spec.name);
    Accesses accesses(spec);
    for (std::uint64_t n = 0; n < 24; ++n) CHECK(accesses.add(static_cast<std::uint32_t>(n % 4), 260, 2) == 2 * n);
    CHECK(accesses.load(3, 260, CacheOperator::cg) == 48);
  }
}

// Atomics are the only writers, so the values of a word rise by one: those that atomics find are 0, 1, 2, ...
// without gap or repetition, in whatever order, and no warp ever reads a value below one it has read.
TEST_CASE("atomics_of_all_cores_on_a_few_lines_are_performed_one_after_the_other") {
  constexpr std::uint64_t words = 12, accesses = 400;
  for (MachineSpec spec : {monolithic(), two_sides(), chiplets_with_atomics()})
    for (const std::uint64_t mshrs : {2U, 16U}) {
      CAPTURE(spec.name, mshrs);
      spec.l2.cache.mshrs = mshrs;
      spec.l1.cache.mshrs = mshrs;
      Machine machine(spec);
      Seen seen;
      Values values(
          {[](void*, const Transaction&) { return Values::Operand{1}; },
           [](void* self, const Transaction& transaction, const Values::Words& found) {
             auto& all = *static_cast<Seen*>(self);
             for (std::uint64_t word = 0; word < words; ++word) {
               const std::uint64_t address = word * 36;
               if (address / 128 != transaction.virtual_block || (transaction.wanted >> (address % 128 / 32) & 1U) == 0)
                 continue;
               const Values::Word value = found[address % 128 / 4];
               const bool atomic = transaction.operation == Operation::atomic;
               if (atomic) all.before[address].push_back(value);
               Values::Word& latest = all.latest[{std::uint64_t{transaction.core} << 32U | transaction.warp, address}];
               if (value < latest) ++all.backwards;
               latest = std::max(latest, atomic ? value + 1 : value);
             }
           },
           &seen});
      machine.keep_values(values);
      std::vector<std::unique_ptr<Counter>> streams;
      const auto cores = static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die);
      for (std::uint32_t core = 0; core < cores; ++core)
        for (std::uint64_t warp = 0; warp < 3; ++warp) {
          streams.push_back(std::make_unique<Counter>(core * 3 + warp, words, accesses));
          machine.start(core, *streams.back(), {[](void*, std::uint32_t, Duration, unsigned) {}, nullptr});
        }
      REQUIRE(machine.run());
      std::size_t performed = 0;
      for (auto& [address, found] : seen.before) {
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(found[i] == i);
        performed += found.size();
      }
      CHECK(performed > cores * 3 * accesses / 3);
      CHECK(seen.backwards == 0);
    }
}

TEST_CASE("a_machine_with_a_write_back_L1_has_no_values") {
  MachineSpec spec = monolithic();
  spec.l1.cache.write_policy = cache::WritePolicy::write_back;
  Machine machine(spec);
  Values values({nullptr, nullptr, nullptr});
  CHECK_THROWS_AS(machine.keep_values(values), InvalidRequest);
}

TEST_CASE("a_machine_with_a_victim_cache_keeps_no_values") {
  MachineSpec spec = monolithic();
  spec.l1.victim_cache.emplace();
  Machine machine(spec);
  Values values({nullptr, nullptr, nullptr});
  CHECK_THROWS_AS(machine.keep_values(values), InvalidRequest);
}

}  // namespace strata::machine::test
