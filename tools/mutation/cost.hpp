// SPDX-License-Identifier: Apache-2.0
// What it takes to ask a row.
#pragma once
#include "study/expectation/expectation.hpp"

namespace strata::mutation {

/// On a core of today, roughly: from footprints, streams and the instructions of a
/// kernel's first warp. Nothing for arithmetic of the configuration.
double estimated_seconds(const study::Expectation& row);

}  // namespace strata::mutation
