// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "report/json.hpp"
#include "report/sensitivity/columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;
using boost::json::value;

value move_json(const SensitivityReport& report, const SensitivityMove& move) {
  if (!move.done) return nullptr;
  if (move.text.empty()) return object{{"refused", valid_utf8(move.refused)}};
  return object{{"value", valid_utf8(move.text)},
                {"number", json_number(move.number)},
                {report.figure.field, json_number(move.answer)},
                {"change", json_number(move.change)},
                {"nearest", move.nearest}};
}

array texts(const std::vector<std::string>& all) {
  array written;
  for (const std::string& text : all) written.emplace_back(valid_utf8(text));
  return written;
}

object band_json(const UncertaintyReport& band) {
  array answers;
  for (const double answer : band.answers) answers.push_back(json_number(answer));
  return {{"draws", band.asked},
          {"done", band.answers.size() + band.refused},
          {"refused", band.refused},
          {"seed", band.seed},
          {"range", json_number(band.range)},
          {"median", json_number(band.median)},
          {"p05", json_number(band.p05)},
          {"p95", json_number(band.p95)},
          {"drawn", texts(band.drawn)},
          {"held", texts(band.held)},
          {"answers", answers}};
}
}  // namespace

std::string json(const SensitivityReport& report) {
  object written = document(report.heading);
  object options;
  for (const auto& [name, text] : report.options) options[valid_utf8(name)] = valid_utf8(text);
  written["question"] = object{{"name", report.question}, {"options", options}};
  written["figure"] = report.figure.field;
  written[report.figure.field] = json_number(report.answer);
  written["by"] = json_number(report.by);
  const SensitivityCounts found = counts(report);
  written["counts"] =
      object{{"numbers", report.numbers},  {"unread", report.unread}, {"read", found.read},
             {"selected", found.selected}, {"moved", found.moved},    {"without_effect", found.without_effect},
             {"refused", found.refused},   {"zero", found.zero},      {"not_done", found.not_done}};
  Columns<SensitivityRow> columns = moved_columns();
  columns.push_back({{"largest_change"}, as_real(&SensitivityRow::largest_change, 1)});
  columns.push_back({{"elasticity"}, as_real(&SensitivityRow::elasticity, 1)});
  columns.push_back({{"low"}, [&](const SensitivityRow& row) { return as_nested(move_json(report, row.low)); }});
  columns.push_back({{"high"}, [&](const SensitivityRow& row) { return as_nested(move_json(report, row.high)); }});
  written["sensitivities"] = json_rows(tabulate(columns, report.rows));
  written["by_provenance"] = json_rows(tabulate(share_columns(), provenance_shares(report)));
  if (report.uncertainty) written["uncertainty"] = band_json(*report.uncertainty);
  add_settings(written, report.settings);
  return pretty(written);
}

}  // namespace strata::report
