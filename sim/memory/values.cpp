// SPDX-License-Identifier: Apache-2.0
#include "memory/values.hpp"

namespace strata::memory {

void Values::take(Words& words, const Words& from, WordMask mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto word = static_cast<std::size_t>(std::countr_zero(mask));
    words[word] = from[word];
  }
}

void Values::apply(Words& words, const Transaction& atomic, const Operand& operand) {
  for (WordMask mask = words_of(atomic.wanted) & operand.words; mask != 0; mask &= mask - 1) {
    Word& word = words[static_cast<std::size_t>(std::countr_zero(mask))];
    switch (operand.update) {
      case Update::add:
        word += operand.value;
        break;
      case Update::exchange:
        word = operand.value;
        break;
      case Update::compare_exchange:
        if (word == operand.expected) word = operand.value;
        break;
    }
  }
}

// The answer of an atomic is the previous words.
void Values::update(Words& words, const Transaction& atomic) {
  const Words before = words;
  apply(words, atomic, operands_[&atomic]);
  payloads_[&atomic] = before;
}

void Values::clear() {
  payloads_.clear();
  operands_.clear();
  incomplete_.clear();
  copies_.clear();
  registers_.clear();
  memory_.clear();
}

void Values::issue(const Transaction& transaction) {
  const Entered entered(guard_);
  const Operand operand = program_.issued(program_.self, transaction);
  operands_[&transaction] = operand;
  if (transaction.operation == Operation::store) payloads_[&transaction].fill(operand.value);
}

void Values::write(Place place, const Transaction& store, bool keep) {
  const Entered entered(guard_);
  Copy& copy = copies_[{place, store.block}];
  const WordMask mask = written_by(store);
  take(copy.words, payloads_[&store], mask);
  if (keep) copy.kept |= mask;
}

void Values::perform(Place place, const Transaction& atomic) {
  const Entered entered(guard_);
  Copy& copy = copies_[{place, atomic.block}];
  update(copy.words, atomic);
  copy.kept |= words_of(atomic.wanted);
}

void Values::keep_copy(Place place, const Transaction& atomic, SectorMask sectors) {
  const Entered entered(guard_);
  Words after = payloads_[&atomic];
  apply(after, atomic, operands_[&atomic]);
  Copy& copy = copies_[{place, atomic.block}];
  take(copy.words, after, words_of(sectors));
  copy.kept &= ~words_of(sectors);
}

void Values::fill(Place place, std::uint32_t mshr, const Transaction& fetch, SectorMask sectors, bool attached) {
  const Entered entered(guard_);
  const Words brought = payloads_[&fetch];
  Copy& copy = copies_[{place, fetch.block}];
  const WordMask mask = words_of(sectors);
  if (attached) return take(copy.words, brought, mask & ~copy.kept);
  const auto [own, created] = registers_.try_emplace({place, mshr}, copy.words);
  take(own->second, brought, mask);
}

void Values::read_mshr(Place place, std::uint32_t mshr, const Transaction& load) {
  const Entered entered(guard_);
  payloads_[&load] = registers_[{place, mshr}];
}

void Values::perform_mshr(Place place, std::uint32_t mshr, const Transaction& atomic) {
  const Entered entered(guard_);
  update(registers_[{place, mshr}], atomic);
}

void Values::fetched(Place place, std::uint32_t mshr, std::uint64_t block, SectorMask sectors) {
  const Entered entered(guard_);
  registers_.erase({place, mshr});
  copies_[{place, block}].kept &= ~words_of(sectors);
}

void Values::write_back(Place place, const Transaction& back) {
  const Entered entered(guard_);
  Copy& copy = copies_[{place, back.block}];
  payloads_[&back] = copy.words;
  copy.kept &= ~words_of(back.wanted);
}

// The cache treats the sectors as valid from now on, so the values of memory replace those in flight.
void Values::ask_missing(Place place, const Transaction& completion) {
  const Entered entered(guard_);
  Copy& copy = copies_[{place, completion.block}];
  incomplete_[&completion] = copy;
  take(copy.words, memory_[completion.block], words_of(completion.fetched) & ~copy.kept);
  copy.kept = 0;
}

void Values::merge_missing(Place place, const Transaction& completion, SectorMask came) {
  const Entered entered(guard_);
  Copy whole = incomplete_[&completion];
  const WordMask missing = words_of(came) & ~whole.kept;
  take(whole.words, payloads_[&completion], missing);
  Copy& copy = copies_[{place, completion.block}];
  take(copy.words, whole.words, missing & ~copy.kept);
  payloads_[&completion] = whole.words;
  incomplete_.erase(&completion);
}

void Values::at_memory(const Transaction& transaction) {
  const Entered entered(guard_);
  Words& words = memory_[transaction.block];
  switch (transaction.operation) {
    case Operation::load:
      payloads_[&transaction] = words;
      break;
    case Operation::atomic:
      update(words, transaction);
      break;
    case Operation::store:
    case Operation::writeback:
      take(words, payloads_[&transaction], written_by(transaction));
      break;
  }
}

}  // namespace strata::memory
