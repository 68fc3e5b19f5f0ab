// SPDX-License-Identifier: Apache-2.0
// strata sensitivity: the change of the result of a question with each setting that it reads,
// and how well each of them is known.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "base/random.hpp"
#include "config/value/unit.hpp"
#include "files/files.hpp"
#include "import_notes.hpp"
#include "interrupted.hpp"
#include "parallel/points.hpp"
#include "report/sensitivity/sensitivity.hpp"
#include "sensitivity_plan.hpp"
#include "stats_file.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

// "20%" or "0.2".
double share(const Options& options, const char* name, double least, double most) {
  const std::string& text = options.get<std::string>(name);
  const config::Reading<double> reading = config::read_real(text, config::ratio_kind);
  if (!reading.error.empty() || !(reading.value >= least && reading.value <= most))
    throw InputError(Diagnostic{
        fmt::format("--{}", name),
        0,
        0,
        fmt::format("'{}' is not a share from {} % to {} %; write it as 20% or 0.2", text, 100 * least, 100 * most),
        {}});
  return reading.value;
}

report::SensitivityMove side(const std::vector<study::Move>& tried, const MovedAnswer* answer, double base) {
  report::SensitivityMove move;
  move.answer = move.change = no_result;
  move.done = answer != nullptr;
  if (answer == nullptr) return move;
  if (!answer->allowed) {
    move.refused = answer->refused;
    return move;
  }
  const study::Move& taken = tried[answer->chosen];
  move.text = taken.text;
  move.number = taken.number;
  move.nearest = !taken.by_factor;
  move.answer = answer->answer;
  move.change = answer->answer == base ? 0 : (answer->answer - base) / base;
  return move;
}

// Between the outermost of the two moves and the value itself that have an answer.
double elasticity_of(const report::SensitivityRow& row, double base) {
  const bool low = !row.low.text.empty();
  const bool high = !row.high.text.empty();
  if (!low && !high) return no_result;
  if (row.largest_change() == 0) return 0;
  return study::elasticity(low ? row.low.number : row.number, low ? row.low.answer : base,
                           high ? row.high.number : row.number, high ? row.high.answer : base);
}

std::vector<report::SensitivityRow> rows_of(const SensitivityPlan& plan, const tools::Points<MovedAnswer>& moves,
                                            double base) {
  std::vector<const MovedAnswer*> answers(2 * plan.things().size());
  for (std::size_t i = 0; i < moves.answers.size(); ++i) answers[moves.numbers[i]] = &moves.answers[i];
  std::vector<report::SensitivityRow> rows;
  for (std::size_t i = 0; i < plan.things().size(); ++i) {
    const SensitivityPlan::Thing& thing = plan.things()[i];
    const config::Provenance& provenance = thing.setting.provenance;
    report::SensitivityRow& row = rows.emplace_back();
    row.path = thing.setting.path;
    row.value = thing.setting.value;
    row.number = thing.number;
    row.provenance =
        provenance.origin == config::Origin::none ? "none" : std::string(config::name_of(provenance.origin));
    row.source = provenance.note;
    row.set_by = thing.setting.set_by ? thing.setting.set_by->text() : "default";
    row.low = side(thing.down, answers[2 * i], base);
    row.high = side(thing.up, answers[2 * i + 1], base);
    row.elasticity = elasticity_of(row, base);
  }
  return rows;
}

// Estimated settings that allow the requested step on both sides are drawn; the others, which
// have only a few valid values, are held.
std::vector<std::size_t> choose_drawn(const SensitivityPlan& plan, const std::vector<report::SensitivityRow>& rows,
                                      report::UncertaintyReport& report) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (plan.things()[i].setting.provenance.origin != config::Origin::estimated) continue;
    const auto plain = [](const report::SensitivityMove& move) { return !move.text.empty() && !move.nearest; };
    if (!plain(rows[i].low) || !plain(rows[i].high)) {
      report.held.push_back(rows[i].path);
      continue;
    }
    report.drawn.push_back(rows[i].path);
    chosen.push_back(i);
  }
  return chosen;
}

void take_answers(report::UncertaintyReport& report, const tools::Points<MovedAnswer>& draws,
                  std::uint64_t& fingerprint) {
  for (const MovedAnswer& draw : draws.answers) {
    if (draw.allowed)
      report.answers.push_back(draw.answer);
    else
      ++report.refused;
    fingerprint = mix(fingerprint, draw.fingerprint);
  }
  std::vector<double> sorted = report.answers;
  std::sort(sorted.begin(), sorted.end());
  report.median = study::quantile(sorted, 0.5);
  report.p05 = study::quantile(sorted, 0.05);
  report.p95 = study::quantile(sorted, 0.95);
}

void describe_sensitivity(Options& options, const SweepQuestionKind& kind) {
  const auto text = [](const char* name, const char* standard) {
    return po::value<std::string>()->value_name(name)->default_value(standard);
  };
  describe_gpu(options.description());
  options.description().add_options()("question", text(question_names().c_str(), "latency"),
                                      "the question; its options are listed here. --question itself may be omitted");
  kind.describe(options.description());
  options.description().add_options()("by", text("SHARE", "20%"),
                                      "step by which each setting is moved, down and up, 0.1% to 90%")(
      "only", po::value<std::string>()->value_name("PATH"), "moves only settings below this path, for example l2")(
      "top", text("N", "15"), "settings shown in the table and the chart; JSON and CSV have all")(
      "uncertainty", po::value<std::string>()->value_name("DRAWS")->implicit_value("200"),
      "varies all estimated settings together at random this many times, and reports the band of the result")(
      "range", text("SHARE", "20%"), "of --uncertainty: values are drawn from 1/(1+SHARE) to 1+SHARE times the value")(
      "draw-seed", text("N", "1"), "of --uncertainty: seed of the draws")(
      "jobs", text("N", "0"), "moves run in parallel; 0: one per host core")("quiet,q", "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
  options.positional("question", 1);
}

}  // namespace

