// SPDX-License-Identifier: Apache-2.0
// The answer of `run`, as plain figures: each kernel of the list, and all of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/bandwidth/data.hpp"
#include "stats/kernel_figures.hpp"

namespace strata::report {

using stats::NamedShare;

struct KernelReport : stats::KernelFigures {
  bool sampled_in_part() const { return sampling && sampling->whole_because.empty(); }
  Watched watched() const { return {levels, resources, shortages, waits()}; }
  // What warps waited for most where memory took less than half of their time; else null.
  const NamedShare* waits() const;
  // FLOP per byte of a level; NaN where it moved none.
  double flops_per_byte(const BandwidthLevel& level) const;
  // What the pipes of the kernel's own cores allow with its mix of instructions; 0 where
  // none is known.
  double compute_roof() const;
};

// What the cores do at most, all of them, for one kind of operation.
struct ComputePeak {
  std::string name;  // "FP32"
  double flops_per_second = 0;
};

struct RunReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::vector<KernelReport> kernels;
  std::vector<ComputePeak> peaks;
  double seconds = 0;
  double cycles = 0;
  std::uint64_t transactions = 0;
  double host_seconds = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::vector<Setting> settings;
};

// FLOP/s of the fastest kind; 0 where none is known.
double highest_peak(const RunReport& report);

}  // namespace strata::report
