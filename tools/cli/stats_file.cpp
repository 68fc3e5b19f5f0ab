// SPDX-License-Identifier: Apache-2.0
#include "stats_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"
#include "report/text/table.hpp"

namespace strata::cli {

void StatsFile::describe(po::options_description& description) {
  description.add_options()(
      "stats", po::value<std::string>()->value_name("FILE"),
      "writes every statistic of `list stats` with its value, for each part of the result: kernel, point, pair,\n"
      "case, machine; FILE ends in .json or .csv")(
      "stats-detail", po::value<std::string>()->value_name("kinds|instances")->default_value("kinds"),
      "kinds: sums over all cores, slices, channels; instances: a row for each of them");
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

void StatsFile::add(std::vector<std::string> part, const PartStatistics& rows) {
  part.insert(part.end(), rows.part.begin(), rows.part.end());
  add(part, rows.rows);
}

// A share is listed between the busy time of its resource and the number of uses.
void StatsFile::rank(std::size_t parts, const std::vector<report::ListingColumn>& columns) {
  constexpr std::size_t most = 10;
  constexpr std::string_view ending = "/share";
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t i = 1; i + 1 < rows_.size(); ++i) {
    if (!rows_[i][parts].ends_with(ending)) continue;
    const double share = std::stod(rows_[i][parts + 2]);
    if (share > 0) shares.emplace_back(share, i);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  shares.resize(std::min(shares.size(), most));
  if (shares.empty()) return;
  std::vector<report::Column> shown;
  for (std::size_t i = 0; i < parts; ++i) shown.push_back(columns[i].shown);
  shown.insert(shown.end(), {{"resource", report::Align::left}, {"busy [%]"}, {"busy [ns]"}, {"times used"}});
  std::vector<std::vector<std::string>> table;
  for (const auto& [share, at] : shares) {
    std::vector<std::string>& row =
        table.emplace_back(rows_[at].begin(), rows_[at].begin() + static_cast<std::ptrdiff_t>(parts));
    const std::string& path = rows_[at][parts];
    row.push_back(path.substr(0, path.size() - ending.size()));
    row.push_back(fmt::format("{:.1f}", 100 * share));
    row.push_back(fmt::format("{:.0f}", std::stod(rows_[at - 1][parts + 2])));
    row.push_back(rows_[at + 1][parts + 2]);
  }
  busiest_ = "\nbusiest resources; a busy time is the sum over all instances, the share their mean\n" +
             report::table(shown, table);
}

void StatsFile::write(const report::Heading& heading, std::vector<report::ListingColumn> part,
                      const std::vector<report::ListingColumn>& further) {
  if (!file_) return;
  constexpr report::Align left = report::Align::left;
  constexpr report::Align right = report::Align::right;
  report::Listing all;
  all.heading = heading;
  all.what = "statistics";
  all.columns = std::move(part);
  all.columns.insert(all.columns.end(), further.begin(), further.end());
  for (const auto& [key, align] :
       {std::pair{"statistic", left}, {"unit", left}, {"value", right}, {"instances", right}, {"meaning", left}})
    all.columns.push_back({key, {key, align}});
  rank(all.columns.size() - 5, all.columns);
  all.rows = std::move(rows_);
  tools::write_file(*file_, json_ ? report::json(all) : report::csv(all));
}

}  // namespace strata::cli
