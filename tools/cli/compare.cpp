// SPDX-License-Identifier: Apache-2.0
// strata compare: one question, two machines: the different settings, the change of the result,
// and the parts of it that change.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <set>
#include <boost/algorithm/string/replace.hpp>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "config/effective.hpp"
#include "files/files.hpp"
#include "gpu.hpp"
#include "import_notes.hpp"
#include "interrupted.hpp"
#include "machine/checks/unread.hpp"
#include "machine/machine.hpp"
#include "parallel/points.hpp"
#include "report/compare/compare.hpp"
#include "stats_file.hpp"
#include "sweep_question.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe_compare(Options& options, const SweepQuestionKind& kind) {
  describe_gpu(options.description());
  options.description().add_options()("other", po::value<std::string>()->value_name("G"),
                                      "the second machine; default: that of --gpu")(
      "change", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUE"),
      "overrides a setting of the second machine only; may be given again. --set is for both")(
      "label", po::value<std::vector<std::string>>()->composing()->value_name("TEXT"),
      "of the first machine in drawings and pages; given again, of the second")(
      "question", po::value<std::string>()->value_name(question_names())->default_value("latency"),
      "the question; its options are listed here. --question itself may be omitted");
  kind.describe(options.description());
  options.description().add_options()("jobs", po::value<std::string>()->value_name("N")->default_value("0"),
                                      "machines run in parallel; 0: one per host core")("quiet,q",
                                                                                        "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
  options.positional("question", 1);
}

// The result of load(); its errors name this option instead of that one, also where an error cites one of these values.
template <class Load>
Gpu relabelled(std::string_view from, const std::string& to, const std::vector<std::string>& values, const Load& load) {
  try {
    return load();
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.file == from) diagnostic.file = to;
      for (const std::string& value : values)
        boost::replace_all(diagnostic.file, fmt::format("{} {}", from, value), fmt::format("{} {}", to, value));
    }
    throw InputError(std::move(diagnostics));
  }
}

Gpu second_machine(const tools::Library& library, const Options& options) {
  const std::vector<std::string> changes = options.texts("change");
  if (!options.has("other") && changes.empty())
    throw InputError(Diagnostic{
        "--change", 0, 0, "give the difference of the second machine: --change PATH=VALUE, or --other G", {}});
  const std::string name = options.text("other").value_or(options.get<std::string>("gpu"));
  const std::vector<std::string> set = options.texts("set");
  if (options.has("other")) {
    Gpu other = relabelled("--gpu", "--other", {},
                           [&] { return load_gpu(library, name, set, {.more_follow = !changes.empty()}); });
    if (changes.empty()) return other;
  }
  // --set alone was allowed.
  return relabelled("--set", "--change", changes,
                    [&] { return load_gpu(library, name, changes, {.option = "--change", .before = set}); });
}

std::array<std::string, 2> names_of(const Options& options) {
  const std::string gpu = options.get<std::string>("gpu");
  std::vector<std::string> settings = options.texts("set");
  const std::string first = name_with(gpu, settings);
  const std::vector<std::string> changes = options.texts("change");
  for (const std::string& change : changes) {
    const std::string path = change.substr(0, change.find('=') + 1);
    std::erase_if(settings, [&](const std::string& setting) { return setting.starts_with(path); });
    settings.push_back(change);
  }
  const std::string second = name_with(options.text("other").value_or(gpu), settings);
  if (second == first) return {first, second + " (second)"};
  return {first, second};
}

// The effective value; the default of a setting that files do not set; empty: that machine has no such setting.
std::string value_at(const config::Effective& root, const std::string& path) {
  const config::Effective* const node = config::find_path(root, path);
  if (node == nullptr) return {};
  return node->bound.empty() ? node->text : node->bound;
}

// Settings that the user gave only for the second machine.
std::vector<report::Setting> changed_settings(const Gpu& first, const Gpu& second, const SweepQuestion& question) {
  const config::Effective before = first.loaded.effective();
  std::vector<report::Setting> changed = given_settings(second, question.does(second.spec()));
  std::erase_if(changed,
                [&](const report::Setting& setting) { return value_at(before, setting.path) == setting.bound; });
  for (report::Setting& setting : changed)
    if (setting.set_by == "--set") setting.set_by = "--change";
  return changed;
}

// Settings that files or options of either machine set and whose values differ. Those that the
// question does not read are only counted: for one machine and its change, those that the changed
// one does not read; for two machines, those that neither reads.
void find_differing(report::CompareReport& report, const std::array<const Gpu*, 2>& gpus,
                    const SweepQuestion& question) {
  std::set<std::string> seen;
  const std::array effective{gpus[0]->loaded.effective(), gpus[1]->loaded.effective()};
  for (const Gpu* gpu : gpus)
    for (const report::Setting& setting : settings(*gpu, {})) {
      const std::array values{value_at(effective[0], setting.path), value_at(effective[1], setting.path)};
      if (values[0] == values[1] || !seen.insert(setting.path).second) continue;
      const auto reads = [&](std::size_t i) {
        return !values[i].empty() &&
               !machine::why_unread(gpus[i]->spec(), question.does(gpus[i]->spec()), setting.path);
      };
      const bool one_machine = gpus[0]->name == gpus[1]->name && !values[1].empty();
      if (reads(1) || (!one_machine && reads(0)))
        report.differing.push_back({setting.path, values});
      else
        ++report.unread;
    }
}

