// SPDX-License-Identifier: Apache-2.0
// The set of a line in a cache that no address map spreads: the low bits of
// the line number. Where tags share a pool of data, the line number is a polynomial over
// GF(2), and its remainder by x^n + x^2 + 1 decides, 2^n being the tags: the low
// bits choose the set within a group, the high ones the group, so a chunk of as many
// lines as a group has tags falls into one group. As many lines as there are tags then fill
// all sets alike wherever they begin, and also if they lie a power of two apart (Rau:
// Pseudo-Randomly Interleaved Memory, ISCA 1991), as chases at strides of 256 B to 1 MiB show on
// an H100. Lines at random places meet by chance.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "cache/spec/cache_spec.hpp"
#include "cache/tags/tag_words.hpp"

namespace strata::cache {

class NaturalIndex {
 public:
  explicit NaturalIndex(const CacheSpec& spec)
      : sets_(spec.sets()), power_of_two_(std::has_single_bit(sets_)), within_(sets_ - 1) {
    if (!spec.data_pool) return;
    const std::uint64_t of_group = spec.data_pool->sets_of_group();
    within_ = of_group - 1;
    group_mask_ = spec.data_pool->groups - 1;
    if (group_mask_ == 0) return;
    group_shift_ = bits(of_group);
    chunk_shift_ = group_shift_ + bits(std::bit_floor(spec.ways));
    tag_bits_ = chunk_shift_ + bits(spec.data_pool->groups);
    tag_mask_ = (std::uint64_t{1} << tag_bits_) - 1;
    middle_ = std::min(2U, tag_bits_ - 1);  // of a lower power than x^n, or no remainder is reached
  }

  std::uint64_t operator()(LineNumber line) const {
    if (!power_of_two_) return line % sets_;
    if (group_mask_ == 0) return line & within_;
    std::uint64_t folded = line;
    while (const std::uint64_t above = folded >> tag_bits_) folded = (folded & tag_mask_) ^ above ^ above << middle_;
    return (folded >> chunk_shift_ & group_mask_) << group_shift_ | (folded & within_);
  }

 private:
  static unsigned bits(std::uint64_t power) { return static_cast<unsigned>(std::countr_zero(power)); }

  std::uint64_t sets_;
  bool power_of_two_;
  std::uint64_t within_;          ///< selects the set within a group
  std::uint64_t group_mask_ = 0;  ///< no pool: one group of all sets
  std::uint64_t tag_mask_ = 0;    ///< the tags of the pool less one
  unsigned group_shift_ = 0, chunk_shift_ = 0, tag_bits_ = 0;
  unsigned middle_ = 0;  ///< power of the middle term
};

}  // namespace strata::cache
