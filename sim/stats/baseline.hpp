// SPDX-License-Identifier: Apache-2.0
// What is needed of a snapshot to subtract it from a later one: values by the hash of their paths. A snapshot of a
// B200 is 11 MB, most of it names; its baseline is one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "stats/collector.hpp"

namespace strata::stats {

class Baseline {
 public:
  Baseline() = default;
  Baseline(const Snapshot& snapshot);  // NOLINT(google-explicit-constructor): so that snapshots subtract

  struct Values {
    std::uint64_t path = 0;  ///< its hash, of 64 bits
    std::uint64_t value = 0;
    std::uint64_t served = 0;
    std::int64_t ahead = 0;
  };
  /// Finds the values of a figure. `place`: of the figure in its snapshot, where its values mostly are in the baseline too.
  class Finder {
   public:
    explicit Finder(const Baseline& baseline) : all_(baseline.all_) {}
    /// Valid until the next call; nullptr: the baseline has no such figure.
    const Values* find(const Figure& figure, std::size_t place);

   private:
    const std::vector<Values>& all_;
    std::optional<std::unordered_map<std::uint64_t, std::size_t>> places_;  ///< made when first needed
  };

 private:
  std::vector<Values> all_;
};

/// What happened since the baseline in the same machine: blocks that came into being later count from zero.
Snapshot operator-(Snapshot after, const Baseline& before);
/// What would have happened in all if a window, a part of `between`, had been repeated `times` more; rounded figure
/// by figure.
Snapshot repeated(Snapshot between, const Baseline& begin, const Baseline& end, double times);

}  // namespace strata::stats
