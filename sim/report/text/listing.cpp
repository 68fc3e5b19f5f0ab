// SPDX-License-Identifier: Apache-2.0
#include "report/text/listing.hpp"

#include <charconv>
#include <limits>

#include "report/json.hpp"

namespace strata::report {

namespace {

// null where there is no figure.
Datum number_or_text(const std::string& cell) {
  if (cell.empty()) return as_real(std::numeric_limits<double>::quiet_NaN(), cell);
  double number = 0;
  const char* const end = cell.data() + cell.size();
  const auto [read, error] = std::from_chars(cell.data(), end, number);
  return error == std::errc{} && read == end ? as_real(number, cell) : as_text(cell);
}

// numbers: of figures; else the text as it is.
DataTable data_of(const Listing& listing, bool numbers) {
  DataTable data{listing.columns, {}};
  for (const std::vector<std::string>& row : listing.rows) {
    std::vector<Datum>& cells = data.rows.emplace_back();
    for (const std::string& cell : row) {
      const bool figure = numbers && listing.columns[cells.size()].shown.align == Align::right;
      cells.push_back(figure ? number_or_text(cell) : as_text(cell));
    }
  }
  return data;
}

}  // namespace

std::string json(const Listing& listing) { return json(std::vector{listing}); }

std::string json(const std::vector<Listing>& listings) {
  boost::json::object all = document(listings.front().heading);
  for (const Listing& listing : listings) all[listing.what] = json_rows(data_of(listing, true));
  return pretty(all);
}

std::string csv(const Listing& listing) { return csv(data_of(listing, false)); }

std::string table(const Listing& listing) { return listing.above + table(data_of(listing, false)); }

}  // namespace strata::report
