// SPDX-License-Identifier: Apache-2.0
// strata sweep: one question to many machines, or many questions to one.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "files/files.hpp"
#include "import_notes.hpp"
#include "interrupted.hpp"
#include "report/sweep/sweep.hpp"
#include "stats_file.hpp"
#include "sweep_plan.hpp"
#include "sweep_points.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

// How the values of a kind of number are called and shown.
struct Shown {
  const config::NumberKind* kind;
  std::string_view ending;  // of a field's name: the unit that its numbers are in
  std::string_view unit;    // of charts
  double per_unit;
};

constexpr Shown shown_kinds[] = {{&config::size_kind, "_bytes", "B", 1},
                                 {&config::frequency_kind, "_hertz", "MHz", 1e6},
                                 {&config::cycles_kind, "_cycles", "cycles", 1},
                                 {&config::time_kind, "_ns", "ns", 1},
                                 {&config::width_kind, "_bytes_per_cycle", "B/clk", 1},
                                 {&config::bandwidth_kind, "_bytes_per_second", "GB/s", 1e9},
                                 {&config::data_rate_kind, "_transfers_per_second", "GT/s", 1e9}};

report::SweepParameter parameter(const VariedThing& thing) {
  const study::Variation& variation = thing.variation;
  report::SweepParameter parameter;
  parameter.path = variation.path;
  parameter.field = variation.path;
  parameter.part = thing.part;
  for (const study::VariedValue& value : variation.values) parameter.values.push_back({value.text, value.number});
  parameter.factors = variation.factors;
  if (variation.factors) parameter.field += "_factor";
  // If factors are mixed with numbers, all are texts, and none of them has a unit.
  const bool any_factor = std::any_of(variation.values.begin(), variation.values.end(),
                                      [](const study::VariedValue& value) { return value.factor.has_value(); });
  for (const Shown& shown : shown_kinds) {
    if (shown.kind != variation.kind || any_factor) continue;
    const bool said = parameter.field.ends_with(shown.ending) ||
                      parameter.field.substr(parameter.field.rfind('.') + 1) == shown.ending.substr(1);
    if (!said) parameter.field += shown.ending;
    parameter.unit = shown.unit;
    parameter.per_unit = shown.per_unit;
    parameter.size = shown.kind == &config::size_kind;
  }
  return parameter;
}

bool same_answer(const SweepQuestionKind& kind, const SweepAnswer& a, const SweepAnswer& b) {
  for (std::size_t i = 0; i < kind.figures.size(); ++i) {
    const bool neither = a.figures[i] != a.figures[i] && b.figures[i] != b.figures[i];
    if (kind.figures[i].shown && a.figures[i] != b.figures[i] && !neither) return false;
  }
  return a.words == b.words && a.shares == b.shares;
}

// Of one GPU all; of several those that the user gave, each once.
std::vector<report::Setting> settings_of(const std::vector<Gpu>& gpus) {
  if (gpus.size() == 1) return settings(gpus.front(), {});
  std::vector<report::Setting> all;
  for (const Gpu& gpu : gpus)
    for (report::Setting& setting : given_settings(gpu, {})) {
      const auto same = [&](const report::Setting& other) {
        return other.path == setting.path && other.value == setting.value;
      };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(setting));
    }
  return all;
}

