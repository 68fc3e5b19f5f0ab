// SPDX-License-Identifier: Apache-2.0
// Shared by verbs that draw a curve over footprints: measured points of the user drawn over it,
// and the output forms of the result.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/measured.hpp"
#include "options.hpp"
#include "report/data.hpp"

namespace strata::cli {

/// Adds --compare, --columns and --where; value: "latency", "bandwidth".
void describe_comparison(po::options_description& description, const std::string& value);
/// The file of --compare; nothing if it was not given. Throws InputError.
std::optional<tools::MeasuredCurve> read_comparison(const Options& options, tools::Measured quantity);

/// The footprints that --footprint lists; nothing if it was not given. Throws InputError: it is combined with
/// --from, --to or --points-per-octave, or one is not a size.
std::optional<std::vector<std::uint64_t>> listed_footprints(const Options& options);

/// Rising, each once.
void sort_once(std::vector<std::uint64_t>& footprints);

/// Each measured point with the optional result of predicted(its footprint in bytes); without a
/// prediction, as after an interrupt, it is omitted.
template <class Predicted>
report::Comparison compare(const tools::MeasuredCurve& measured, const std::string& source,
                           const Predicted& predicted) {
  report::Comparison comparison{source, measured.unit, {}};
  for (const tools::MeasuredPoint& point : measured.points)
    if (const std::optional<double> value = predicted(point.footprint_bytes))
      comparison.points.push_back({point.footprint_bytes, point.value, *value});
  return comparison;
}

/// Writes the result in each requested form, and the table on standard output unless that is
/// used by another form. draw() returns its chart.
template <class Answer, class Draw>
void write_answer(const Outputs& outputs, const Answer& answer, const Draw& draw) {
  if (outputs.json) tools::write_file(*outputs.json, json(answer));
  if (outputs.csv) tools::write_file(*outputs.csv, csv(answer));
  if (outputs.svg) tools::write_file(*outputs.svg, svg(draw()));
  if (outputs.html) tools::write_file(*outputs.html, html(answer));
  if (!outputs.claims_stdout()) std::cout << table(answer);
}

}  // namespace strata::cli
