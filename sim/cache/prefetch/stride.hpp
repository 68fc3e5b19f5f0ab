// SPDX-License-Identifier: Apache-2.0
// A reference prediction table (Chen and Baer: Effective Hardware-Based Data Prefetching for
// High-Performance Processors, IEEE TC 44(5), 1995) with the warp in place of the instruction, whose
// address no request carries: once two steps of a warp are equal, the lines that further
// steps would reach.
#pragma once
#include <array>

#include "cache/prefetch/policy.hpp"

namespace strata::cache {

class Stride {
 public:
  static constexpr std::string_view name = "stride";
  static constexpr std::string_view meaning = "the next lines of a warp if it repeats a stride that it has used twice";
  static constexpr bool reads_degree = true;

  explicit Stride(const PrefetchShape& shape) : degree_(shape.degree) {}

  template <class Fetch>
  void load(const Demand& demand, Fetch fetch_line) {
    // Warps of one number on several cores have entries apart.
    Entry& entry = entries_[(demand.warp + (demand.warp >> 16U) * 37U) % entries_.size()];
    if (entry.warp != demand.warp + 1) {
      entry = {demand.warp + 1, demand.line, 0};
      return;
    }
    // Differences and sums wrap, so that steps back need no sign.
    const LineNumber step = demand.line - entry.line;
    if (step == 0) return;
    const bool again = step == entry.step;
    entry.line = demand.line;
    entry.step = step;
    if (!again) return;
    for (std::uint32_t ahead = 1; ahead <= degree_; ++ahead) fetch_line(demand.line + step * ahead);
  }
  void came(LineNumber, bool) const {}

 private:
  struct Entry {
    std::uint32_t warp = 0;  ///< + 1; 0: of none
    LineNumber line = 0;
    LineNumber step = 0;
  };

  std::uint32_t degree_;
  std::array<Entry, 64> entries_{};
};

}  // namespace strata::cache
