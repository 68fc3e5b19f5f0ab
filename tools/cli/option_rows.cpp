// SPDX-License-Identifier: Apache-2.0
#include "option_rows.hpp"

#include <algorithm>

#include "options.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

namespace {

// "(=64)" at the end of a text is removed and its value returned.
std::string cut_value(std::string& text) {
  const std::size_t at = text.rfind("(=");
  if (at == std::string::npos || text.back() != ')') return {};
  std::string value = text.substr(at + 2, text.size() - at - 3);
  text.erase(at);
  if (text.ends_with(' ')) text.pop_back();
  return value;
}

OptionRow row_of(const po::option_description& option, const std::string& positional) {
  OptionRow row;
  row.name = option.long_name();
  const std::string shown = option.format_name();
  if (shown.size() > 1 && shown[0] == '-' && shown[1] != '-') row.letter = shown[1];
  row.meaning = option.description();
  row.positional = row.name == positional;
  row.repeatable = option.semantic()->is_composing();
  if (option.semantic()->max_tokens() == 0) return row;
  // Boost writes "NAME (=default)", or "[=NAME(=implied)] (=default)" if the value is optional.
  std::string value = option.semantic()->name();
  if (value.starts_with("[=")) {
    if (!value.ends_with(']')) row.standard = cut_value(value);
    value = value.substr(2, value.size() - 3);
    row.implied = cut_value(value);
  } else {
    row.standard = cut_value(value);
  }
  row.value = value;
  return row;
}

}  // namespace

std::vector<std::string> OptionRow::choices() const {
  std::vector<std::string> all;
  if (value.find('|') == std::string::npos) return all;
  std::size_t at = 0;
  while (at <= value.size()) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    all.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

std::vector<OptionRow> option_rows(const Options& options) {
  std::vector<OptionRow> rows;
  for (const auto& option : options.description().options()) rows.push_back(row_of(*option, options.positional_name()));
  return rows;
}

std::vector<OptionGroup> option_groups(const Verb& verb) {
  const Options options = verb.options({});
  if (options.question().empty()) return {{"", option_rows(options)}};
  std::vector<OptionGroup> groups{{"", {}}};
  for (const SweepQuestionKind& kind : sweep_questions())
    groups.push_back({std::string(kind.name), option_rows(verb.options({"--question", std::string(kind.name)}))});
  for (const OptionRow& row : std::vector<OptionRow>(groups[1].rows)) {
    const bool common = std::all_of(groups.begin() + 1, groups.end(), [&](const OptionGroup& group) {
      return std::find(group.rows.begin(), group.rows.end(), row) != group.rows.end();
    });
    if (!common) continue;
    for (std::size_t i = 1; i < groups.size(); ++i) std::erase(groups[i].rows, row);
    groups[0].rows.push_back(row);
  }
  return groups;
}

}  // namespace strata::cli
