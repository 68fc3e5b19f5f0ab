// SPDX-License-Identifier: Apache-2.0
// A step of a walk (sim/study/journey/walk.hpp) as JSON.
#pragma once
#include <string>

#include "study/journey/walk.hpp"

namespace strata::playground {

std::string json_of(const study::WalkStep& step);

}  // namespace strata::playground
