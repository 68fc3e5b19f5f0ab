// SPDX-License-Identifier: Apache-2.0
// The contents of a report: plain data, filled in by the caller that ran the question and read
// by every writer of this module. Writers compute no result of their own; the few figures below
// that summarise a table are computed here once, so that JSON, CSV, table and page cannot
// disagree. A figure that does not exist is NaN and is written as null, an empty cell or "-".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::report {

// What an interrupted run has of what was asked for.
struct Incomplete {
  std::uint64_t done = 0;
  std::uint64_t asked = 0;
  std::string what;  // "points"
};

// Opens every document: who computed it, for what, and the run's fingerprint.
struct Heading {
  std::string version;
  std::string gpu;
  std::string fingerprint;                 // of the runs behind the answer; empty: nothing ran
  std::optional<Incomplete> incomplete{};  // none: the answer is whole
};

// "incomplete: interrupted after 3 of 12 points"; empty: the answer is whole.
std::string incomplete_in_words(const Heading& heading);
// That as the first line of a CSV, "# incomplete: ...", and of a table; empty in the same case.
std::string incomplete_comment(const Heading& heading);
std::string incomplete_line(const Heading& heading);
// The subtitle of a drawing, behind that.
std::string marked(const Heading& heading, const std::string& subtitle);

// One value of the effective configuration and its origin.
struct Setting {
  std::string path;
  std::string value;
  std::string set_by;
  bool given = false;       // by the user of this run, not by the GPU's own configuration
  std::string unread = {};  // why this question does not read it; empty: it is read
  std::string caveat = {};  // what it does not decide though its name suggests it
  std::string bound = {};   // the value as the model reads it
};
// "l1.cache.size=192KiB is set, but not read by this question: ...": one sentence for
// each given setting that is not read or not read as its name suggests.
std::vector<std::string> notes_on(const std::vector<Setting>& settings);

struct LatencyPoint {
  std::uint64_t footprint_bytes = 0;
  double latency_ns = 0;
  double latency_cycles = 0;
  // Level name and share of the loads it served (0 to 1), from core to memory.
  std::vector<std::pair<std::string, double>> hit_level_shares;
};

// "L2 61.0 %, DRAM 39.0 %": the levels that served any load, core first.
std::string served_by(const LatencyPoint& point);
std::string served_by(const std::vector<std::pair<std::string, double>>& hit_level_shares);

// The share of a level; 0 where it is not among them.
double share_of(const std::vector<std::pair<std::string, double>>& hit_level_shares, const std::string& level);

// The levels of all points, each once, in order of first appearance.
std::vector<std::string> levels_of(const std::vector<LatencyPoint>& points);

// A measured point beside what the model says at the same footprint.
struct ComparedPoint {
  std::uint64_t footprint_bytes = 0;
  double measured = 0;   // in Comparison::unit
  double predicted = 0;  // in Comparison::unit
  // (predicted - measured) / measured; NaN when measured is 0.
  double error() const;
};

struct Comparison {
  std::string source;           // where the measured points come from
  std::string unit = "cycles";  // "cycles" or "ns"
  std::vector<ComparedPoint> points;
  // Mean of |error| over the points that have one; NaN when none has.
  double mean_absolute_error() const;
  // The point with the largest |error|, the first of equals; null when none.
  const ComparedPoint* worst() const;
};

// A capacity on the footprint axis, for example {201326.0, "L1"}.
struct CapacityMarker {
  double x = 0;
  std::string label;
};

// A level stretch of a curve: its height and where it begins and ends.
struct Plateau {
  double y = 0;
  double from_x = 0;
  double to_x = 0;
  std::string label;
};

struct JourneyStage {
  std::string stage;
  double cycles = 0;  // of the core clock
  double ns = 0;
  std::string note;  // hit or miss and why
};

// The most common path of the loads that a level served at one footprint. The stages are
// means over the loads that took it, in order.
struct LevelPath {
  std::string level;
  std::uint64_t footprint_bytes = 0;
  double share = 0;  // of the level's loads, 0 to 1
  std::vector<JourneyStage> stages;
  double cycles = 0;  // mean latency of these loads
  double ns = 0;
};

// The answer of `latency`. Plateaus are in the unit the chart is drawn in.
// What a predicted curve is called beside measured points.
inline constexpr std::string_view predicted_label = "Strata, predicted";

struct CurveReport {
  Heading heading;
  std::string title;     // "NVIDIA B200: load-to-use latency"
  std::string subtitle;  // how it was taken: stride, threads, space
  std::vector<LatencyPoint> points;
  std::vector<CapacityMarker> capacities;
  std::vector<Plateau> plateaus;
  std::optional<Comparison> comparison;
  std::vector<Setting> settings;
  std::string label = std::string(predicted_label);  // of its curve, where it stands alone
  std::vector<LevelPath> paths = {};                 // from core to memory; for the page
};

// How an expectation came about; kept apart in every summary.
enum class Kind { spec, fitted, predicted, ordering };
inline constexpr std::array all_kinds{Kind::spec, Kind::fitted, Kind::predicted, Kind::ordering};
std::string_view name(Kind kind);
// One sentence for a reader who meets the word for the first time.
std::string_view meaning(Kind kind);

// A point of a row that compares a curve.
struct ValidationPoint {
  std::string label;
  double measured = 0;
  double predicted = 0;
};

struct ValidationRow {
  std::string id;
  std::string gpu;
  std::string quantity;
  std::string unit;
  double measured = 0;
  double predicted = 0;
  double error = 0;      // relative, signed: 0.05 is 5 % above measured
  double tolerance = 0;  // relative, largest |error| that passes
  Kind kind = Kind::predicted;
  std::string source;
  bool pass = false;
  std::string note;                       // what to know about this row, may be empty
  std::vector<ValidationPoint> points{};  // of a curve; in the unit of the measurement
  bool absolute = false;                  // judged in the unit of the quantity: no part of the mean error
};

struct Tally {
  std::size_t rows = 0;
  std::size_t passed = 0;
};

struct ValidationSummary {
  Tally all;
  std::array<Tally, all_kinds.size()> by_kind{};  // in the order of all_kinds
  double predicted_mean_absolute_error = 0;       // NaN without predicted rows
};

// The answer of `validate`: rows in the order they are to be shown, and for
// the page the predicted curves with the measured points over them.
struct ValidationReport {
  Heading heading;
  std::vector<ValidationRow> rows;
  std::vector<CurveReport> curves;
  std::vector<Setting> settings = {};  // that the user gave
};
ValidationSummary summarise(const std::vector<ValidationRow>& rows);
// The GPUs of the rows, each once, in order of first appearance.
std::vector<std::string> gpus_of(const std::vector<ValidationRow>& rows);
// Those of one GPU.
std::vector<const ValidationRow*> rows_of(const std::vector<ValidationRow>& rows, std::string_view gpu);

// The answer of `explain --address`. The totals are the load's latency as the
// machine saw it, in exact time, and not a sum of rounded stages.
struct JourneyReport {
  Heading heading;
  std::uint64_t address = 0;
  std::string what;  // "ld.global, 4 B, second access"
  std::vector<JourneyStage> stages;
  double total_cycles = 0;
  double total_ns = 0;
  std::vector<Setting> settings = {};  // that the user gave
  std::string title = {};              // empty: the standard one
};

}  // namespace strata::report