std::string names_of(const std::vector<Gpu>& gpus) {
  std::vector<std::string> names;
  for (const Gpu& gpu : gpus) names.push_back(gpu.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Of several GPUs the parameters name them.
std::string title(const std::vector<Gpu>& gpus, const SweepQuestionKind& kind,
                  const std::vector<report::SweepParameter>& parameters) {
  std::vector<std::string> paths;
  for (const report::SweepParameter& parameter : parameters) paths.push_back(parameter.path);
  const std::string title = fmt::format("{} over {}", kind.title, fmt::join(paths, " and "));
  return gpus.size() == 1 ? fmt::format("{}: {}", gpus.front().spec().name, title) : title;
}

// Those that no point has, such as how kernels were sampled where they were not.
void leave_out_empty_words(report::SweepReport& report) {
  for (std::size_t w = report.words.size(); w-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(w);
    if (std::any_of(report.points.begin(), report.points.end(),
                    [&](const auto& point) { return !point.words[w].empty(); }))
      continue;
    report.words.erase(report.words.begin() + at);
    for (report::SweepPoint& point : report.points) point.words.erase(point.words.begin() + at);
  }
}

report::SweepReport report_of(const std::vector<Gpu>& gpus, const SweepQuestionKind& kind, const SweepPlan& plan,
                              std::vector<report::SweepParameter> parameters, std::vector<report::Setting> set,
                              const Options& options, const SweepRun& run,
                              std::optional<report::Incomplete> incomplete) {
  report::SweepReport report;
  report.question = kind.name;
  report.options = plan.fixed_options();
  report.parameters = std::move(parameters);
  report.figures = kind.figures;
  report.drawn = kind.drawn;
  report.words = kind.words;
  report.shares = kind.shares;
  report.shares_title = kind.shares_title;
  report.settings = std::move(set);

  std::uint64_t fingerprint = 0;
  const std::vector<SweepAnswer>& answers = run.answers;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const SweepAnswer& answer = answers[i];
    fingerprint = mix(fingerprint, answer.fingerprint);
    report.points.push_back({plan.grid().choices(run.points[i]), answer.figures, answer.words, answer.shares,
                             plan.settings_of_factors(run.points[i])});
  }
  leave_out_empty_words(report);
  report.refused = run.refused;
  const bool whole = answers.size() == plan.grid().points();
  for (std::size_t axis = 0; whole && axis < report.parameters.size(); ++axis)
    report.parameters[axis].changed_nothing = plan.grid().unchanged_by(
        axis, [&](std::size_t a, std::size_t b) { return same_answer(kind, answers[a], answers[b]); });

  std::vector<std::string> given;
  for (const auto& [name, text] : plan.fixed_options())
    if (options.has(name)) given.push_back(text == "true" ? name : name + " " + text);
  report.heading = {version, names_of(gpus), hexadecimal(fingerprint), std::move(incomplete)};
  report.title = title(gpus, kind, report.parameters);
  report.subtitle = fmt::format("{}", fmt::join(given, ", "));
  return report;
}

// A row begins with the number of its point and the varied parameters.
void write_statistics(StatsFile& statistics, const report::SweepReport& report, const SweepQuestionKind& kind,
                      const SweepPlan& plan, const SweepRun& run) {
  std::vector<report::ListingColumn> columns{{"point", {"point", report::Align::right}}};
  for (const VariedThing& thing : plan.varied())
    columns.push_back({thing.variation.path, {thing.variation.path, report::Align::left}});
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    std::vector<std::string> cells{fmt::format("{}", run.points[i])};
    const std::vector<std::size_t> choices = plan.grid().choices(run.points[i]);
    for (std::size_t v = 0; v < plan.varied().size(); ++v)
      cells.push_back(plan.varied()[v].variation.values[choices[v]].text);
    for (const PartStatistics& part : run.answers[i].statistics) statistics.add(cells, part);
  }
  statistics.write(report.heading, std::move(columns), kind.parts);
}

}  // namespace

Options sweep_options(const Arguments& arguments) {
  const SweepQuestionKind& kind = sweep_question(asked_question(arguments));
  Options options("sweep [--gpu G] --vary PATH=a,b,c|lo..hi:xF|lo..hi:+S [--vary ...] [QUESTION] [options]",
                  "Runs one question at every combination of values of settings, of options of the question, of\n"
                  "GPUs, kernels and traces: one row per point. PATH is a path of `strata list settings`, the name of\n"
                  "an option below, such as footprint, or gpu, whose values are those of --gpu. Values of settings\n"
                  "are those of --set, with units; '*0.8' is a factor of the current value, and ranges may be of\n"
                  "factors. All points are checked before any is run.",
                  fmt::format("strata sweep --gpu h200 --question {} {} --svg sweep.svg", kind.name, kind.example));
  describe_gpu(options.description());
  options.description().add_options()(
      "vary", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUES"),
      "what to vary, for example l2.cache.hit_latency=20clk..80clk:+20clk; each further --vary is crossed with the "
      "previous ones")("zip", po::value<std::vector<std::string>>()->composing()->value_name("PATH,PATH"),
                       "varied parameters that are linked and not crossed: the first values together, then the second")(
      "skip-refused", "run the other points if some are refused, and list the refused ones")(
      "question", po::value<std::string>()->value_name(question_names())->default_value("latency"),
      "the question at each point; its options are listed here. --question itself may be omitted");
  kind.describe(options.description());
  options.description().add_options()(
      "out", po::value<std::string>()->value_name("DIR"),
      "a directory that stores the result of each point; points with a result in it are not run again")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "run the I-th of N parts of the points into --out, and write no report")(
      "merge", "run no point: report the results of all shards in --out")(
      "jobs", po::value<std::string>()->value_name("N")->default_value("0"),
      "points run in parallel; 0: one per host core")("quiet,q", "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
  options.positional("question", 1);
  options.set_question(kind.name);
  return options;
}

