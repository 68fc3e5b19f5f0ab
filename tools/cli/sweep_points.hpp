// SPDX-License-Identifier: Apache-2.0
// Execution of the points of a sweep: results that a directory stores are taken from there, the
// others are measured and stored as they complete.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kept_answers.hpp"
#include "options.hpp"
#include "parallel/points.hpp"
#include "parallel/progress.hpp"
#include "sweep_plan.hpp"

namespace strata::cli {

/// --out, --shard and --merge.
struct Portion {
  std::optional<std::string> directory;
  std::size_t shard = 0;   ///< below `shards`
  std::size_t shards = 0;  ///< 0: the points are not divided
  bool merge = false;
};
/// Throws InputError: a shard or a merge without a directory, both, or a shard that is to write a report.
Portion read_portion(const Options& options, const Outputs& outputs);

class SweepRun {
 public:
  /// Reads the stored results of the directory. Throws InputError: it cannot be used, or points
  /// to be merged are missing.
  SweepRun(const SweepPlan& plan, const SweepQuestionKind& kind, Portion portion);

  /// Checks the points that remain to be run; see SweepPlan::check(). Reports on stderr which
  /// are skipped and how many are stored already.
  void check(std::size_t jobs, bool quiet, bool skip);
  /// Runs them; see tools::collect_points(). The results of all completed points are then
  /// available.
  void measure(std::size_t jobs, bool quiet, stats::Detail statistics);
  /// How many answers a whole run has.
  std::size_t asked() const { return kept_points_ + to_run_.size() - refused_in_run_; }

  std::vector<std::size_t> points;   ///< of the grid, that are done, ascending
  std::vector<SweepAnswer> answers;  ///< of each
  std::vector<std::string> refused;  ///< values and reasons of the skipped points

 private:
  bool of_this_shard(std::size_t point) const;

  const SweepPlan& plan_;
  const Portion portion_;
  std::unique_ptr<KeptAnswers> kept_;  ///< null: no results are stored
  std::vector<std::string> names_;     ///< of all points, where answers are kept
  std::vector<std::size_t> to_run_;    ///< points of the grid, ascending
  std::size_t kept_points_ = 0;
  bool skip_ = false;  ///< points that are refused when they run
  std::size_t refused_in_run_ = 0;
  std::optional<tools::Progress> progress_;
  std::optional<tools::PointsUnderWay> under_way_;  ///< the last member: it waits for threads that use the others
};

}  // namespace strata::cli