void add_parts(std::vector<report::ComparedPart>& parts, const SweepAnswer& answer, std::size_t machine) {
  for (const AnswerPart& part : answer.parts) {
    auto known = std::find_if(parts.begin(), parts.end(),
                              [&](const auto& p) { return p.group == part.group && p.name == part.name; });
    if (known == parts.end()) known = parts.insert(known, {std::string(part.group), part.name, {no_result, no_result}});
    known->values[machine] = part.value;
  }
}

}  // namespace

Options compare_options(const Arguments& arguments) {
  const SweepQuestionKind& kind = sweep_question(asked_question(arguments));
  const std::string_view example = kind.name == "run" ? "--kernel stream_read,bytes=4MiB" : "--footprint 40MiB";
  Options options(
      "compare [QUESTION] --gpu G [--other G] [--change PATH=VALUE] [options]",
      "Runs one question on two machines: two GPUs, or one with and without a change. Reports the\n"
      "settings that differ, the change of each figure, and its stages, levels and resources.",
      fmt::format("strata compare {} --gpu h200 --change l2.cache.hit_latency=60clk {}", kind.name, example));
  describe_compare(options, kind);
  options.set_question(kind.name);
  return options;
}

int compare(const Options& options) {
  const SweepQuestionKind& kind = sweep_question(options.question());
  const Outputs outputs(options);
  outputs.check(2);
  StatsFile statistics(options);
  const std::size_t jobs = options.count("jobs", 0, 1024);
  const tools::Library library = tools::Library::beside_program();
  const Gpu first = load_gpu(library, options, {.more_follow = options.has("change")});
  const Gpu second = second_machine(library, options);
  const std::array<const Gpu*, 2> gpus{&first, &second};
  const std::unique_ptr<SweepQuestion> question = kind.read(options);

  report::CompareReport report;
  report.settings = together(settings(first, question->does(first.spec())),
                             question->unread_options(given_in(options), first.spec()));
  report.settings = together(std::move(report.settings), changed_settings(first, second, *question));
  print_notes(report.settings);
  for (const Gpu* gpu : gpus)
    ask(*gpu, [&] {
      machine::Machine machine(gpu->spec());
      question->check(machine);
    });
  Imports imports;
  question->add_imports(imports);
  for (const auto& [file, found] : imports) tell(found);

  const tools::Keeping keeping;
  std::optional<tools::Progress> progress(std::in_place, "compare", gpus.size(), options.has("quiet"));
  const auto answers = tools::collect_points<SweepAnswer>(gpus.size(), jobs, *progress, [&](std::size_t i) {
    return ask(*gpus[i], [&] { return question->explained(gpus[i]->spec(), statistics.detail()); });
  });
  if (answers.complete()) progress.reset();

  for (const report::SweepFigure& figure : kind.figures) report.figures.push_back({figure, {no_result, no_result}});
  for (const std::string& word : kind.words) report.words.push_back({word, {}});
  std::uint64_t fingerprint = 0;
  for (std::size_t i = 0; i < answers.answers.size(); ++i) {
    const SweepAnswer& answer = answers.answers[i];
    const std::size_t machine = answers.numbers[i];
    fingerprint = mix(fingerprint, answer.fingerprint);
    for (std::size_t f = 0; f < answer.figures.size(); ++f) report.figures[f].values[machine] = answer.figures[f];
    for (std::size_t w = 0; w < answer.words.size(); ++w) report.words[w].second[machine] = answer.words[w];
    add_parts(report.parts, answer, machine);
  }
  std::erase_if(report.words, [](const auto& word) { return word.second[0].empty() && word.second[1].empty(); });
  report.machines = names_of(options);
  for (std::size_t i = 0; i < answers.answers.size(); ++i)
    for (const PartStatistics& part : answers.answers[i].statistics)
      statistics.add({report.machines[answers.numbers[i]]}, part);
  for (std::size_t i = 0; i < report.machines.size(); ++i)
    report.machines[i] = outputs.labelled(std::move(report.machines[i]), i);
  report.heading = {version, first.name, hexadecimal(fingerprint),
                    what_is_kept(answers.answers.size(), gpus.size(), "machines")};
  statistics.write(report.heading, {{"machine", {"machine", report::Align::left}}}, kind.parts);
  report.title = outputs.titled(fmt::format("{} of {} and of {}", kind.title, report.machines[0], report.machines[1]));
  report.question = kind.name;
  report.options = question_options(kind, options);
  report.drawn = kind.drawn;
  find_differing(report, gpus, *question);
  if (outputs.json) tools::write_file(*outputs.json, report::json(report));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(report));
  if (outputs.svg) tools::write_file(*outputs.svg, report::svg(report));
  if (outputs.html) tools::write_file(*outputs.html, report::html(report));
  if (!outputs.claims_stdout()) std::cout << report::table(report);
  return finish(report.heading, exit_done);
}

}  // namespace strata::cli
