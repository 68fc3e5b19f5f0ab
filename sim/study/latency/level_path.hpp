// SPDX-License-Identifier: Apache-2.0
// The most common path of the loads that a level served, as users read it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "study/journey/stage.hpp"

namespace strata::study {

struct LevelPath {
  std::string level;
  std::uint64_t loads = 0;           ///< that the level served
  std::uint64_t taken = 0;           ///< of these, by this path
  std::vector<JourneyStage> stages;  ///< means over the loads that took it; they add up to the latency
  double cycles = 0;                 ///< mean latency of these loads, of the core clock
  double ns = 0;
};

}  // namespace strata::study
