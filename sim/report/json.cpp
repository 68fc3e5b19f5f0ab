// SPDX-License-Identifier: Apache-2.0
#include "report/json.hpp"

#include <cmath>
#include <span>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/printable.hpp"
#include "report/data_columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

using boost::json::array;
using boost::json::object;
using boost::json::value;

value json_number(double figure) { return std::isfinite(figure) ? value(figure) : value(nullptr); }

namespace {

constexpr std::size_t line_width = 120;

object to_json(const Tally& tally) { return {{"rows", tally.rows}, {"passed", tally.passed}}; }

array to_json(const std::vector<ValidationPoint>& points) {
  array written;
  for (const ValidationPoint& point : points)
    written.push_back({{"label", point.label},
                       {"measured", json_number(point.measured)},
                       {"predicted", json_number(point.predicted)}});
  return written;
}

object to_json(const ValidationSummary& summary) {
  object by_kind;
  for (const Kind kind : all_kinds) {
    by_kind[name(kind)] = to_json(summary.by_kind[static_cast<std::size_t>(kind)]);
  }
  return {{"rows", summary.all.rows},
          {"passed", summary.all.passed},
          {"by_kind", by_kind},
          {"predicted_mean_absolute_error", json_number(summary.predicted_mean_absolute_error)}};
}

// Control sequences of terminals are escaped, in addition to the characters that JSON requires.
std::string quoted(std::string_view text) {
  const std::string plain = boost::json::serialize(value(valid_utf8(text)));
  std::string out;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t length = utf8_length(plain, at);
    const std::string_view code_point = std::string_view(plain).substr(at, length);
    at += length;
    const unsigned long number = utf8_value(code_point);
    if (is_unprintable(code_point) && number <= 0xFFFF)
      out += fmt::format("\\u{:04x}", number);
    else
      out += code_point;
  }
  return out;
}

std::string scalar(const value& item) {
  switch (item.kind()) {
    case boost::json::kind::string:
      return quoted(item.get_string());
    case boost::json::kind::double_: {
      const std::string text = shortest(item.get_double());
      return text.empty() ? "null" : text;
    }
    default:
      return boost::json::serialize(item);  // integers, booleans, null
  }
}

// The text of a value that begins at column `indent`; one line where it fits
// and `open` does not ask otherwise.
std::string printed(const value& item, std::size_t indent, bool open = false) {
  if (!item.is_object() && !item.is_array()) return scalar(item);
  const bool is_object = item.is_object();
  const char opening = is_object ? '{' : '[';
  const char closing = is_object ? '}' : ']';
  std::vector<std::string> members;
  std::size_t width = indent + 2;
  bool one_line = !open;
  const auto add = [&](std::string text) {
    width += text.size() + 2;
    one_line = one_line && text.find('\n') == std::string::npos;
    members.push_back(std::move(text));
  };
  if (is_object) {
    for (const auto& member : item.get_object()) {
      add(quoted(member.key()) + ": " + printed(member.value(), indent + 2));
    }
  } else {
    // Elements of one array are all on a line of their own or all open.
    bool open_all = false;
    for (const value& element : item.get_array()) {
      open_all = open_all || printed(element, indent + 2).find('\n') != std::string::npos;
    }
    for (const value& element : item.get_array()) add(printed(element, indent + 2, open_all));
  }
  one_line = members.empty() || (one_line && width <= line_width);
  std::string out(1, opening);
  const std::string separator = one_line ? ", " : fmt::format(",\n{:{}}", "", indent + 2);
  if (!one_line) out += fmt::format("\n{:{}}", "", indent + 2);
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (at > 0) out += separator;
    out += members[at];
  }
  if (!one_line) out += fmt::format("\n{:{}}", "", indent);
  out += closing;
  return out;
}
}  // namespace

object document(const Heading& heading) {
  object opened{{"strata", {{"version", heading.version}, {"schema", 1}}},
                {"gpu", heading.gpu},
                {"fingerprint", heading.fingerprint.empty() ? value(nullptr) : value(heading.fingerprint)}};
  if (heading.incomplete) {
    opened["incomplete"] = true;
    opened["done"] = {
        {"what", heading.incomplete->what}, {"done", heading.incomplete->done}, {"asked", heading.incomplete->asked}};
  }
  return opened;
}

object to_json(const std::vector<std::pair<std::string, double>>& shares) {
  object written;
  for (const auto& [name, share] : shares) written[valid_utf8(name)] = json_number(share);
  return written;
}

object to_json(const Comparison& comparison) {
  const Columns<ComparedPoint> columns = columns_of(comparison);
  const ComparedPoint* worst = comparison.worst();
  return {{"source", comparison.source},
          {"unit", comparison.unit},
          {"mean_absolute_error", json_number(comparison.mean_absolute_error())},
          {"worst", worst == nullptr ? value(nullptr) : json_rows(tabulate(columns, std::span(worst, 1))).front()},
          {"points", json_rows(tabulate(columns, comparison.points))}};
}

array to_json(const std::vector<Setting>& settings) { return json_rows(tabulate(setting_columns(), settings)); }

void add_settings(object& written, const std::vector<Setting>& settings) {
  if (!settings.empty()) written["settings"] = to_json(settings);
  add_unread_settings(written, settings);
}

void add_unread_settings(object& written, const std::vector<Setting>& settings) {
  array unread;
  array caveats;
  for (const Setting& setting : settings) {
    if (!setting.given) continue;
    if (!setting.unread.empty())
      unread.push_back({{"path", setting.path}, {"value", setting.value}, {"reason", setting.unread}});
    else if (!setting.caveat.empty())
      caveats.push_back({{"path", setting.path}, {"value", setting.value}, {"note", setting.caveat}});
  }
  if (!unread.empty()) written["unread_settings"] = unread;
  if (!caveats.empty()) written["setting_notes"] = caveats;
}

object to_json(const CurveReport& report) {
  object written = document(report.heading);
  Columns<LatencyPoint> columns = columns_of(report);
  columns.push_back(shares_column<LatencyPoint>());
  written["points"] = json_rows(tabulate(columns, report.points));
  if (report.comparison) written["comparison"] = to_json(*report.comparison);
  add_settings(written, report.settings);
  return written;
}

object to_json(const ValidationReport& report) {
  object written = document(report.heading);
  Columns<ValidationRow> columns = validation_columns();
  columns.push_back({{"points"}, [](const ValidationRow& row) {
                       return row.points.empty() ? Datum{} : as_nested(to_json(row.points));
                     }});
  written["rows"] = json_rows(tabulate(columns, report.rows));
  written["summary"] = to_json(summarise(report.rows));
  add_unread_settings(written, report.settings);
  return written;
}

object to_json(const JourneyReport& report) {
  object written = document(report.heading);
  written["address"] = report.address;
  written["what"] = report.what;
  written["stages"] = json_rows(tabulate(stage_columns(), report.stages));
  written["total_cycles"] = json_number(report.total_cycles);
  written["total_ns"] = json_number(report.total_ns);
  add_unread_settings(written, report.settings);
  return written;
}

std::string pretty(const value& item) { return printed(item, 0, true) + "\n"; }

}  // namespace strata::report
