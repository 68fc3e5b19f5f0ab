// SPDX-License-Identifier: Apache-2.0
// The cost of evaluating a row.
#pragma once
#include "study/expectation/expectation.hpp"

namespace strata::mutation {

/// Approximate, on a current core: from footprints, streams and the instructions of a kernel's
/// first warp. Zero for arithmetic of the configuration.
double estimated_seconds(const study::Expectation& row);

}  // namespace strata::mutation
