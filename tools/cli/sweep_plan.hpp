// SPDX-License-Identifier: Apache-2.0
// What a sweep is about to do: the machine that all points build on, the things
// that are varied, and the points that follow. All points are looked at before
// one is run: errors of all of them are reported together, by the values
// that make it wrong.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu.hpp"
#include "kept_answers.hpp"
#include "study/sweep.hpp"
#include "study/sweep_values.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

struct VariedThing {
  study::Variation variation;
  bool of_the_question = false;  ///< an option of it; else a setting
  std::size_t link = 0;          ///< those of one number turn together; the index of the first of them
};

class SweepPlan {
 public:
  /// Reads --vary, --zip and the question's options. Throws InputError: a path that is
  /// neither a setting nor an option, one that is varied twice or set as well,
  /// values that make no sense, links of what is not varied or has another number of
  /// values, too many points.
  SweepPlan(const Gpu& gpu, const SweepQuestionKind& kind, const Options& options);

  const std::vector<VariedThing>& varied() const { return varied_; }
  const study::SweepGrid& grid() const { return grid_; }
  /// Name and text of the question's options that are not varied; a switch that is on has "true".
  const std::vector<std::pair<std::string, std::string>>& fixed_options() const { return fixed_; }

  /// What check() found.
  struct Checked {
    std::vector<std::size_t> points;   ///< that are not refused, in order
    std::vector<std::string> refused;  ///< by which values and why, of the others; empty: there are none
  };
  /// Looks at the points that are to be run, true in `run`. Throws InputError with every point
  /// that is refused; where they are to be skipped, only if all are.
  Checked check(const std::vector<bool>& run, std::size_t jobs, bool quiet, bool skip) const;
  /// What sets the point apart from others of the grid, for people.
  NamesAndTexts values(std::size_t point) const;
  /// Of each point, as answers of it are kept. Throws InputError: a file cannot be read.
  std::vector<std::string> names() const;
  /// Why no point reads that setting, in the words of the first; empty: one does, or there
  /// are too many machines to look through. Machines that are refused are passed over.
  std::string why_unread(std::string_view path) const;
  /// Options that no point reads. The same bounds hold.
  std::vector<report::Setting> unread_options(const Given& given) const;
  /// Notes from importing the files of all points, each file once.
  formats::ImportReport imported() const;
  SweepAnswer measure(std::size_t point) const;

 private:
  struct Wheels {  // of the grid's, those that settings or options turn
    std::vector<std::size_t> axes;
    study::SweepGrid grid{{}};
  };
  struct Refusal {
    std::size_t point = 0;  ///< of the wheels' grid
    std::string message;
    std::string hint;
  };

  void read_variations(const std::vector<std::string>& arguments, const Options& options);
  void link(const std::vector<std::string>& arguments);
  void read_options(const Options& options);
  void read_questions(const Options& given);
  void describe(po::options_description& description, const Options& given) const;
  std::string present(const std::string& name, const Options& given) const;
  study::SweepGrid grid_of(const std::vector<std::size_t>& things) const;
  Wheels wheels(bool of_the_question) const;
  std::size_t turned(const Wheels& wheels, std::size_t point) const;
  /// Which of the kind's options this is: null for none.
  const po::option_description* option(std::string_view name) const;
  machine::MachineSpec spec(const std::vector<std::size_t>& choices, std::vector<Diagnostic>& diagnostics) const;
  void look_at(machine::Machine& machine, std::size_t question, std::vector<Refusal>& refusals) const;
  std::vector<std::vector<Refusal>> look(const std::vector<bool>& run, std::size_t jobs, bool quiet) const;
  void tell(const Wheels& wheels, const std::vector<Refusal>& refusals, std::vector<Diagnostic>& out) const;

  const Gpu& gpu_;
  const SweepQuestionKind& kind_;
  po::options_description described_;  ///< the kind's options
  std::vector<VariedThing> varied_;
  study::SweepGrid grid_{{}};
  std::vector<std::pair<std::string, std::string>> fixed_;
  Wheels of_settings_;
  Wheels of_options_;
  std::vector<std::unique_ptr<SweepQuestion>> questions_;  ///< one for each point of of_options_
  std::vector<NamesAndTexts> question_options_;            ///< of each, all that decide it
};

}  // namespace strata::cli
