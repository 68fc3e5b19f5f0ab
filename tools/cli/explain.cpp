// SPDX-License-Identifier: Apache-2.0
// strata explain: the journey of one load, or the meaning of a setting.
#include <fmt/format.h>

#include <iostream>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "config/explain.hpp"
#include "files/files.hpp"
#include "gpu.hpp"
#include "listing.hpp"
#include "load_options.hpp"
#include "machine/checks/unread.hpp"
#include "report/json.hpp"
#include "report/latency/html.hpp"
#include "report/latency/journey_svg.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/journey/journey.hpp"
#include "unread_options.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

int journey(const Options& options, const Gpu& gpu) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  study::JourneyQuestion question;
  question.address = options.address("address");
  question.core = static_cast<std::uint32_t>(options.count("core", 0, 1U << 20U));
  read_load(options, question.load);
  question.load.statistics = statistics.detail();
  if (options.has("after")) question.after_footprint = options.size("after").value;
  const study::JourneyAnswer answer = ask(gpu, [&] { return study::follow(gpu.spec(), question); });

  report::JourneyReport report;
  report.settings = together(given_settings(gpu, study::activity_of(question.load)),
                             unread_options(given_in(options), question.load, gpu.spec()));
  print_notes(report.settings);
  report.heading = {version, gpu.name, hexadecimal(answer.fingerprint)};
  report.title = outputs.titled({});
  report.address = question.address;
  report.what = fmt::format("a load by core {} of {}, served by {}", question.core, gpu.spec().name, answer.served_by);
  for (const study::JourneyStage& stage : answer.stages)
    report.stages.push_back({stage.stage, stage.cycles, stage.ns, stage.note});
  report.total_cycles = answer.total_cycles;
  report.total_ns = answer.total_ns;
  statistics.add({fmt::format("{}", question.address)}, answer.statistics);
  statistics.write(report.heading, {{"address", {"address", report::Align::right}}});
  if (outputs.json) tools::write_file(*outputs.json, report::json(report));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(report));
  if (outputs.svg) tools::write_file(*outputs.svg, report::svg(report));
  if (outputs.html) tools::write_file(*outputs.html, report::html(report));
  if (outputs.claims_stdout()) return exit_done;
  std::cout << report::table(report) << '\n';
  for (const std::string& line : answer.whereabouts) std::cout << printable(line) << '\n';
  return exit_done;
}

// With the questions that do not read the setting: all of them, or some.
config::Explanation explanation(const Gpu& gpu, const std::string& path) {
  const config::Effective effective = gpu.loaded.effective();
  config::Explanation explanation = config::explain_path(*machine::MachineSpec::schema().info(), effective, path);
  const std::string indexed = config::indexed_path(effective, path);
  if (const auto why = machine::why_unread(gpu.spec(), {}, indexed)) {
    explanation.lines.emplace_back("not read", *why);
    return explanation;
  }
  const std::pair<const char*, machine::Activity> questions[] = {
      {"latency", study::activity_of(study::LatencyQuestion{})},
      {"bandwidth --op read", study::activity_of(study::BandwidthQuestion{}, gpu.spec())},
      {"run", study::activity_of_kernels()}};
  for (const auto& [question, does] : questions)
    if (const auto why = machine::why_unread(gpu.spec(), does, indexed))
      explanation.lines.emplace_back("not read by", fmt::format("{}: {}", question, *why));
  if (const auto note = machine::caveat(gpu.spec(), indexed)) explanation.lines.emplace_back("note", *note);
  return explanation;
}

// For output that is a list rather than a journey.
Outputs outputs_of_a_list(const Options& options) {
  Outputs outputs(options);
  for (const char* const drawing : {"html", "svg", "title"})
    if (options.has(drawing))
      throw InputError(
          Diagnostic{fmt::format("--{}", drawing), 0, 0, "requires --address; --json and --csv take settings", {}});
  outputs.check();
  return outputs;
}

// A row for each value, defaults included.
void add_rows(const config::Effective& node, const std::string& path, std::vector<std::vector<std::string>>& rows) {
  if (node.absent || node.shape == config::Shape::scalar) {
    rows.push_back({path, node.absent ? "none" : node.text, node.set_by ? node.set_by->text() : "default"});
    return;
  }
  std::size_t index = 0;
  for (const config::Effective& child : node.children) {
    const std::string step = child.key.empty() ? fmt::format("[{}]", index) : (path.empty() ? "" : ".") + child.key;
    add_rows(child, path + step, rows);
    ++index;
  }
}

int whole_configuration(const Options& options, const Gpu& gpu) {
  const Outputs outputs = outputs_of_a_list(options);
  report::Listing all =
      listing("settings", {{"path", {"path", left}}, {"value", {"value", left}}, {"set_by", {"set by", left}}});
  all.heading.gpu = gpu.name;
  add_rows(gpu.loaded.effective(), "", all.rows);
  write_listing(outputs, all, config::write_effective(gpu.loaded.effective(), printable(gpu.name)));
  return exit_done;
}

int one_setting(const Options& options, const Gpu& gpu) {
  const Outputs outputs = outputs_of_a_list(options);
  const config::Explanation explained = explanation(gpu, options.get<std::string>("path"));
  report::Listing all = listing("setting", {{"what", {"what", left}}, {"text", {"text", left}}});
  all.heading.gpu = gpu.name;
  all.rows.push_back({"path", explained.path});
  for (const auto& [label, text] : explained.lines) all.rows.push_back({label, text});
  write_listing(outputs, all, explained.text());
  return exit_done;
}

}  // namespace

Options explain_options(const Arguments&) {
  Options options("explain --gpu G (--address A | --path PATH)",
                  "Traces one load through the machine, stage by stage, or describes a setting: its meaning,\n"
                  "its value and the source of the value.",
                  "strata explain --gpu b200 --address 0x40000000 --after 64MiB");
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  describe_gpu(options.description());
  describe_load(options.description());
  options.description().add_options()("address", po::value<std::string>()->value_name("A"),
                                      "virtual byte address of the load, for example 0x40000000")(
      "after", po::value<std::string>()->value_name("SIZE"),
      "warms the caches by a chase over this much memory from address 0; default: cold caches")(
      "core", text("N", "0"), "core that issues the load")("path", po::value<std::string>()->value_name("PATH"),
                                                           "a setting, for example l2.slices_per_die")(
      "settings", "the effective configuration, with the source of each value");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
  return options;
}

// Options of one load only.
void refuse_with_settings(const Options& options) {
  po::options_description of_a_load;
  describe_load(of_a_load);
  std::vector<std::string> names{"address", "after", "core", "stats", "stats-detail"};
  for (const auto& option : of_a_load.options()) names.push_back(option->long_name());
  for (const std::string& name : names)
    if (options.has(name))
      throw InputError(Diagnostic{"--" + name,
                                  0,
                                  0,
                                  fmt::format("applies to a load, which --{} does not trace; remove one of them",
                                              options.has("settings") ? "settings" : "path"),
                                  {}});
}

int explain(const Options& options) {
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  if (options.has("settings") || options.has("path")) refuse_with_settings(options);
  if (options.has("settings")) return whole_configuration(options, gpu);
  if (options.has("path")) return one_setting(options, gpu);
  if (!options.has("address"))
    throw InputError(Diagnostic{"explain", 0, 0, "expected --address A, --path PATH or --settings", {}});
  return journey(options, gpu);
}

}  // namespace strata::cli
