// SPDX-License-Identifier: Apache-2.0
// A list of what there is: a table for people, the same rows for programs.
#pragma once
#include <string>
#include <vector>

#include "report/data.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

using ListingColumn = ColumnHead;  // figures align to the right, and are numbers in JSON

struct Listing {
  Heading heading;
  std::string what;   // "gpus": the member of the document that holds the rows
  std::string above;  // a line over the table; empty: none
  std::vector<ListingColumn> columns;
  std::vector<std::vector<std::string>> rows;  // a cell for each column; an empty one is as above
};

// {..., what: [{key: cell, ...}, ...]}
std::string json(const Listing& listing);
// Several under the heading of the first, each its own member; a figure that does not exist is null.
std::string json(const std::vector<Listing>& listings);
// key,key,...
std::string csv(const Listing& listing);
std::string table(const Listing& listing);

}  // namespace strata::report
