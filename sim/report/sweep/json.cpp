// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "report/json.hpp"
#include "report/sweep/sweep.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;
using boost::json::value;

// Whole numbers up to here are exact in a double.
constexpr double most_exact = 9007199254740992.0;

value number(double figure, bool whole) {
  if (whole && std::abs(figure) <= most_exact) return static_cast<std::int64_t>(std::llround(figure));
  return json_number(figure);
}

// Numbers are integers where they are whole, since bytes and counts are.
value chosen(const SweepValue& choice) {
  if (!std::isfinite(choice.number)) return boost::json::string(valid_utf8(choice.text));
  return number(choice.number, choice.number == std::floor(choice.number));
}

std::string_view name(SweepPart part) {
  switch (part) {
    case SweepPart::gpu:
      return "gpu";
    case SweepPart::configuration:
      return "configuration";
    case SweepPart::question:
      return "question";
  }
  return "";
}

object described(const SweepParameter& parameter) {
  array values;
  array texts;
  for (const SweepValue& choice : parameter.values) {
    values.push_back(chosen(choice));
    texts.emplace_back(valid_utf8(choice.text));
  }
  object written{{"path", valid_utf8(parameter.path)},
                 {"field", valid_utf8(parameter.field)},
                 {"of", name(parameter.part)},
                 {"values", values},
                 {"texts", texts},
                 {"changed_nothing", parameter.changed_nothing}};
  if (!parameter.unread.empty()) written["unread"] = parameter.unread;
  if (!parameter.follows.empty()) written["follows"] = valid_utf8(parameter.follows);
  return written;
}

object described(const SweepReport& report, const SweepPoint& point) {
  object values;
  for (std::size_t i = 0; i < report.parameters.size(); ++i)
    values[valid_utf8(report.parameters[i].field)] = chosen(report.parameters[i].values[point.choices[i]]);
  object written{{"values", values}};
  if (!point.settings.empty()) {
    object settings;
    for (const auto& [index, text] : point.settings)
      settings[valid_utf8(report.parameters[index].path)] = valid_utf8(text);
    written["settings"] = settings;
  }
  for (std::size_t i = 0; i < report.figures.size(); ++i)
    written[report.figures[i].field] = number(point.figures[i], report.figures[i].whole);
  for (std::size_t i = 0; i < report.words.size(); ++i) written[report.words[i]] = valid_utf8(point.words[i]);
  if (!report.shares.empty()) written[report.shares] = to_json(point.shares);
  return written;
}
}  // namespace

std::string json(const SweepReport& report) {
  object written = document(report.heading);
  object options;
  for (const auto& [name, text] : report.options) options[valid_utf8(name)] = valid_utf8(text);
  written["question"] = object{{"name", report.question}, {"options", options}};
  array parameters;
  for (const SweepParameter& parameter : report.parameters) parameters.push_back(described(parameter));
  written["parameters"] = parameters;
  array points;
  for (const SweepPoint& point : report.points) points.push_back(described(report, point));
  written["points"] = points;
  if (!report.refused.empty()) {
    array refused;
    for (const std::string& refusal : report.refused) refused.emplace_back(valid_utf8(refusal));
    written["refused"] = refused;
  }
  add_settings(written, report.settings);
  return pretty(written);
}

}  // namespace strata::report
