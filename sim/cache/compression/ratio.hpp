// SPDX-License-Identifier: Apache-2.0
// Every line takes the same number of sectors: what a workload gains whose data compress alike.
#pragma once
#include <algorithm>

#include "cache/compression/policy.hpp"

namespace strata::cache {

class FixedRatio {
 public:
  static constexpr std::string_view name = "ratio";
  static constexpr std::string_view meaning = "every line takes compressed_sectors";
  static constexpr bool reads_sectors = true;
  static constexpr bool reads_seed = false;

  explicit FixedRatio(const CompressionShape& shape) : sectors_(std::min(shape.sectors, shape.line_sectors)) {}
  unsigned sectors(LineNumber) const { return sectors_; }

 private:
  unsigned sectors_;
};

}  // namespace strata::cache
