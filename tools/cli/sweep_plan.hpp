// SPDX-License-Identifier: Apache-2.0
// The plan of a sweep: the GPUs of its points, the varied parameters, and the resulting points.
// All points are checked before one is run: their errors are reported together, with the values
// that cause them.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kept_answers.hpp"
#include "sweep_question.hpp"
#include "sweep_varied.hpp"

namespace strata::cli {

class SweepPlan {
 public:
  /// gpus: of load_sweep_gpus(). Throws InputError: see read_varied(), too many points, and options of the
  /// question that are refused at every point.
  SweepPlan(const std::vector<Gpu>& gpus, const SweepQuestionKind& kind, const Options& options);

  const std::vector<VariedThing>& varied() const { return varied_; }
  const study::SweepGrid& grid() const { return all_.grid; }
  /// Name and text of the question's options that are not varied; a switch that is on has "true".
  const std::vector<std::pair<std::string, std::string>>& fixed_options() const { return fixed_; }

  /// The result of check().
  struct Checked {
    std::vector<std::size_t> points;   ///< that are not refused, in order
    std::vector<std::string> refused;  ///< values and reasons of the refused points; empty: there are none
  };
  /// Checks the points that are to be run, true in `run`. Throws InputError with every point
  /// that is refused; where they are to be skipped, only if all are.
  Checked check(const std::vector<bool>& run, std::size_t jobs, bool quiet, bool skip) const;
  /// The values of the point, for people.
  NamesAndTexts values(std::size_t point) const;
  /// For factors of the value of each GPU, the products at that point, by index of the varied
  /// parameter.
  std::vector<std::pair<std::size_t, std::string>> settings_of_factors(std::size_t point) const;
  /// Of each point, as answers of it are kept. Throws InputError: a file cannot be read.
  std::vector<std::string> names() const;
  /// Why no point reads that setting, with the reason of the first; empty: one does, or there
  /// are too many machines to search. Refused machines are skipped.
  std::string why_unread(std::string_view path) const;
  /// For a varied option of the question without effect: why one of the points did not read it; empty:
  /// none reports it. The same bounds apply.
  std::string why_option_unread(const std::string& option) const;
  /// Options that no point reads. The same bounds hold.
  std::vector<report::Setting> unread_options(const Given& given) const;
  /// Notes from importing the files of all points, each file once.
  formats::ImportReport imported() const;
  SweepAnswer measure(std::size_t point, stats::Detail statistics) const;

 private:
  struct Refusal {
    std::size_t point = 0;  ///< of the wheels' grid
    std::string message;
    std::string hint;
  };

  struct Asked {
    std::size_t machine = 0;
    const machine::MachineSpec& spec;
    const SweepQuestion& question;
  };
  /// Each question of each machine, neither refused, until one returns false; then so does this. None
  /// where there are too many machines.
  bool each_question(const std::function<bool(const Asked&)>& visit) const;
  void describe(po::options_description& description, const Options& given) const;
  void refuse_too_many_points() const;
  void read_options(const Options& options);
  void read_questions(const Options& given);
  static void add_each_once(const std::vector<std::vector<Diagnostic>>& lists, std::vector<Diagnostic>& out);
  const Gpu& gpu_of(std::size_t machine) const { return gpus_[gpu_index(machine)]; }
  std::size_t gpu_index(std::size_t machine) const;
  /// The overrides, in order; a factor is multiplied with the value of the GPU.
  NamesAndTexts settings(std::size_t machine, std::vector<Diagnostic>& diagnostics) const;
  machine::MachineSpec spec(std::size_t machine, std::vector<Diagnostic>& diagnostics) const;
  void tell_missing_parts(std::size_t machine, std::vector<Diagnostic>& diagnostics) const;
  void look_at(machine::Machine& machine, std::size_t question, std::vector<Refusal>& refusals) const;
  std::vector<std::vector<Refusal>> look(const std::vector<bool>& run, std::size_t jobs, bool quiet) const;
  void tell(const Wheels& wheels, const std::vector<Refusal>& refusals, std::vector<Diagnostic>& out) const;
  std::size_t machine_of(std::size_t point) const { return of_machines_.own_point(grid().choices(point)); }
  std::size_t question_of(std::size_t point) const { return of_questions_.own_point(grid().choices(point)); }

  const std::vector<Gpu>& gpus_;
  std::vector<config::Effective> effective_;  ///< of each GPU
  const SweepQuestionKind& kind_;
  po::options_description described_;  ///< the kind's options
  std::vector<VariedThing> varied_;
  Wheels all_;
  Wheels of_machines_;
  Wheels of_questions_;
  std::vector<std::pair<std::string, std::string>> fixed_;
  std::vector<std::unique_ptr<SweepQuestion>> questions_;  ///< one for each point of of_questions_; null: it is refused
  std::vector<NamesAndTexts> question_options_;            ///< of each, all that decide it
  std::vector<std::vector<Diagnostic>> question_refusals_;  ///< of each
};

}  // namespace strata::cli
