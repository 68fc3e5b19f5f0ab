// SPDX-License-Identifier: Apache-2.0
// One stage of a load's way through the machine, as users read it.
#pragma once
#include <string>
#include <string_view>

namespace strata::study {

struct JourneyStage {
  std::string stage;
  double cycles = 0;  ///< of the core clock
  double ns = 0;
  std::string note;  ///< what happened there and why
};

/// What happened in a stage, from its name and that of the one after it; may be empty.
std::string stage_note(std::string_view stage, std::string_view next);

}  // namespace strata::study
