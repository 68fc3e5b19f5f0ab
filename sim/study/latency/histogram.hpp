// SPDX-License-Identifier: Apache-2.0
// How long accesses took: counts in bins that grow by one percent, so that a
// quantile is known to half a percent; beyond a second, as on a machine whose link carries
// some bytes a second, it is the longest.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <boost/histogram.hpp>

namespace strata::study {

class LatencyHistogram {
 public:
  void add(double ns) {
    // The bin of a latency costs a logarithm, and most latencies are among few.
    Recent& recent = recent_[std::bit_cast<std::uint64_t>(ns) * 0x9E37'79B9'7F4A'7C15U >> 58U];
    if (recent.ns != ns) {
      recent.count_in(counts_);
      recent = {ns, 0};
    }
    ++recent.times;
    sum_ += ns;
    shortest_ = std::min(shortest_, ns);
    longest_ = std::max(longest_, ns);
    ++count_;
  }
  void add(const LatencyHistogram& others) {
    counts_ += others.all_counts();
    sum_ += others.sum_;
    shortest_ = std::min(shortest_, others.shortest_);
    longest_ = std::max(longest_, others.longest_);
    count_ += others.count_;
  }
  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? std::nan("") : sum_ / static_cast<double>(count_); }
  /// The latency that a share of accesses did not exceed; NaN if there were none.
  double quantile(double share) const {
    if (count_ == 0) return std::nan("");
    const double wanted = share * static_cast<double>(count_);
    double below = 0;
    const Counts counts = all_counts();
    for (const auto& bin : boost::histogram::indexed(counts, boost::histogram::coverage::all)) {
      below += static_cast<double>(*bin);
      if (below >= wanted)
        return std::isinf(bin.bin().upper())
                   ? longest_
                   : std::clamp(std::sqrt(std::max(bin.bin().lower(), 0.1) * bin.bin().upper()), shortest_, longest_);
    }
    return std::nan("");
  }

 private:
  // A tenth of a nanosecond to a second.
  using Axis = boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;
  using Counts = boost::histogram::histogram<std::tuple<Axis>, boost::histogram::dense_storage<std::uint64_t>>;
  /// A latency that was added so often since it was last counted in.
  struct Recent {
    double ns = 0;
    std::uint64_t times = 0;
    void count_in(Counts& counts) const {
      if (times > 0) counts(ns, boost::histogram::weight(times));
    }
  };
  Counts all_counts() const {
    Counts all = counts_;
    for (const Recent& recent : recent_) recent.count_in(all);
    return all;
  }

  Counts counts_{std::make_tuple(Axis(2300, 0.1, 1e9))};  ///< without the recent ones
  std::array<Recent, 64> recent_{};
  double sum_ = 0;
  double shortest_ = std::numeric_limits<double>::infinity();
  double longest_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace strata::study
