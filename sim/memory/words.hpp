// SPDX-License-Identifier: Apache-2.0
// Contents of memory, for a memory with values: see values.hpp.
#pragma once
#include <array>
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::memory {

/// Of 4 bytes of the machine, whose contents may be any number.
using Word = std::uint64_t;
using Words = std::array<Word, words_per_block>;

/// What an atomic does to a word.
enum class Update : std::uint8_t { add, exchange, compare_exchange };

/// Of a store, what it writes to each of its words; of an atomic, what it does to these.
struct Operand {
  Word value = 0;               ///< what is written or added
  WordMask words = all_words;   ///< of an atomic; a store's are those of the request
  Update update = Update::add;  ///< of an atomic
  Word expected = 0;            ///< compare_exchange writes only where the word was this
};

}  // namespace strata::memory
