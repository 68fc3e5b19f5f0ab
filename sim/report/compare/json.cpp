// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "report/compare/groups.hpp"
#include "report/json.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;
}  // namespace

std::string json(const CompareReport& report) {
  object written = document(report.heading);
  object options;
  for (const auto& [name, text] : report.options) options[valid_utf8(name)] = valid_utf8(text);
  written["question"] = object{{"name", report.question}, {"options", options}};
  written["machines"] = array{valid_utf8(report.machines[0]), valid_utf8(report.machines[1])};
  written["in_words"] = valid_utf8(in_words(report));
  written["differing"] = json_rows(tabulate(setting_columns(report), report.differing));
  written["differing_unread"] = report.unread;
  written["figures"] = json_rows(tabulate(figure_columns(report), report.figures));
  object words;
  for (const auto& [name, both] : report.words)
    words[name] = object{{"first", valid_utf8(both[0])}, {"second", valid_utf8(both[1])}};
  written["words"] = words;
  written["parts"] = json_rows(tabulate(part_columns(report, part_groups.front()), report.parts));
  add_settings(written, report.settings);
  return pretty(written);
}

}  // namespace strata::report
