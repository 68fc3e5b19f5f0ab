// SPDX-License-Identifier: Apache-2.0
// The answer of `sweep`: what was varied, and a row of figures for each point.
// The document says nothing about which question was asked beyond its name and
// options: its figures are columns with a name that holds their unit, so that
// a question of another kind needs no writer of its own. Figures of a point that
// bear the name of a varied parameter are what the run made of it (a footprint
// in whole strides) and take that parameter's column in CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/data.hpp"
#include "report/svg/bars.hpp"
#include "report/svg/curve.hpp"
#include "report/svg/heat_map.hpp"

namespace strata::report {

// One value of a varied parameter.
struct SweepValue {
  std::string text;   // for people, and as --set takes it
  double number = 0;  // in the unit that the field's name ends with; NaN: the text is all there is
};

// What a varied parameter is a part of: it chooses the GPU, is a setting of it, or is an option
// of the question.
enum class SweepPart { gpu, configuration, question };

struct SweepParameter {
  std::string path;   // as given to --vary
  std::string field;  // path with its unit: "l2.cache.size_bytes"
  SweepPart part = SweepPart::configuration;
  std::vector<SweepValue> values;
  std::string unit;              // that charts show
  double per_unit = 1;           // one unit in the numbers' own: 1e6 for MHz over hertz
  bool size = false;             // bytes, shown as KiB and MiB
  bool changed_nothing = false;  // all figures the same at every point
  std::string unread = {};       // why no point reads it, or why an option changed nothing; empty: no reason is known
  bool factors = false;          // of each GPU's own value; SweepPoint::settings has what they are there
  std::string follows = {};      // path of the earlier parameter that it is linked with; empty: none
};

struct SweepFigure {
  std::string field;    // "latency_ns"
  std::string title;    // "latency"
  std::string unit;     // that tables and charts show
  double per_unit = 1;  // 1e9 for GB/s over bytes a second
  int decimals = 1;
  bool whole = false;  // an integer in documents
  bool shown = true;   // in the table for people
};

struct SweepPoint {
  std::vector<std::size_t> choices;  // which value of each parameter
  std::vector<double> figures;       // one for each of SweepReport::figures
  std::vector<std::string> words;    // one for each of SweepReport::words
  std::vector<std::pair<std::string, double>> shares;
  // What a factor of each GPU's own value is on this one, by index of the parameter.
  std::vector<std::pair<std::size_t, std::string>> settings = {};
};

struct SweepReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::string question;  // "latency"
  // Options of the question that stay as they are, in full.
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<SweepParameter> parameters;
  std::vector<SweepFigure> figures;
  std::size_t drawn = 0;           // the figure that charts show
  std::vector<std::string> words;  // names of columns of text: "bottleneck"
  std::string shares;              // "hit_level_shares"; empty: the question has none
  std::string shares_title;        // "served by"
  std::vector<SweepPoint> points;
  std::vector<std::string> refused;  // by which values and why, of points that were skipped
  std::vector<Setting> settings;
};

// Why the sweep is not drawn; empty: it is. Depends on what was varied alone,
// so that it can be reported before any point is run.
std::string why_not_drawn(const std::vector<SweepParameter>& parameters);
// Why it has no curves, and no heat maps.
std::string why_no_curves(const std::vector<SweepParameter>& parameters);
std::string why_no_map(const std::vector<SweepParameter>& parameters);
// The parameter on the x axis is the first that is a number; the first of the others
// gives the curves; the rest give a chart for each of their combinations. Empty where
// no parameter is a number.
std::vector<Chart> sweep_charts(const SweepReport& report);
// The same two as the axes of a map, where each has three values or more; a map for each combination of the rest.
std::vector<HeatMap> sweep_maps(const SweepReport& report);
// Where no parameter is a number it is drawn as bars; none where it is not.
std::optional<BarSheet> sweep_bars(const SweepReport& report);

std::string table(const SweepReport& report);
// A column each for parameters, what factors are of each GPU, figures, words and share_<name>.
std::string csv(const SweepReport& report);
std::string json(const SweepReport& report);
// The bars, or all charts, one below the other; the maps where curves could not be distinguished.
std::string svg(const SweepReport& report);
std::string html(const SweepReport& report);

// "L2 61.0 %, DRAM 39.0 %"
std::string shares_in_words(const SweepPoint& point);
// One sentence for each parameter that changed nothing.
std::vector<std::string> what_changed_nothing(const SweepReport& report);

}  // namespace strata::report
