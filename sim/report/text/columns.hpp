// SPDX-License-Identifier: Apache-2.0
// A table described once: each column has a key for programs, headings for people, and a function
// from a row to a cell. Writers make of it a table on a terminal, CSV, objects of JSON and rows of
// a page.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "report/html/page.hpp"
#include "report/text/table.hpp"

namespace strata::report {

// One cell, as programs and as people read it. Text is raw; writers clean it.
struct Datum {
  std::optional<boost::json::value> value{};  // none: no member in JSON, an empty field in CSV, as null is
  std::string shown{};
  std::optional<Cell> page{};  // none: `shown`
};

Datum as_text(std::string_view text);
Datum as_optional_text(std::string_view text);  // no member in JSON where it is empty
Datum as_flag(bool flag, std::string shown = {});
Datum as_whole(std::uint64_t number);
Datum as_size(std::uint64_t bytes);
// null where the figure does not exist.
Datum as_real(double figure, std::string shown);
Datum as_real(double figure, int decimals);
// An object or an array, for JSON only.
Datum as_nested(boost::json::value value);
// For pages only, and what a page shows of a datum.
Datum as_cell(Cell cell);
Datum on_page(Datum datum, Cell cell);

// The same of each row, by a member or a function of it.
template <typename Get>
  requires(!std::convertible_to<Get, std::string_view>)
auto as_text(Get get) {
  return [get](const auto& row) { return as_text(std::invoke(get, row)); };
}
template <typename Get>
  requires(!std::convertible_to<Get, std::uint64_t>)
auto as_whole(Get get) {
  return [get](const auto& row) { return as_whole(std::invoke(get, row)); };
}
template <typename Get>
  requires(!std::convertible_to<Get, std::uint64_t>)
auto as_size(Get get) {
  return [get](const auto& row) { return as_size(std::invoke(get, row)); };
}
// show: a number of decimals, or percent, readable and their like.
template <typename Get, typename Show>
  requires(!std::convertible_to<Get, double>)
auto as_real(Get get, Show show) {
  return [get, show](const auto& row) {
    const double figure = std::invoke(get, row);
    if constexpr (std::is_integral_v<Show>)
      return as_real(figure, show);
    else
      return as_real(figure, show(figure));
  };
}

struct ColumnHead {
  std::string key{};                  // member in JSON and heading in CSV; empty: in neither
  Column shown{};                     // on a terminal; without a heading: not there
  std::optional<std::string> page{};  // heading on a page, aligned as `shown`; none: not there
};

template <typename Row>
struct ColumnOf {
  ColumnHead head;
  std::function<Datum(const Row&)> cell;
};
template <typename Row>
using Columns = std::vector<ColumnOf<Row>>;

// The cells of all rows.
struct DataTable {
  std::vector<ColumnHead> heads;
  std::vector<std::vector<Datum>> rows;  // on a terminal, a row without cells is a rule
};

// rows: a range of rows or of pointers to rows.
template <typename Row, typename Rows>
DataTable tabulate(const Columns<Row>& columns, const Rows& rows) {
  DataTable made;
  for (const ColumnOf<Row>& column : columns) made.heads.push_back(column.head);
  for (const auto& row : rows) {
    std::vector<Datum>& cells = made.rows.emplace_back();
    for (const ColumnOf<Row>& column : columns) {
      if constexpr (std::is_pointer_v<std::decay_t<decltype(row)>>)
        cells.push_back(column.cell(*row));
      else
        cells.push_back(column.cell(row));
    }
  }
  return made;
}

std::string table(const DataTable& data);
// The headings, then a line for each row.
std::string csv(const DataTable& data);
// An object for each row.
boost::json::array json_rows(const DataTable& data);
std::vector<std::string> page_headings(const DataTable& data);
std::vector<PageRow> page_rows(const DataTable& data);
// before: markup above the table.
std::string page_table(const DataTable& data, std::string_view before = "");

}  // namespace strata::report
