// SPDX-License-Identifier: Apache-2.0
// The lines behind one that missed or was used for the first time since it was prefetched
// (tagged prefetching: Gindele, Buffer Block Prefetching Method, IBM TDB 20(2), 1977).
#pragma once
#include "cache/prefetch/policy.hpp"

namespace strata::cache {

class NextLine {
 public:
  static constexpr std::string_view name = "next_line";
  static constexpr std::string_view meaning = "the lines after one that missed or that was prefetched and then used";
  static constexpr bool reads_degree = true;

  explicit NextLine(const PrefetchShape& shape) : degree_(shape.degree) {}

  template <class Fetch>
  void load(const Demand& demand, Fetch fetch_line) const {
    if (!demand.first_use) return;
    for (std::uint32_t step = 1; step <= degree_; ++step) fetch_line(demand.line + step);
  }
  void came(LineNumber, bool) const {}

 private:
  std::uint32_t degree_;
};

}  // namespace strata::cache
