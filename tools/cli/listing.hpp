// SPDX-License-Identifier: Apache-2.0
// Lists, in the forms that every verb writes.
#pragma once
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "files/files.hpp"
#include "options.hpp"
#include "report/text/listing.hpp"
#include "version.hpp"

namespace strata::cli {

inline constexpr report::Align left = report::Align::left;
inline constexpr report::Align right = report::Align::right;

inline report::Listing listing(const char* what, std::vector<report::ListingColumn> columns) {
  report::Listing made;
  made.heading = {version, "", ""};  // of no machine, without a run
  made.what = what;
  made.columns = std::move(columns);
  return made;
}

/// To the requested files, and as `text` on standard output unless another form uses that.
inline void write_listing(const Outputs& outputs, const report::Listing& listing, const std::string& text) {
  if (outputs.json) tools::write_file(*outputs.json, report::json(listing));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(listing));
  if (!outputs.claims_stdout()) std::cout << text;
}
inline void write_listing(const Outputs& outputs, const report::Listing& listing) {
  write_listing(outputs, listing, report::table(listing));
}
/// A line a row: "cell: cell".
inline std::string lines(const report::Listing& listing) {
  std::string text;
  for (const std::vector<std::string>& row : listing.rows)
    text += printable(fmt::format("{}", fmt::join(row, ": "))) + '\n';
  return text;
}

}  // namespace strata::cli
