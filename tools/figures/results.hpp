// SPDX-License-Identifier: Apache-2.0
// validation/results.csv: the last output of `strata validate --csv validation/results.csv`. It
// takes half an hour, so pages quote the file, and a sample of its rows is evaluated again.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include <boost/json.hpp>

#include "files/library.hpp"
#include "report/data.hpp"
#include "study/expectation/expectation.hpp"

namespace strata::figures {

/// The fields of each line; quoted ones may hold commas, quotes and line ends.
std::vector<std::vector<std::string>> csv_fields(std::string_view text);

class Results {
 public:
  /// The rows of a CSV document of `strata validate`. Throws InputError under this name.
  Results(const std::string& name, std::string_view csv);

  const std::string* line(const std::string& id) const;
  /// Takes the rows of the newer over.
  void take(const Results& newer);
  /// The document, in the order of the expectations; rows without an expectation are omitted.
  std::string csv(const std::vector<study::Expectation>& expectations) const;
  /// {"rows": [...]} of the expectations, in the names of the JSON document of `strata validate`.
  /// Throws InputError where one is not there, unless that is allowed.
  boost::json::value document(const std::vector<const study::Expectation*>& expectations, bool all_there) const;
  /// How many pass, by kind, and the mean error; missing rows are omitted.
  report::ValidationSummary summary(const std::vector<study::Expectation>& expectations) const;

 private:
  struct Row {
    std::string line;  ///< as in the file, without line end
    std::vector<std::string> fields;
  };

  const std::string& field(const Row& row, std::string_view name) const;
  boost::json::object object(const Row& row) const;

  std::string name_;
  std::string header_line_;
  std::vector<std::string> header_;
  std::map<std::string, Row> rows_;
};

}  // namespace strata::figures
