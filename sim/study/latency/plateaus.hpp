// SPDX-License-Identifier: Apache-2.0
// The level stretches of a latency curve, found by cause rather than by eye: a
// plateau is a run of points that one level serves almost alone, or in which
// the shares of the levels no longer move.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "study/latency/latency.hpp"

namespace strata::study {

struct Plateau {
  std::string level;  ///< the level, or the levels joined by " + " where shares are steady
  std::uint64_t from_bytes = 0;
  std::uint64_t to_bytes = 0;
  double latency_ns = 0;  ///< mean over its points
  double latency_cycles = 0;
};

/// Points in order of footprint. At least two points make a plateau.
std::vector<Plateau> plateaus(const std::vector<LatencyPoint>& points);

}  // namespace strata::study
