// SPDX-License-Identifier: Apache-2.0
// One line of a tag array in one 64-bit word: which line it is, which 32-byte
// sectors are valid, which of them are dirty, whether a fetch is under way,
// two bits for tags apart from their data, and two that belong to the replacement policy. A word of zero is an
// empty place, so that an array of fresh zero pages is an empty cache.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "memory/transaction.hpp"

namespace strata::replacement {

using memory::SectorMask;

/// Physical address / line size.
using LineNumber = std::uint64_t;

class LineWord {
 public:
  static constexpr std::uint64_t valid_bits = 0xF;
  static constexpr unsigned dirty_shift = 4;
  static constexpr std::uint64_t dirty_bits = std::uint64_t{0xF} << dirty_shift;
  static constexpr std::uint64_t pending_bit = std::uint64_t{1} << 8U;
  static constexpr std::uint64_t reused_bit = std::uint64_t{1} << 9U;    ///< used since its data came
  static constexpr std::uint64_t no_data_bit = std::uint64_t{1} << 10U;  ///< the tag alone has stayed
  static constexpr unsigned policy_shift = 12;
  static constexpr std::uint64_t policy_bits = std::uint64_t{3} << policy_shift;
  static constexpr unsigned tag_shift = 16;
  static constexpr unsigned low_shift = 32;

  /// The tag of a line in place; never zero. line < 2^48 - 1. The low half of the
  /// number stands highest, where a search compares it without moving anything.
  static constexpr std::uint64_t tag_of(LineNumber line) {
    const std::uint64_t number = line + 1;
    return number << low_shift | number >> 32U << tag_shift;
  }

  static constexpr bool empty(std::uint64_t word) { return word == 0; }
  static constexpr LineNumber line(std::uint64_t word) {
    return ((word >> tag_shift & 0xFFFFU) << 32U | word >> low_shift) - 1;
  }
  static constexpr bool holds(std::uint64_t word, std::uint64_t tag) {
    return (word ^ tag) < std::uint64_t{1} << tag_shift;
  }
  /// The same for a word in memory: nearly always its highest half alone decides, and
  /// is compared where it lies.
  static bool holds_at(const std::uint64_t* word, std::uint64_t tag) {
    std::uint32_t half = 0;
    constexpr std::size_t at = std::endian::native == std::endian::little ? sizeof half : 0;
    std::memcpy(&half, reinterpret_cast<const std::byte*>(word) + at, sizeof half);
    return half == static_cast<std::uint32_t>(tag >> low_shift) && holds(*word, tag);
  }
  static constexpr SectorMask valid(std::uint64_t word) { return static_cast<SectorMask>(word & valid_bits); }
  static constexpr SectorMask dirty(std::uint64_t word) {
    return static_cast<SectorMask>((word & dirty_bits) >> dirty_shift);
  }
  static constexpr bool pending(std::uint64_t word) { return (word & pending_bit) != 0; }
  static constexpr bool reused(std::uint64_t word) { return (word & reused_bit) != 0; }
  static constexpr bool no_data(std::uint64_t word) { return (word & no_data_bit) != 0; }
  static constexpr unsigned policy(std::uint64_t word) {
    return static_cast<unsigned>((word & policy_bits) >> policy_shift);
  }

  static constexpr std::uint64_t without_data(std::uint64_t word) {
    return (word & ~(valid_bits | dirty_bits | reused_bit)) | no_data_bit;
  }
  static constexpr std::uint64_t with_valid(std::uint64_t word, SectorMask sectors) { return word | sectors; }
  static constexpr std::uint64_t with_dirty(std::uint64_t word, SectorMask sectors) {
    return word | std::uint64_t{sectors} << dirty_shift | sectors;
  }
  static constexpr std::uint64_t with_policy(std::uint64_t word, unsigned value) {
    return (word & ~policy_bits) | std::uint64_t{value} << policy_shift;
  }
};

}  // namespace strata::replacement
