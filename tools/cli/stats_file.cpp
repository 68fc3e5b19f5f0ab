// SPDX-License-Identifier: Apache-2.0
#include "stats_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"

namespace strata::cli {

void StatsFile::describe(po::options_description& description) {
  description.add_options()(
      "stats", po::value<std::string>()->value_name("FILE"),
      "writes every statistic of `list stats` with its value, for each kernel or point; FILE ends\n"
      "in .json or .csv")("stats-detail",
                          po::value<std::string>()->value_name("kinds|instances")->default_value("kinds"),
                          "kinds: sums over all cores, slices, channels; instances: each of them in a row");
}

StatsFile::StatsFile(const Options& options) : file_(options.text("stats")) {
  const bool each = options.choice("stats-detail", {"kinds", "instances"}) == 1;
  if (!file_) {
    if (options.has("stats-detail")) throw InputError(Diagnostic{"--stats-detail", 0, 0, "requires --stats", {}});
    return;
  }
  const std::string suffix = std::filesystem::path(*file_).extension();
  if (suffix != ".json" && suffix != ".csv")
    throw InputError(Diagnostic{
        "--stats", 0, 0, fmt::format("'{}' has no known suffix; name a file that ends in .json or .csv", *file_), {}});
  tools::check_writable(*file_);
  tools::declare_output("--stats", *file_);
  json_ = suffix == ".json";
  detail_ = each ? stats::Detail::instances : stats::Detail::kinds;
}

void StatsFile::add(const std::vector<std::string>& part, const std::vector<stats::Statistic>& rows) {
  for (const stats::Statistic& row : rows) {
    std::vector<std::string>& cells = rows_.emplace_back(part);
    for (std::string cell :
         {row.path, row.unit, fmt::format("{}", row.value), fmt::format("{}", row.instances), row.meaning})
      cells.push_back(std::move(cell));
  }
}

void StatsFile::write(const report::Heading& heading, std::vector<report::ListingColumn> part) {
  if (!file_) return;
  constexpr report::Align left = report::Align::left;
  constexpr report::Align right = report::Align::right;
  report::Listing all;
  all.heading = heading;
  all.what = "statistics";
  all.columns = std::move(part);
  for (const auto& [key, align] :
       {std::pair{"statistic", left}, {"unit", left}, {"value", right}, {"instances", right}, {"meaning", left}})
    all.columns.push_back({key, {key, align}});
  all.rows = std::move(rows_);
  tools::write_file(*file_, json_ ? report::json(all) : report::csv(all));
}

}  // namespace strata::cli
