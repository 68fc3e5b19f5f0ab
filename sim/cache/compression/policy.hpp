// SPDX-License-Identifier: Apache-2.0
// What a compression policy is: a class without virtual functions that gives the size of each line, in
// sectors of 32 B of the data array. There are no data to compress, so the size is a function of the
// line number alone: a line has the same size wherever and whenever it is held, and after each store.
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "cache/tags/tag_words.hpp"

namespace strata::cache {

struct CompressionShape {
  unsigned line_sectors;  ///< of a line that is not compressed
  unsigned sectors;       ///< as the configuration has it
  std::uint64_t seed;
};

/// reads_sectors, reads_seed: whether the sizes depend on these members of the shape, for notes on settings that are not
/// read. sectors() is at least 1 and at most line_sectors.
template <class P>
concept CompressionPolicy =
    std::constructible_from<P, const CompressionShape&> && requires(const P policy, LineNumber line) {
      { P::name } -> std::convertible_to<std::string_view>;
      { P::meaning } -> std::convertible_to<std::string_view>;
      { P::reads_sectors } -> std::convertible_to<bool>;
      { P::reads_seed } -> std::convertible_to<bool>;
      { policy.sectors(line) } -> std::same_as<unsigned>;
    };

}  // namespace strata::cache
