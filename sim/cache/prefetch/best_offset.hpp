// SPDX-License-Identifier: Apache-2.0
// Best-offset prefetching (Michaud: Best-Offset Hardware Prefetching, HPCA 2016). One distance is
// in use at a time; meanwhile others are tried: a distance scores when the line that far before
// a demand came lately, so that a prefetch from there would have been in time. The first to
// score 31, or the best after 100 rounds, is used next; with a score of 1 or less, none is.
#pragma once
#include <array>

#include "cache/prefetch/policy.hpp"

namespace strata::cache {

class BestOffset {
 public:
  static constexpr std::string_view name = "best_offset";
  static constexpr std::string_view meaning =
      "the line at the offset whose prefetches would recently have been timely most often";
  static constexpr bool reads_degree = true;

  explicit BestOffset(const PrefetchShape& shape) : degree_(shape.degree) {}

  template <class Fetch>
  void load(const Demand& demand, Fetch fetch_line) {
    if (!demand.first_use) return;
    learn(demand.line);
    for (std::uint32_t step = 1; offset_ != 0 && step <= degree_; ++step)
      fetch_line(demand.line + LineNumber{offset_} * step);
  }
  /// Of a prefetched line the one that it was prefetched from.
  void came(LineNumber line, bool prefetched) {
    if (prefetched) line -= offset_;
    recent_[slot(line)] = line + 1;
  }

 private:
  // 1 to 30, without prime factors above 5; more would leave the demand's 4 KiB.
  static constexpr std::array<std::uint8_t, 18> offsets{1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 27, 30};
  static constexpr unsigned enough = 31;
  static constexpr unsigned too_few = 1;
  static constexpr unsigned rounds = 100;

  static std::size_t slot(LineNumber line) { return static_cast<std::size_t>((line ^ line >> 6U) & 63U); }

  void learn(LineNumber line) {
    const LineNumber before = line - offsets[tried_];
    if (recent_[slot(before)] == before + 1) ++scores_[tried_];
    const bool chosen = scores_[tried_] == enough;
    if (scores_[tried_] > scores_[best_]) best_ = tried_;
    if (++tried_ == offsets.size()) {
      tried_ = 0;
      ++round_;
    }
    if (!chosen && round_ < rounds) return;
    offset_ = scores_[best_] > too_few ? offsets[best_] : std::uint8_t{0};
    scores_ = {};
    best_ = tried_ = 0;
    round_ = 0;
  }

  std::uint32_t degree_;
  std::uint8_t offset_ = 1;              ///< in use; 0: none
  std::array<LineNumber, 64> recent_{};  ///< lines that came, + 1
  std::array<std::uint8_t, offsets.size()> scores_{};
  std::size_t best_ = 0, tried_ = 0;
  unsigned round_ = 0;
};

}  // namespace strata::cache
