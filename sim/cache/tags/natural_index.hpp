// SPDX-License-Identifier: Apache-2.0
// The set of a line in a cache that no address map spreads: the low bits of
// the line number. Where tags share a pool of data, the low bits choose the
// set within a group, and the group is that of the line's chunk, which is as
// many lines as the group has tags; chunks are laid over the groups by XOR of
// two digits. The rest of the line number, hashed, is laid over both by XOR: a run of
// lines fills all sets alike wherever it begins, and lines that lie apart
// by any stride fall into sets as if by chance (h200 latency_page_stride).
#pragma once
#include <bit>
#include <cstdint>

#include "base/random.hpp"
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
    group_shift_ = bits(of_group);
    chunk_shift_ = group_shift_ + bits(std::bit_floor(spec.ways));
    digit_ = bits(spec.data_pool->groups);
  }

  std::uint64_t operator()(LineNumber line) const {
    if (!power_of_two_) return line % sets_;
    if (group_mask_ == 0) return line & within_;
    const std::uint64_t chunk = line >> chunk_shift_;
    const std::uint64_t group = chunk ^ chunk >> digit_ ^ mix(chunk >> 2 * digit_);
    return (group & group_mask_) << group_shift_ | ((line ^ mix(line >> group_shift_)) & within_);
  }

 private:
  static unsigned bits(std::uint64_t power) { return static_cast<unsigned>(std::countr_zero(power)); }

  std::uint64_t sets_;
  bool power_of_two_;
  std::uint64_t within_;          ///< selects the set within a group
  std::uint64_t group_mask_ = 0;  ///< no pool: one group of all sets
  unsigned group_shift_ = 0, chunk_shift_ = 0, digit_ = 0;
};

}  // namespace strata::cache
