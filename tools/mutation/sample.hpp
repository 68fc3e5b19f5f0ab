// SPDX-License-Identifier: Apache-2.0
// Whether recorded kills still kill: a few of them, drawn by a seed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machines.hpp"
#include "record.hpp"
#include "study/expectation/expectation.hpp"

namespace strata::mutation {

struct Sampled {
  std::size_t asked = 0;
  std::vector<std::string> problems;  ///< of a kill: no longer one, or recorded of another value
};

/// Evaluates `count` kills, or all, whose row takes at most `budget` seconds.
Sampled sample(const Configurations& configurations, const std::vector<study::Expectation>& expectations,
               const std::map<std::string, std::vector<Outcome>>& by_gpu, double budget, std::uint64_t seed,
               std::size_t count);

}  // namespace strata::mutation
