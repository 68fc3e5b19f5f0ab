// SPDX-License-Identifier: Apache-2.0
#include "curve_options.hpp"

#include <fmt/format.h>

#include <iostream>

#include "bandwidth_options.hpp"
#include "base/diagnostic.hpp"
#include "base/printable.hpp"

namespace strata::cli {

void describe_comparison(po::options_description& description, const std::string& value) {
  const std::string columns = fmt::format("footprint and {} column of that file, if their names are not known{}", value,
                                          value == "bandwidth" ? "; Y:UNIT if its unit is not in its name" : "");
  description.add_options()("compare", po::value<std::string>()->value_name("FILE.csv"),
                            "measured points; each is predicted at its own footprint")(
      "columns", po::value<std::string>()->value_name("X,Y"), columns.c_str())(
      "where", po::value<std::vector<std::string>>()->composing()->value_name("COLUMN=TEXT"),
      "only rows of that file with this text in this column")("label",
                                                              po::value<std::vector<std::string>>()->value_name("TEXT"),
                                                              "of the predicted curve in drawings and pages");
}

std::optional<tools::MeasuredCurve> read_comparison(const Options& options, tools::Measured quantity) {
  const std::optional<std::string> file = options.text("compare");
  if (!file) {
    for (const char* option : {"columns", "where"})
      if (options.has(option))
        throw InputError(Diagnostic{
            fmt::format("--{}", option), 0, 0, "applies to the file of --compare, and there is no --compare", {}});
    return std::nullopt;
  }
  tools::MeasuredCurve measured = tools::read_measured(
      tools::read_file(*file), *file, tools::column_choice(options.text("columns"), options.texts("where"), quantity));
  for (const std::string& note : measured.notes) std::cerr << fmt::format("note: {}\n", printable(note));
  return measured;
}

std::optional<std::vector<std::uint64_t>> listed_footprints(const Options& options) {
  const std::optional<std::string> text = options.text("footprint");
  if (!text) return std::nullopt;
  if (options.has("from") || options.has("to"))
    refuse_option("footprint", "replaces --from and --to; remove one or the other");
  if (options.has("points-per-octave"))
    refuse_option("points-per-octave", "applies to --from and --to, not to --footprint");
  return sizes("footprint", *text);
}

void sort_once(std::vector<std::uint64_t>& footprints) {
  std::sort(footprints.begin(), footprints.end());
  footprints.erase(std::unique(footprints.begin(), footprints.end()), footprints.end());
}

}  // namespace strata::cli
