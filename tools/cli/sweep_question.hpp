// SPDX-License-Identifier: Apache-2.0
// The questions that a sweep can put to each of its machines. A question consists of its
// options, the columns of its result, and functions that read and run it; a new one is one file
// and one line in sweep_question.cpp. Each of its options can be varied like a setting: a
// point's options are read as the command line would be.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "formats/import/import.hpp"
#include "machine/checks/activity.hpp"
#include "machine/spec.hpp"
#include "options.hpp"
#include "report/sweep/sweep.hpp"
#include "report/text/listing.hpp"
#include "stats/collector.hpp"
#include "stats/kernel_figures.hpp"
#include "unread_options.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::cli {

/// A result that a point does not have.
inline constexpr double no_result = std::numeric_limits<double>::quiet_NaN();

/// Throws InputError about what was asked, such as `--vary l2.ways=3`.
[[noreturn]] inline void refuse_sweep(std::string what, std::string message, std::string hint = {}) {
  throw InputError(Diagnostic{std::move(what), 0, 0, std::move(message), std::move(hint)});
}

/// A part of an answer: "stages" (ns of a request), "served by", "hits" and "busy" (shares of 1).
struct AnswerPart {
  std::string_view group;
  std::string name;
  double value = 0;
};

/// The statistics of a part of an answer: of a kernel, or of all of it.
struct PartStatistics {
  std::vector<std::string> part;  ///< in the columns of its question's `parts`
  std::vector<stats::Statistic> rows;
};

/// One point's answer, in the columns of its question.
struct SweepAnswer {
  std::vector<double> figures;
  std::vector<std::string> words;
  std::vector<std::pair<std::string, double>> shares;
  std::uint64_t fingerprint = 0;
  std::vector<AnswerPart> parts = {};           ///< of explained(); the longest stage first
  std::vector<PartStatistics> statistics = {};  ///< where they were asked for
  std::string refused = {};                     ///< why its run ended; empty: it did not
};

/// Notes from importing a file, by its name.
using Imports = std::map<std::string, formats::ImportReport>;

/// A question with all its options decided.
class SweepQuestion {
 public:
  virtual ~SweepQuestion() = default;
  /// The activity of that machine.
  virtual machine::Activity does(const machine::MachineSpec& spec) const = 0;
  /// Its options that it or that machine does not read.
  virtual std::vector<report::Setting> unread_options(const Given& given, const machine::MachineSpec& spec) const = 0;
  /// Throws std::logic_error if this machine cannot run it; quick. Any thread may call it.
  virtual void check(machine::Machine& machine) const = 0;
  /// The same, and runs it. Any thread may call it.
  virtual SweepAnswer measure(const machine::MachineSpec& spec, stats::Detail statistics) const = 0;
  /// The same with the parts that explain the result.
  virtual SweepAnswer explained(const machine::MachineSpec& spec, stats::Detail statistics) const = 0;
  /// The files whose contents its answer hangs on.
  virtual std::vector<std::string> files() const { return {}; }
  /// The findings of check() in files of other tools, by file; it must have been called.
  virtual void add_imports(Imports& /*imports*/) const {}
};

struct SweepQuestionKind {
  std::string_view name;
  std::string_view title;    ///< "load-to-use latency"
  std::string_view example;  ///< options that make a whole command of it
  void (*describe)(po::options_description& description);
  /// Throws InputError.
  std::unique_ptr<SweepQuestion> (*read)(const Options& options);
  std::vector<report::SweepFigure> figures;
  std::size_t drawn;  ///< the figure that charts show
  std::vector<std::string> words;
  std::string shares;
  std::string shares_title;
  /// Adds options that depend on the other options; these can only be varied. May be null.
  void (*describe_more)(po::options_description& description, const Options& given) = nullptr;
  std::vector<report::ListingColumn> parts = {};  ///< what distinguishes the PartStatistics of one answer
};

/// Parts of the activity of levels and resources.
void add_use(SweepAnswer& answer, const std::vector<stats::LevelUse>& levels,
             const std::vector<stats::ResourceUse>& resources);
/// The footprint of a point. Throws InputError, which states how to give several.
Bytes one_footprint(const Options& options);
/// Options of a question and their values; a switch that is on is "true".
std::vector<std::pair<std::string, std::string>> question_options(const SweepQuestionKind& kind,
                                                                  const Options& options);

std::span<const SweepQuestionKind> sweep_questions();
/// Throws InputError with the nearest name.
const SweepQuestionKind& sweep_question(const std::string& name);

/// The name given as --question or as the first word; "latency" where there is none. The options
/// of a verb depend on its question, so this reads the arguments before they are parsed.
std::string asked_question(const Arguments& arguments);
/// The names of all questions, separated by |.
std::string question_names();

SweepQuestionKind sweep_latency();
SweepQuestionKind sweep_bandwidth();
SweepQuestionKind sweep_run();
SweepQuestionKind sweep_loaded();

}  // namespace strata::cli
