// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "report/compare/compare.hpp"
#include "report/json.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;
using boost::json::value;

value text_or_null(const std::string& text) {
  if (text.empty()) return nullptr;
  return boost::json::string(valid_utf8(text));
}
}  // namespace

std::string json(const CompareReport& report) {
  object written = document(report.heading);
  object options;
  for (const auto& [name, text] : report.options) options[valid_utf8(name)] = valid_utf8(text);
  written["question"] = object{{"name", report.question}, {"options", options}};
  written["machines"] = array{valid_utf8(report.machines[0]), valid_utf8(report.machines[1])};
  written["in_words"] = valid_utf8(in_words(report));
  array differing;
  for (const ComparedSetting& setting : report.differing)
    differing.push_back(object{{"path", valid_utf8(setting.path)},
                               {"first", text_or_null(setting.values[0])},
                               {"second", text_or_null(setting.values[1])}});
  written["differing"] = differing;
  written["differing_unread"] = report.unread;
  array figures;
  for (const ComparedFigure& figure : report.figures)
    figures.push_back(object{{"figure", figure.figure.field},
                             {"first", json_number(figure.values[0])},
                             {"second", json_number(figure.values[1])},
                             {"change", json_number(figure.values[1] / figure.values[0] - 1)}});
  written["figures"] = figures;
  object words;
  for (const auto& [name, both] : report.words)
    words[name] = object{{"first", valid_utf8(both[0])}, {"second", valid_utf8(both[1])}};
  written["words"] = words;
  array parts;
  for (const ComparedPart& part : report.parts)
    parts.push_back(object{{"group", part.group},
                           {"name", valid_utf8(part.name)},
                           {"first", json_number(part.values[0])},
                           {"second", json_number(part.values[1])},
                           {"difference", json_number(part.difference())}});
  written["parts"] = parts;
  add_settings(written, report.settings);
  return pretty(written);
}

}  // namespace strata::report
