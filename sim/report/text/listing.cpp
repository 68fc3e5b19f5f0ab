// SPDX-License-Identifier: Apache-2.0
#include "report/text/listing.hpp"

#include <charconv>

#include "report/json.hpp"
#include "report/text/csv.hpp"

namespace strata::report {

namespace {

boost::json::value cell_value(const ListingColumn& column, const std::string& cell) {
  if (column.shown.align != Align::right) return boost::json::value(cell);
  if (cell.empty()) return nullptr;
  double number = 0;
  const char* const end = cell.data() + cell.size();
  const auto [read, error] = std::from_chars(cell.data(), end, number);
  return error == std::errc{} && read == end ? json_number(number) : boost::json::value(cell);
}

boost::json::array rows_of(const Listing& listing) {
  boost::json::array rows;
  for (const std::vector<std::string>& row : listing.rows) {
    boost::json::object written;
    for (std::size_t k = 0; k < listing.columns.size(); ++k)
      written[listing.columns[k].key] = cell_value(listing.columns[k], row[k]);
    rows.push_back(std::move(written));
  }
  return rows;
}

}  // namespace

std::string json(const Listing& listing) { return json(std::vector{listing}); }

std::string json(const std::vector<Listing>& listings) {
  boost::json::object all = document(listings.front().heading);
  for (const Listing& listing : listings) all[listing.what] = rows_of(listing);
  return pretty(all);
}

std::string csv(const Listing& listing) {
  std::string text;
  for (const ListingColumn& column : listing.columns) text += (text.empty() ? "" : ",") + csv_field(column.key);
  text += '\n';
  for (const std::vector<std::string>& row : listing.rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k == 0 ? "" : ",") + csv_field(row[k]);
    text += '\n';
  }
  return text;
}

std::string table(const Listing& listing) {
  std::vector<Column> columns;
  for (const ListingColumn& column : listing.columns) columns.push_back(column.shown);
  return listing.above + table(columns, listing.rows);
}

}  // namespace strata::report
