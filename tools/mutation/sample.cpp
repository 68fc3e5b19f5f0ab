// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "cost.hpp"
#include "rows.hpp"

namespace strata::mutation {

namespace {

// The error of a recorded kill; an empty text: none.
std::string problem_of(const Configurations& configurations, const std::string& gpu, const Outcome& kill,
                       const study::Expectation& row, double budget) {
  const study::Configured machine = configurations.with(gpu, {});
  const config::Effective* const node = config::find_path(machine.effective, kill.path);
  if (node == nullptr) return "is not a setting any more";
  if (node->bound != kill.from) return fmt::format("expected {}, as recorded, got {}", kill.from, node->bound);
  const Rows rows(configurations, gpu, {row}, budget, {});
  if (rows.count() == 0) return fmt::format("row {} fails without the move", row.id);
  if (!rows.first_failure(kill.path + "=" + kill.to)) return fmt::format("row {} does not fail any more", row.id);
  return {};
}

}  // namespace

Sampled sample(const Configurations& configurations, const std::vector<study::Expectation>& expectations,
               const std::map<std::string, std::vector<Outcome>>& by_gpu, double budget, std::uint64_t seed,
               std::size_t count) {
  struct Kill {
    std::string gpu;
    Outcome outcome;
  };
  std::vector<Kill> kills;
  for (const auto& [gpu, outcomes] : by_gpu)
    for (const Outcome& one : outcomes)
      if (one.verdict == Verdict::killed) kills.push_back({gpu, one});
  RandomSequence random(seed);
  Sampled out;
  while (out.asked < count && !kills.empty()) {
    const std::size_t i = random.next() % kills.size();
    const Kill kill = kills[i];
    kills.erase(kills.begin() + static_cast<std::ptrdiff_t>(i));
    const auto row = std::find_if(expectations.begin(), expectations.end(),
                                  [&](const auto& one) { return one.id == kill.outcome.row; });
    if (row != expectations.end() && estimated_seconds(*row) > budget) continue;
    ++out.asked;
    const std::string problem = row == expectations.end()
                                    ? fmt::format("there is no row '{}'", kill.outcome.row)
                                    : problem_of(configurations, kill.gpu, kill.outcome, *row, budget);
    if (!problem.empty())
      out.problems.push_back(fmt::format("{}: {}={}: {}", kill.gpu, kill.outcome.path, kill.outcome.to, problem));
  }
  return out;
}

}  // namespace strata::mutation
