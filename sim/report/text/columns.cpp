// SPDX-License-Identifier: Apache-2.0
#include "report/text/columns.hpp"

#include <cstddef>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "report/json.hpp"
#include "report/text/csv.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

std::string csv_text(const Datum& datum) {
  if (!datum.value || datum.value->is_null()) return {};
  if (datum.value->is_string()) return csv_field(datum.value->get_string());
  if (datum.value->is_double()) return shortest(datum.value->get_double());
  return boost::json::serialize(*datum.value);
}

// Fields of the columns that have a key.
template <typename FieldOf>
std::string csv_line(const DataTable& data, FieldOf field_of) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < data.heads.size(); ++i)
    if (!data.heads[i].key.empty()) fields.push_back(field_of(i));
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace

Datum as_text(std::string_view text) { return {boost::json::value(text), std::string(text)}; }

Datum as_optional_text(std::string_view text) { return text.empty() ? Datum{} : as_text(text); }

Datum as_flag(bool flag, std::string shown) { return {boost::json::value(flag), std::move(shown)}; }

Datum as_whole(std::uint64_t number) { return {boost::json::value(number), std::to_string(number)}; }

Datum as_size(std::uint64_t bytes) { return {boost::json::value(bytes), size_label(static_cast<double>(bytes))}; }

Datum as_real(double figure, std::string shown) { return {json_number(figure), std::move(shown)}; }

Datum as_real(double figure, int decimals) { return as_real(figure, fixed(figure, decimals)); }

Datum as_nested(boost::json::value value) { return {std::move(value)}; }

Datum as_cell(Cell cell) { return on_page({}, std::move(cell)); }

Datum on_page(Datum datum, Cell cell) {
  datum.page = std::move(cell);
  return datum;
}

std::string table(const DataTable& data) {
  std::vector<Column> columns;
  for (const ColumnHead& head : data.heads)
    if (!head.shown.heading.empty()) columns.push_back(head.shown);
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<Datum>& row : data.rows) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!data.heads[i].shown.heading.empty()) cells.push_back(row[i].shown);
  }
  return table(columns, rows);
}

std::string csv(const DataTable& data) {
  std::string out = csv_line(data, [&](std::size_t i) { return csv_field(data.heads[i].key); });
  for (const std::vector<Datum>& row : data.rows)
    out += csv_line(data, [&](std::size_t i) { return csv_text(row[i]); });
  return out;
}

boost::json::array json_rows(const DataTable& data) {
  boost::json::array rows;
  for (const std::vector<Datum>& row : data.rows) {
    boost::json::object written;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!data.heads[i].key.empty() && row[i].value) written[data.heads[i].key] = *row[i].value;
    rows.push_back(std::move(written));
  }
  return rows;
}

std::vector<std::string> page_headings(const DataTable& data) {
  std::vector<std::string> headings;
  for (const ColumnHead& head : data.heads)
    if (head.page) headings.push_back((head.shown.align == Align::right ? "#" : "") + *head.page);
  return headings;
}

std::vector<PageRow> page_rows(const DataTable& data) {
  std::vector<PageRow> rows;
  for (const std::vector<Datum>& row : data.rows) {
    PageRow& written = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!data.heads[i].page) continue;
      const Cell plain =
          data.heads[i].shown.align == Align::right ? figure_cell(row[i].shown) : text_cell(row[i].shown);
      written.cells.push_back(row[i].page.value_or(plain));
    }
  }
  return rows;
}

std::string page_table(const DataTable& data, std::string_view before) {
  return Page::table(page_headings(data), page_rows(data), before);
}

}  // namespace strata::report
