// SPDX-License-Identifier: Apache-2.0
#include "sweep_question.hpp"

#include <fmt/format.h>

#include <array>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"

namespace strata::cli {

std::span<const SweepQuestionKind> sweep_questions() {
  static const std::array all{sweep_latency(), sweep_bandwidth(), sweep_loaded(), sweep_run()};
  return all;
}

const SweepQuestionKind& sweep_question(const std::string& name) {
  std::vector<std::string> names;
  for (const SweepQuestionKind& kind : sweep_questions()) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  throw InputError(Diagnostic{"--question", 0, 0, fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")),
                              did_you_mean(nearest_name(name, names))});
}

}  // namespace strata::cli
