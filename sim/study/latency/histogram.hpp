// SPDX-License-Identifier: Apache-2.0
// How long accesses took: counts in bins that grow by one percent, so that a
// quantile is known to half a percent; beyond a second, as on a machine whose link carries
// some bytes a second, it is the longest.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <boost/histogram.hpp>

namespace strata::study {

class LatencyHistogram {
 public:
  void add(double ns) {
    counts_(ns);
    sum_ += ns;
    longest_ = std::max(longest_, ns);
    ++count_;
  }
  void add(const LatencyHistogram& others) {
    counts_ += others.counts_;
    sum_ += others.sum_;
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
    for (const auto& bin : boost::histogram::indexed(counts_, boost::histogram::coverage::all)) {
      below += static_cast<double>(*bin);
      if (below >= wanted)
        return std::isinf(bin.bin().upper()) ? longest_
                                             : std::sqrt(std::max(bin.bin().lower(), 0.1) * bin.bin().upper());
    }
    return std::nan("");
  }

 private:
  // A tenth of a nanosecond to a second.
  using Axis = boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;
  boost::histogram::histogram<std::tuple<Axis>, boost::histogram::dense_storage<std::uint64_t>> counts_{
      std::make_tuple(Axis(2300, 0.1, 1e9))};
  double sum_ = 0;
  double longest_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace strata::study
