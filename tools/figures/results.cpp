// SPDX-License-Identifier: Apache-2.0
#include "figures/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/diagnostic.hpp"

namespace strata::figures {

namespace json = boost::json;

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double number_of(const std::string& text) {
  double number = none;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : none;
}

bool is_figure(std::string_view column) {
  return column == "measured" || column == "predicted" || column == "error" || column == "tolerance";
}
}  // namespace

std::vector<std::vector<std::string>> csv_fields(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  bool quoted = false;
  bool begun = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begun) {
      lines.emplace_back(1);
      begun = true;
    }
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      begun = false;
    } else {
      lines.back().back() += c;
    }
  }
  return lines;
}

Results::Results(const std::string& name, std::string_view csv) : name_(name) {
  // No field of these documents holds a line end, so lines can be kept as they are.
  std::size_t number = 0;
  while (!csv.empty()) {
    const std::string_view line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(csv.size(), line.size() + 1));
    ++number;
    std::vector<std::string> fields = line.empty() ? std::vector<std::string>{} : csv_fields(line).front();
    if (header_.empty()) {
      header_line_ = line;
      header_ = std::move(fields);
      for (const char* column : {"id", "kind", "error", "predicted", "pass"})
        if (std::find(header_.begin(), header_.end(), column) == header_.end())
          throw InputError(Diagnostic{name, 1, 1, fmt::format("no column '{}'", column),
                                      "rewrite it: build/strata validate --csv validation/results.csv"});
      continue;
    }
    if (fields.size() != header_.size())
      throw InputError(
          Diagnostic{name, number, 1, fmt::format("{} fields, expected {}", fields.size(), header_.size()), {}});
    Row row{std::string(line), std::move(fields)};
    const std::string id = field(row, "id");
    if (!rows_.emplace(id, std::move(row)).second)
      throw InputError(Diagnostic{name, number, 1, fmt::format("a second row '{}'", id), {}});
  }
}

const std::string& Results::field(const Row& row, std::string_view name) const {
  return row.fields[static_cast<std::size_t>(std::find(header_.begin(), header_.end(), name) - header_.begin())];
}

const std::string* Results::line(const std::string& id) const {
  const auto found = rows_.find(id);
  return found == rows_.end() ? nullptr : &found->second.line;
}

void Results::take(const Results& newer) {
  if (header_line_ != newer.header_line_) {
    if (!rows_.empty())
      throw InputError(Diagnostic{name_, 1, 1, "has other columns than `strata validate --csv` writes now",
                                  "evaluate all rows again: --results all"});
    header_line_ = newer.header_line_;
    header_ = newer.header_;
  }
  for (const auto& [id, row] : newer.rows_) rows_.insert_or_assign(id, row);
}

std::string Results::csv(const std::vector<study::Expectation>& expectations) const {
  std::string out = header_line_ + "\n";
  for (const study::Expectation& expectation : expectations)
    if (const std::string* row = line(expectation.id)) out += *row + "\n";
  return out;
}

json::object Results::object(const Row& row) const {
  json::object object;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i] == "pass")
      object[header_[i]] = row.fields[i] == "true";
    else if (!is_figure(header_[i]))
      object[header_[i]] = row.fields[i];
    else if (const double number = number_of(row.fields[i]); number == number)
      object[header_[i]] = number;
    else
      object[header_[i]] = nullptr;
  }
  return object;
}

json::value Results::document(const std::vector<const study::Expectation*>& expectations, bool all_there) const {
  json::array rows;
  for (const study::Expectation* expectation : expectations) {
    const auto found = rows_.find(expectation->id);
    if (found == rows_.end() && !all_there) continue;
    if (found == rows_.end())
      throw InputError(Diagnostic{name_, 0, 0, fmt::format("has no row '{}'", expectation->id),
                                  "evaluate the missing rows: build/docs-figures --results missing"});
    rows.push_back(object(found->second));
  }
  return json::object{{"rows", std::move(rows)}};
}

report::ValidationSummary Results::summary(const std::vector<study::Expectation>& expectations) const {
  std::vector<report::ValidationRow> rows;
  for (const study::Expectation& expectation : expectations) {
    const auto found = rows_.find(expectation.id);
    if (found == rows_.end()) continue;
    report::ValidationRow row;
    row.kind = report::all_kinds[static_cast<std::size_t>(expectation.kind)];
    row.error = number_of(field(found->second, "error"));
    row.pass = field(found->second, "pass") == "true";
    row.absolute = expectation.absolute.has_value();
    rows.push_back(std::move(row));
  }
  return report::summarise(rows);
}

}  // namespace strata::figures
