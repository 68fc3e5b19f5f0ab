// SPDX-License-Identifier: Apache-2.0
// Errors of any of a sweep's points, reported before one is run and by the values
// that make it wrong.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/invalid_request.hpp"
#include "machine/machine.hpp"
#include "parallel/points.hpp"
#include "sweep_plan.hpp"

namespace strata::cli {

namespace {

// A place in a file is worth telling; that of an argument which the user did not
// write in these words is not.
std::string message_of(const Diagnostic& diagnostic) {
  if (diagnostic.file.empty() || diagnostic.file == "--set") return diagnostic.message;
  Diagnostic plain = diagnostic;
  plain.hint.clear();
  return plain.text();
}

}  // namespace

void SweepPlan::look_at(machine::Machine& machine, std::size_t question, std::vector<Refusal>& refusals) const {
  try {
    questions_[question]->check(machine);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      refusals.push_back({question, message_of(diagnostic), diagnostic.hint});
  } catch (const InvalidRequest& error) {
    for (const RequestFault& fault : error.faults()) refusals.push_back({question, fault.message, fault.remedy});
  }
}

std::vector<std::vector<SweepPlan::Refusal>> SweepPlan::look(const std::vector<bool>& run, std::size_t jobs,
                                                             bool quiet) const {
  const std::size_t machines = of_machines_.grid.points();
  std::vector<std::vector<bool>> asked(machines, std::vector<bool>(questions_.size()));
  for (std::size_t point = 0; point < run.size(); ++point)
    if (run[point]) asked[machine_of(point)][question_of(point)] = true;
  tools::Progress progress("sweep, checking its machines", machines, quiet);
  return tools::run_points<std::vector<Refusal>>(machines, jobs, progress, [&](std::size_t i) {
    std::vector<Refusal> refusals;
    if (std::find(asked[i].begin(), asked[i].end(), true) == asked[i].end()) return refusals;
    std::vector<Diagnostic> diagnostics;
    const machine::MachineSpec spec = this->spec(i, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics)
      refusals.push_back({~std::size_t{0}, message_of(diagnostic), diagnostic.hint});
    if (!refusals.empty()) return refusals;
    try {
      machine::Machine machine(spec);
      for (std::size_t q = 0; q < questions_.size(); ++q)
        if (asked[i][q] && questions_[q] != nullptr) look_at(machine, q, refusals);
    } catch (const InvalidRequest& error) {
      for (const RequestFault& fault : error.faults())
        refusals.push_back({~std::size_t{0}, fault.message, fault.remedy});
    }
    return refusals;
  });
}

// A value that is refused at all its points is reported alone, not once for each
// of the others.
void SweepPlan::tell(const Wheels& wheels, const std::vector<Refusal>& refusals, std::vector<Diagnostic>& out) const {
  std::vector<std::pair<std::string, std::string>> messages;
  std::map<std::pair<std::string, std::string>, std::set<std::size_t>> points;
  for (const Refusal& refusal : refusals) {
    const std::pair key(refusal.message, refusal.hint);
    std::set<std::size_t>& own = points[key];
    if (own.empty()) messages.push_back(key);
    own.insert(refusal.point);
  }
  const auto name = [&](std::size_t axis, std::size_t choice) {
    const study::Variation& variation = varied_[wheels.axes[axis]].variation;
    return fmt::format(" {}={}", variation.path, variation.values[choice].text);
  };
  for (const auto& key : messages) {
    std::set<std::size_t>& left = points[key];
    for (std::size_t axis = 0; axis < wheels.axes.size(); ++axis) {
      std::map<std::size_t, std::vector<std::size_t>> by_choice;
      for (const std::size_t point : left) by_choice[wheels.grid.choices(point)[axis]].push_back(point);
      const std::size_t extent = varied_[wheels.axes[axis]].variation.values.size();
      for (const auto& [choice, own] : by_choice) {
        if (own.size() * extent != wheels.grid.points()) continue;
        out.push_back({"--vary" + name(axis, choice), 0, 0, key.first, key.second});
        for (const std::size_t point : own) left.erase(point);
      }
    }
    for (const std::size_t point : left) {
      std::string where = "--vary";
      const std::vector<std::size_t> choices = wheels.grid.choices(point);
      for (std::size_t axis = 0; axis < choices.size(); ++axis) where += name(axis, choices[axis]);
      out.push_back({where, 0, 0, key.first, key.second});
    }
  }
}

SweepPlan::Checked SweepPlan::check(const std::vector<bool>& run, std::size_t jobs, bool quiet, bool skip) const {
  const std::vector<std::vector<Refusal>> found = look(run, jobs, quiet);
  std::vector<Refusal> machines;
  std::vector<Refusal> points;
  std::vector<std::vector<Diagnostic>> questions(questions_.size());
  Checked checked;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (Refusal refusal : found[i])
      if (refusal.point == ~std::size_t{0}) {
        refusal.point = i;
        machines.push_back(std::move(refusal));
      }
  for (std::size_t point = 0; point < grid().points(); ++point) {
    if (!run[point]) continue;
    const std::vector<Refusal>& own = found[machine_of(point)];
    const std::size_t question = question_of(point);
    bool bad = questions_[question] == nullptr;
    if (bad) questions[question] = question_refusals_[question];
    for (const Refusal& refusal : own) {
      const bool whole_machine = refusal.point == ~std::size_t{0};
      if (!whole_machine && refusal.point != question) continue;
      bad = true;
      if (!whole_machine) points.push_back({point, refusal.message, refusal.hint});
    }
    if (!bad) checked.points.push_back(point);
  }
  const auto asked = static_cast<std::size_t>(std::count(run.begin(), run.end(), true));
  const std::size_t refused = asked - checked.points.size();
  if (refused == 0) return checked;
  std::vector<Diagnostic> diagnostics;
  add_each_once(questions, diagnostics);
  tell(of_machines_, machines, diagnostics);
  tell(all_, points, diagnostics);
  constexpr std::size_t most_listed = 20;
  const std::size_t more = diagnostics.size() - std::min(diagnostics.size(), most_listed);
  diagnostics.resize(diagnostics.size() - more);
  if (more > 0) diagnostics.push_back({"--vary", 0, 0, fmt::format("and {} more like these", more), {}});
  if (skip && !checked.points.empty()) {
    for (const Diagnostic& diagnostic : diagnostics) checked.refused.push_back(diagnostic.text());
    return checked;
  }
  const std::string_view hint = skip || checked.points.empty() ? "" : "--skip-refused runs the others";
  diagnostics.push_back(
      {"--vary", 0, 0, fmt::format("{} of {} points are refused, so none is run", refused, asked), std::string(hint)});
  throw InputError(std::move(diagnostics));
}

}  // namespace strata::cli