Options sensitivity_options(const Arguments& arguments) {
  const SweepQuestionKind& kind = sweep_question(asked_question(arguments));
  const std::string_view example = kind.name == "run" ? "--kernel stream_read,bytes=4MiB" : "--footprint 1MiB";
  Options options("sensitivity [QUESTION] --gpu G [options]",
                  "Moves each setting that a question reads down and up, one at a time, and ranks the settings by\n"
                  "the change of the result, with the provenance of each value.",
                  fmt::format("strata sensitivity {} --gpu h200 {} --html sensitivity.html", kind.name, example));
  describe_sensitivity(options, kind);
  options.set_question(kind.name);
  return options;
}

int sensitivity(const Options& options) {
  const SweepQuestionKind& kind = sweep_question(options.question());
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  const std::size_t jobs = options.count("jobs", 0, 1024);
  const bool quiet = options.has("quiet");
  const double by = share(options, "by", 0.001, 0.9);
  const double range = share(options, "range", 0.001, 9);
  const std::uint64_t top = options.count("top", 1, 1000);
  const std::uint64_t seed = options.count("draw-seed", 0, std::numeric_limits<std::uint64_t>::max());
  const std::uint64_t asked_draws = options.has("uncertainty") ? options.count("uncertainty", 1, 100000) : 0;
  for (const char* of_draws : {"range", "draw-seed"})
    if (options.has(of_draws) && asked_draws == 0)
      throw InputError(Diagnostic{fmt::format("--{}", of_draws), 0, 0, "requires --uncertainty", {}});
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);

  const SensitivityPlan plan(gpu, kind, options, by, options.text("only").value_or(""));
  report::SensitivityReport report;
  report.settings = together(settings(gpu, plan.question().does(gpu.spec())),
                             plan.question().unread_options(given_in(options), gpu.spec()));
  print_notes(report.settings);
  const MovedAnswer base = plan.base(statistics.detail());
  Imports imports;
  plan.question().add_imports(imports);
  for (const auto& [file, found] : imports) tell(found);

  const tools::Keeping keeping;
  std::optional<tools::Progress> progress(std::in_place, "sensitivity", 2 * plan.things().size(), quiet);
  const auto moves = tools::collect_points<MovedAnswer>(2 * plan.things().size(), jobs, *progress,
                                                        [&](std::size_t i) { return plan.move(i); });
  if (moves.complete()) progress.reset();  // clears its line before notes are printed
  report.rows = rows_of(plan, moves, base.answer);
  std::uint64_t fingerprint = base.fingerprint;
  for (const MovedAnswer& move : moves.answers) fingerprint = mix(fingerprint, move.fingerprint);
  std::uint64_t done = moves.answers.size();
  std::uint64_t asked = moves.asked;

  std::vector<std::size_t> chosen;
  if (asked_draws > 0) {
    report.uncertainty.emplace();
    report.uncertainty->asked = asked_draws;
    report.uncertainty->seed = seed;
    report.uncertainty->range = range;
    report.uncertainty->median = report.uncertainty->p05 = report.uncertainty->p95 = no_result;
    if (moves.complete()) chosen = choose_drawn(plan, report.rows, *report.uncertainty);
  }
  const std::size_t draws_to_run = chosen.empty() ? 0 : asked_draws;
  std::optional<tools::Progress> drawing;
  if (draws_to_run > 0)
    drawing.emplace("sensitivity, draws", draws_to_run, quiet);
  else
    drawing.emplace("sensitivity, draws", 1, true);
  const auto draws = tools::collect_points<MovedAnswer>(
      draws_to_run, jobs, *drawing, [&](std::size_t i) { return plan.draw(chosen, range, seed, i); });
  if (draws.complete()) drawing.reset();
  if (report.uncertainty) take_answers(*report.uncertainty, draws, fingerprint);
  done += draws.answers.size();
  asked += moves.complete() ? draws_to_run : asked_draws;

  report.heading = {version, gpu.name, hexadecimal(fingerprint),
                    what_is_kept(done, asked, asked_draws > 0 ? "moves and draws" : "moves")};
  report.title = outputs.titled(fmt::format("{}: sensitivity of {}", gpu.spec().name, kind.title));
  std::vector<std::string> given;
  for (const auto& [name, text] : plan.options())
    if (options.has(name)) given.push_back(text == "true" ? name : name + " " + text);
  report.subtitle =
      fmt::format("each setting moved by {:.4g} %{}{}", 100 * by, given.empty() ? "" : "; ", fmt::join(given, ", "));
  report.question = kind.name;
  report.options = plan.options();
  report.figure = kind.figures[kind.drawn];
  report.answer = base.answer;
  report.by = by;
  report.top = top;
  report.numbers = plan.numbers();
  report.unread = plan.unread();
  report::rank(report.rows);
  for (const PartStatistics& part : base.statistics) statistics.add({}, part);
  statistics.write(report.heading, {}, kind.parts);
  if (outputs.json) tools::write_file(*outputs.json, report::json(report));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(report));
  if (outputs.svg) tools::write_file(*outputs.svg, report::svg(report));
  if (outputs.html) tools::write_file(*outputs.html, report::html(report));
  if (!outputs.claims_stdout()) std::cout << report::table(report);
  return finish(report.heading, exit_done);
}

}  // namespace strata::cli