int sweep(const Options& options) {
  const SweepQuestionKind& kind = sweep_question(options.question());
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  const Portion portion = read_portion(options, outputs);
  if (portion.directory && options.has("stats"))
    throw InputError(Diagnostic{"--stats", 0, 0,
                                "cannot be combined with --out, which stores results without statistics",
                                "remove --out, or use --stats in a sweep of the points of interest without it"});
  const std::size_t jobs = options.count("jobs", 0, 1024);
  const bool quiet = options.has("quiet");
  const std::vector<Gpu> gpus = load_sweep_gpus(tools::Library::beside_program(), options);

  const SweepPlan plan(gpus, kind, options);
  std::vector<report::SweepParameter> parameters;
  for (std::size_t i = 0; i < plan.varied().size(); ++i) {
    parameters.push_back(parameter(plan.varied()[i]));
    const std::size_t link = plan.varied()[i].link;
    if (link != i) parameters.back().follows = plan.varied()[link].variation.path;
  }
  const std::string why_not_drawn = report::why_not_drawn(parameters);
  if (outputs.svg && !why_not_drawn.empty())
    throw InputError(Diagnostic{"--svg", 0, 0, why_not_drawn, "change the order of --vary, or use --csv or --html"});
  SweepRun run(plan, kind, portion);
  run.check(jobs, quiet, options.has("skip-refused"));
  tell(plan.imported());
  std::vector<report::Setting> set = settings_of(gpus);
  for (report::Setting& setting : set) setting.unread = setting.given ? plan.why_unread(setting.path) : "";
  set = together(std::move(set), plan.unread_options(given_in(options)));
  print_notes(set);
  for (report::SweepParameter& parameter : parameters) {
    if (parameter.part == report::SweepPart::configuration) parameter.unread = plan.why_unread(parameter.path);
    if (!parameter.unread.empty())
      fmt::print(
          stderr, "note: {}\n",
          printable(fmt::format("{} is varied, but not read by this question: {}", parameter.path, parameter.unread)));
  }

  const tools::Keeping keeping;
  run.measure(jobs, quiet, statistics.detail());
  std::optional<report::Incomplete> incomplete = what_is_kept(run.answers.size(), run.asked(), "points");
  if (portion.shards > 0) {
    if (incomplete) tools::leave_interrupted();
    return exit_done;
  }
  report::SweepReport report =
      report_of(gpus, kind, plan, std::move(parameters), std::move(set), options, run, std::move(incomplete));
  report.title = outputs.titled(std::move(report.title));
  write_statistics(statistics, report, kind, plan, run);
  for (report::SweepParameter& parameter : report.parameters)
    if (parameter.changed_nothing && parameter.part == report::SweepPart::question)
      parameter.unread = plan.why_option_unread(parameter.path);
  for (const std::string& sentence : report::what_changed_nothing(report))
    fmt::print(stderr, "note: {}\n", printable(sentence));
  if (outputs.json) tools::write_file(*outputs.json, report::json(report));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(report));
  if (outputs.svg) tools::write_file(*outputs.svg, report::svg(report));
  if (outputs.html) tools::write_file(*outputs.html, report::html(report));
  if (!outputs.claims_stdout()) std::cout << report::table(report);
  return finish(report.heading, exit_done);
}

}  // namespace strata::cli
