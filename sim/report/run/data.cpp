// SPDX-License-Identifier: Apache-2.0
#include "report/run/data.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace strata::report {

const NamedShare* KernelReport::waits() const {
  constexpr std::array<std::string_view, 4> of_memory{"load", "fence", "line", "drain"};
  const auto is_of_memory = [&](const NamedShare& stall) {
    return std::find(of_memory.begin(), of_memory.end(), stall.name) != of_memory.end();
  };
  double memory = 0;
  for (const NamedShare& stall : stalls)
    if (is_of_memory(stall)) memory += stall.share;
  if (memory >= 0.5) return nullptr;
  const auto longest = std::find_if_not(stalls.begin(), stalls.end(), is_of_memory);
  return longest == stalls.end() ? nullptr : &*longest;
}

double KernelReport::flops_per_byte(const BandwidthLevel& level) const {
  return static_cast<double>(flops) / static_cast<double>(level.bytes_read + level.bytes_written);
}

double KernelReport::compute_roof() const {
  if (flops == 0 || pipes.empty()) return 0;
  return pipes.front().flops_per_second;  // the busiest is the lowest
}

double highest_peak(const RunReport& report) {
  double highest = 0;
  for (const KernelReport& kernel : report.kernels) highest = std::max(highest, kernel.compute_roof());
  for (const ComputePeak& peak : report.peaks) highest = std::max(highest, peak.flops_per_second);
  return highest;
}

}  // namespace strata::report
