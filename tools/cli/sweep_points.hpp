// SPDX-License-Identifier: Apache-2.0
// The points of a sweep as they are run: those whose answers a directory keeps are taken from
// there, the others are measured and kept as they come.
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
  /// Reads what the directory keeps. Throws InputError: it cannot be used, or points to be merged
  /// are not there.
  SweepRun(const SweepPlan& plan, const SweepQuestionKind& kind, Portion portion);

  /// Looks at the points that are left to run; see SweepPlan::check(). Says on stderr which are
  /// skipped and how many are there already.
  void check(std::size_t jobs, bool quiet, bool skip);
  /// Runs them; see tools::collect_points(). The answers of all that are done are then there.
  void measure(std::size_t jobs, bool quiet, stats::Detail statistics);
  /// How many answers a whole run has.
  std::size_t asked() const { return kept_points_ + to_run_.size(); }

  std::vector<std::size_t> points;   ///< of the grid, that are done, ascending
  std::vector<SweepAnswer> answers;  ///< of each
  std::vector<std::string> refused;  ///< by which values and why, of those that are skipped

 private:
  bool of_this_shard(std::size_t point) const;

  const SweepPlan& plan_;
  const Portion portion_;
  std::unique_ptr<KeptAnswers> kept_;  ///< null: nothing is kept
  std::vector<std::string> names_;     ///< of all points, where answers are kept
  std::vector<std::size_t> to_run_;    ///< points of the grid, ascending
  std::size_t kept_points_ = 0;
  std::optional<tools::Progress> progress_;
  std::optional<tools::PointsUnderWay> under_way_;  ///< the last: it waits for what uses the others
};

}  // namespace strata::cli
