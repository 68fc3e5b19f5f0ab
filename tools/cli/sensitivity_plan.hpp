// SPDX-License-Identifier: Apache-2.0
// The plan of a sensitivity analysis: the question, the settings that it reads, and for each of
// them the values below and above that are tried.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu.hpp"
#include "study/sweep/sensitivity.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

/// The answer of one moved machine; without a value where it is refused.
struct MovedAnswer {
  std::size_t chosen = 0;  ///< which of the values tried was allowed
  bool allowed = false;
  double answer = 0;    ///< in the unit of the question's figure
  std::string refused;  ///< why the first value is not allowed
  std::uint64_t fingerprint = 0;
  std::vector<PartStatistics> statistics = {};  ///< where they were asked for
};

class SensitivityPlan {
 public:
  struct Thing {
    study::NumberSetting setting;
    const config::NumberKind* kind = nullptr;
    double number = 0;  ///< in base units
    std::vector<study::Move> down;
    std::vector<study::Move> up;
  };

  /// by: 0.2 moves each setting by 20 %. only: begins the paths that are moved; empty: all.
  /// Throws InputError: options of the question, a prefix that no setting read has.
  SensitivityPlan(const Gpu& gpu, const SweepQuestionKind& kind, const Options& options, double by,
                  const std::string& only);

  /// Settings that the question reads, in the order of the configuration.
  const std::vector<Thing>& things() const { return things_; }
  std::size_t numbers() const { return numbers_; }  ///< of the configuration
  std::size_t unread() const { return unread_; }    ///< of those, not read by the question
  /// Name and text of the question's options; a switch that is on has "true".
  const std::vector<std::pair<std::string, std::string>>& options() const { return fixed_; }
  const SweepQuestion& question() const { return *question_; }

  /// The machine as it is. Throws InputError.
  MovedAnswer base(stats::Detail statistics) const;
  /// Two moves a setting: 2i is thing i down, 2i + 1 up. Any thread may call it.
  MovedAnswer move(std::size_t index) const;
  /// All of these things at once, drawn from 1 / (1 + range) to 1 + range of their values. Any thread may call it.
  MovedAnswer draw(const std::vector<std::size_t>& things, double range, std::uint64_t seed,
                   std::uint64_t number) const;

 private:
  void find_things(double by, const std::string& only);
  /// Throws InputError and InvalidRequest where the machine is refused.
  MovedAnswer ask(const std::vector<std::string>& overrides, stats::Detail statistics = stats::Detail::none) const;

  const Gpu& gpu_;
  const SweepQuestionKind& kind_;
  std::unique_ptr<SweepQuestion> question_;
  std::vector<std::pair<std::string, std::string>> fixed_;
  std::vector<Thing> things_;
  std::size_t numbers_ = 0;
  std::size_t unread_ = 0;
};

}  // namespace strata::cli
