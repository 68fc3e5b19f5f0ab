// SPDX-License-Identifier: Apache-2.0
// Checks pages against the output of the program: all of them, or a sample drawn by a seed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "figures/refresh.hpp"

namespace strata::figures {

struct Sample {
  std::uint64_t seed = 0;
  std::size_t count = 0;  ///< blocks whose commands run, and as many rows of validation
};

struct Checked {
  std::vector<Difference> differences;
  std::string report;  ///< the seed and the commands, a line each
};

/// Figures computed from files of the repository are always checked, with any sample.
Checked check(const std::vector<Page>& pages, Answers& answers, const std::optional<Sample>& sample);

}  // namespace strata::figures
