// SPDX-License-Identifier: Apache-2.0
// What a prefetcher is: a class without virtual functions that is called with each load which the
// tags served and of each line that came, and asks for lines. It does not see whether they are
// taken: the cache drops lines that it has, lines outside the 4 KiB of the demand, and lines that would
// take the MSHR of a demand or evict a dirty line.
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "cache/tags/tag_words.hpp"

namespace strata::cache {

struct PrefetchShape {
  std::uint32_t degree;  ///< lines asked for at once
};

/// A load as prefetchers see it.
struct Demand {
  LineNumber line = 0;
  std::uint32_t warp = 0;  ///< of the machine: core << 16 | warp
  bool first_use = false;  ///< it missed, or used a prefetched line for the first time
};

struct NoLine {
  void operator()(LineNumber) const {}
};

/// reads_degree: whether the prefetcher uses PrefetchShape::degree.
template <class T>
concept Prefetcher = std::constructible_from<T, const PrefetchShape&> &&
                     requires(T prefetcher, const Demand& demand, LineNumber line, bool prefetched, NoLine fetch_line) {
                       { T::name } -> std::convertible_to<std::string_view>;
                       { T::meaning } -> std::convertible_to<std::string_view>;
                       { T::reads_degree } -> std::convertible_to<bool>;
                       prefetcher.load(demand, fetch_line);
                       prefetcher.came(line, prefetched);
                     };

}  // namespace strata::cache
