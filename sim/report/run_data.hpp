// SPDX-License-Identifier: Apache-2.0
// The answer of `run`, as plain figures: each kernel of the list, and all of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/bandwidth_data.hpp"

namespace strata::report {

struct NamedShare {
  std::string name;
  double share = 0;    // of 1
  double mean_ns = 0;  // of a stage
  std::string meaning;
};

struct KernelReport {
  std::string name;
  double cycles = 0;
  std::uint64_t blocks = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t flops = 0;
  std::uint64_t transactions = 0;
  std::uint64_t sectors = 0;
  std::string occupancy;
  double occupancy_share = 0;
  // Time, levels, resources and DRAM; its rate is that of DRAM, both ways.
  BandwidthPoint did;
  double latency_p50_ns = 0;
  double latency_p99_ns = 0;
  std::vector<NamedShare> stages;  // of sampled requests, the longest first
  std::vector<NamedShare> stalls;  // of resident warps, the longest first

  // FLOP per byte of a level; NaN where it moved none.
  double flops_per_byte(const BandwidthLevel& level) const;
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

}  // namespace strata::report
