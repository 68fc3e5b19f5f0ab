// SPDX-License-Identifier: Apache-2.0
// Where in a channel a burst lives. The number of the burst within the channel
// is cut into fields, least significant first, in the order of the spec. With
// bank hashing, bank and bank group are XORed with the digits of the row, so that rows
// that follow one another in one bank are spread over all (Zhang, Zhu, Zhang:
// A Permutation-Based Page Interleaving Scheme, MICRO 2000); for each row that
// is a bijection of the banks. With random banks, stack id, bank group and bank
// are XORed with a random number of the row instead; of a number of stack ids that is no
// power of two the stack id is rotated by one.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "dram/channel_spec.hpp"

namespace strata::dram {

struct Location {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t stack = 0;
  std::uint32_t bank_group = 0;
  std::uint32_t bank = 0;
  std::uint32_t column = 0;  ///< in bursts
  std::uint32_t row = 0;
};

/// What a scheduler needs of a Location.
struct Place {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t bank = 0;  ///< within the pseudo-channel: (stack, group, bank), most significant first
  std::uint32_t row = 0;

  bool operator==(const Place&) const = default;
};

class AddressMap {
 public:
  /// Throws std::invalid_argument, saying what is wrong, when the order does
  /// not cover every field exactly once or a cut is no power of two.
  AddressMap(const AddressMapSpec& spec, const OrganisationSpec& organisation);

  /// Bursts past the channel's capacity wrap around.
  Location locate(std::uint64_t burst) const;
  /// The same without the column.
  Place place(std::uint64_t burst) const {
    if (pieces_.empty()) return slow_place(burst);
    std::uint64_t packed = 0;
    for (const Piece& piece : pieces_) packed |= std::rotl(burst & piece.mask, piece.left);
    const auto row = static_cast<std::uint32_t>(packed);
    const std::uint32_t bank = static_cast<std::uint32_t>(packed >> bank_at) & 0xFFU;
    return {static_cast<std::uint32_t>(packed >> channel_at), bank ^ hash_of(row), row};
  }
  /// What the bank's number in its pseudo-channel is XORed with. All digits of the row count, so that streams a power of
  /// two apart do not meet in one bank.
  std::uint32_t hash_of(std::uint32_t row) const {
    return (random_ ? static_cast<std::uint32_t>(mix(row)) : digits_of(row)) & hash_mask_;
  }
  /// All digits of a row number, one on the other.
  std::uint32_t digits_of(std::uint32_t row) const {
    std::uint32_t folded = 0;
    for (; row != 0; row >>= digit_bits_) folded ^= row;
    return folded;
  }
  /// The inverse of locate(), below capacity().
  std::uint64_t burst_at(const Location& location) const;
  /// Bursts of the channel.
  std::uint64_t capacity() const { return capacity_; }
  /// Whether `bursts` neighbours, from a multiple of it, always share a row.
  bool keeps_together(std::uint64_t bursts) const { return bursts <= together_; }

 private:
  struct Field {
    std::uint32_t Location::* member;
    std::uint64_t size;    ///< values of this cut
    std::uint64_t weight;  ///< what one step of this cut adds to the member
    int shift;             ///< log2 of size, or -1
  };
  /// Bits of the burst number that become bits of a packed place: the row from 0 on, bank, pseudo-channel.
  struct Piece {
    std::uint64_t mask;
    int left;  ///< by so many bits
  };
  static constexpr unsigned bank_at = 32;
  static constexpr unsigned channel_at = 40;
  /// From the fields of the order to the bank that serves them; backwards, from the bank to the fields.
  void hash(Location& location, bool backwards) const;
  void cut_pieces(const OrganisationSpec& organisation);
  Place slow_place(std::uint64_t burst) const;

  std::vector<Field> fields_;
  std::vector<Piece> pieces_;  ///< empty where a field is no power of two
  std::uint64_t capacity_ = 1;
  std::uint64_t together_ = 1;
  bool random_;              ///< the bits of hash_mask_ are those of a random number of the row, not of its digits
  std::uint32_t hash_mask_;  ///< of a bank's number in its pseudo-channel, the bits that depend on the row
  std::uint32_t bank_mask_;
  std::uint32_t group_mask_;
  int bank_bits_;
  std::uint32_t banks_per_group_;
  std::uint32_t bank_groups_;
  int stack_bits_from_;     ///< in a bank's number, above those of bank and group
  std::uint32_t rotation_;  ///< stack ids that a random number of the row rotates, 1 where it is XORed or none
  int digit_bits_;          ///< of a row number, the bits that choose bank and group
};

}  // namespace strata::dram
