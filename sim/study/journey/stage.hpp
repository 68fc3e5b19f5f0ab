// SPDX-License-Identifier: Apache-2.0
// One stage of a load's way through the machine, as users read it.
#pragma once
#include <string>

#include "memory/stages.hpp"

namespace strata::study {

struct JourneyStage {
  std::string stage;
  double cycles = 0;  ///< of the core clock
  double ns = 0;
  std::string note;  ///< what happened there and why
};

/// What happened in a stage; may be empty. next: the stage after it, nullptr for the last.
std::string stage_note(const memory::StageName& stage, const memory::StageName* next);

}  // namespace strata::study
