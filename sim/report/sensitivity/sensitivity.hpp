// SPDX-License-Identifier: Apache-2.0
// The answer of `sensitivity`: how far one figure of a question moves when each
// setting that it reads is moved alone, and how well each setting is known. Rows
// stand by the largest relative change, the largest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/data.hpp"
#include "report/sweep/sweep.hpp"

namespace strata::report {

// One side of a row: the setting moved down or up.
struct SensitivityMove {
  std::string text;          // the value it was moved to; empty: there is none
  double number = 0;         // of it, in base units
  double answer = 0;         // NaN: none
  double change = 0;         // (answer - base) / base; NaN: none
  bool nearest = false;      // another step than asked for, the nearest that is allowed
  std::string refused = {};  // why no value is allowed; empty: it was run
  bool done = true;          // false: an interrupt came before
};

struct SensitivityRow {
  std::string path;
  std::string value;
  double number = 0;       // in base units
  std::string provenance;  // "sourced", "derived", "estimated", "fitted", "chosen" or "none"
  std::string source;      // the note of the provenance
  std::string set_by;      // "default" where it was not set
  SensitivityMove low;
  SensitivityMove high;
  double elasticity = 0;  // NaN: fewer than two answers

  bool moved() const { return low.done && high.done && (!low.text.empty() || !high.text.empty()); }
  bool zero() const { return number == 0; }  // no factor moves it
  bool refused() const { return low.done && high.done && low.text.empty() && high.text.empty() && !zero(); }
  // The larger |change|, with its sign; 0: no effect; NaN: no answer.
  double largest_change() const;
};

struct UncertaintyReport {
  std::uint64_t asked = 0;
  std::uint64_t refused = 0;  // draws whose machine is refused
  std::uint64_t seed = 0;
  double range = 0;
  std::vector<double> answers;  // of draws that were run, in their order
  double median = 0;            // NaN: no answers; in the unit of the answer
  double p05 = 0;
  double p95 = 0;
  std::vector<std::string> drawn;  // paths
  std::vector<std::string> held;   // estimated, read, but no value near is allowed
};

struct SensitivityReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::string question;
  std::vector<std::pair<std::string, std::string>> options;
  SweepFigure figure;       // the answer: its field, title and unit
  double answer = 0;        // of the machine as it is, in the unit of the field
  double by = 0;            // 0.2: 20 %
  std::size_t top = 15;     // rows that tables and drawings show
  std::size_t numbers = 0;  // of the configuration
  std::size_t unread = 0;   // of those, not read by this question
  std::vector<SensitivityRow> rows;
  std::optional<UncertaintyReport> uncertainty;
  std::vector<Setting> settings;
};

struct SensitivityCounts {
  std::size_t read = 0;
  std::size_t selected = 0;        // of those, all or those of --only: the rows
  std::size_t moved = 0;           // of the selected: down, up or both
  std::size_t without_effect = 0;  // of those
  std::size_t refused = 0;         // both ways
  std::size_t zero = 0;            // no factor moves them
  std::size_t not_done = 0;        // an interrupt came before
};
SensitivityCounts counts(const SensitivityReport& report);

// How much of all the largest changes together comes of settings of each provenance:
// "sourced", how many of them have an effect, and their share of 1.
struct ProvenanceShare {
  std::string provenance;
  std::size_t settings = 0;
  double share = 0;
};
std::vector<ProvenanceShare> provenance_shares(const SensitivityReport& report);

// By largest |change|, then by path; rows without an answer last.
void rank(std::vector<SensitivityRow>& rows);
// The first `top` rows that have an effect.
std::vector<const SensitivityRow*> shown_rows(const SensitivityReport& report);
// "numbers in the configuration: 213; read by this question: 85; moved: 80, 40 of them without effect; refused: 5; zero: 0"; after "read",
// "selected by --only: 3" where it is not all of them
std::string counts_in_words(const SensitivityReport& report);
// One sentence: median and band.
std::string uncertainty_in_words(const SensitivityReport& report);
// "342.4 ns"
std::string answer_in_words(const SensitivityReport& report, double answer);

std::string table(const SensitivityReport& report);
std::string csv(const SensitivityReport& report);
std::string json(const SensitivityReport& report);
// The tornado chart.
std::string svg(const SensitivityReport& report);
std::string html(const SensitivityReport& report);

}  // namespace strata::report
