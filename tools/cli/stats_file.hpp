// SPDX-License-Identifier: Apache-2.0
// --stats FILE: every statistic of the machine with its value, for each kernel or
// each point of a curve. The rows are those of `list stats`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"
#include "report/text/listing.hpp"
#include "stats/collector.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

class StatsFile {
 public:
  /// Adds --stats and --stats-detail.
  static void describe(po::options_description& description);
  /// Throws InputError where the file is neither .json nor .csv, cannot be written, or is
  /// another output.
  explicit StatsFile(const Options& options);

  /// The statistics that a study must record.
  stats::Detail detail() const { return detail_; }
  /// The cells that open each row of a part of the answer: a kernel or a point.
  void add(const std::vector<std::string>& part, const std::vector<stats::Statistic>& rows);
  /// The same of a part of that part: a kernel of a point.
  void add(std::vector<std::string> part, const PartStatistics& rows);
  /// part: the columns of add(); further: of PartStatistics. Does nothing if no file was requested.
  void write(const report::Heading& heading, std::vector<report::ListingColumn> part,
             const std::vector<report::ListingColumn>& further = {});

  /// Of what was written, the ten resources that were busy for the largest share of their time, as a table
  /// for the terminal; empty if no file was requested.
  const std::string& busiest() const { return busiest_; }

 private:
  void rank(std::size_t parts, const std::vector<report::ListingColumn>& columns);

  std::optional<std::string> file_;
  bool json_ = false;
  stats::Detail detail_ = stats::Detail::none;
  std::vector<std::vector<std::string>> rows_;
  std::string busiest_;
};

}  // namespace strata::cli
