// SPDX-License-Identifier: Apache-2.0
#include "sweep_question.hpp"

#include <fmt/format.h>

#include <array>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"

namespace strata::cli {

void add_use(SweepAnswer& answer, const std::vector<stats::LevelUse>& levels,
             const std::vector<stats::ResourceUse>& resources) {
  for (const stats::LevelUse& level : levels)
    if (level.sectors > 0) answer.parts.push_back({"hits", level.name, level.hit_rate()});
  for (const stats::ResourceUse& resource : resources)
    answer.parts.push_back({"busy", resource.family, resource.busy_fraction});
}

Bytes one_footprint(const Options& options) {
  const auto& text = options.get<std::string>("footprint");
  if (text.find(',') != std::string::npos || text.find("..") != std::string::npos)
    throw InputError(Diagnostic{"--footprint", 0, 0, fmt::format("'{}' is more than one size", text),
                                fmt::format("strata sweep varies it: --vary footprint={}", text)});
  return options.size("footprint");
}

std::vector<std::pair<std::string, std::string>> question_options(const SweepQuestionKind& kind,
                                                                  const Options& options) {
  po::options_description described;
  kind.describe(described);
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& option : described.options()) {
    const std::string& name = option->long_name();
    if (option->semantic()->max_tokens() == 0) {
      if (options.has(name)) given.emplace_back(name, "true");
    } else if (const auto text = options.text(name)) {
      given.emplace_back(name, *text);
    }
  }
  return given;
}

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

std::string question_names() {
  std::string names;
  for (const SweepQuestionKind& kind : sweep_questions()) names += (names.empty() ? "" : "|") + std::string(kind.name);
  return names;
}

std::string asked_question(const Arguments& arguments) {
  constexpr std::string_view option = "--question";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == option && i + 1 < arguments.size()) return arguments[i + 1];
    if (word.starts_with(option) && word.size() > option.size() && word[option.size()] == '=')
      return std::string(word.substr(option.size() + 1));
    // A separate word, not the value of the preceding option.
    const std::string_view before = i == 0 ? std::string_view() : std::string_view(arguments[i - 1]);
    const bool value =
        before.starts_with("-") && before.find('=') == std::string_view::npos && before != "--quiet" && before != "-q";
    if (!value && !word.starts_with("-")) return std::string(word);
  }
  return "latency";
}

}  // namespace strata::cli
