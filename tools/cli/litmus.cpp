// SPDX-License-Identifier: Apache-2.0
// strata litmus: outcomes of litmus tests against the memory model.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "curve_options.hpp"
#include "gpu.hpp"
#include "interrupted.hpp"
#include "load_options.hpp"
#include "parallel/points.hpp"
#include "report/litmus.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/litmus/litmus.hpp"
#include "trace/instruction.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe_litmus(Options& options) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  std::vector<std::string_view> names;
  for (const study::LitmusTest& test : study::litmus_tests()) names.push_back(test.name);
  const std::string tests = fmt::format("this test; may be given again; default: all of {}", fmt::join(names, ", "));
  describe_gpu(options.description());
  options.description().add_options()("test", po::value<std::vector<std::string>>()->composing()->value_name("NAME"),
                                      tests.c_str())("runs", text("N", "256"),
                                                     "runs of each test, fence and placement")(
      "cache-op", text("ca|cg|cv", "ca"),
      "of the loads; ca: they may hit the L1, cg: they bypass it, if the machine supports that, cv: they also see "
      "what\n"
      "coherent accesses left on any die")("seed", text("N", "1"),
                                           "of cores, addresses, delays and initial contents of caches")(
      "jobs", text("N", "0"), "cases run in parallel; 0: one per host core")("quiet,q", "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), false);
  options.description().add_options()("html", po::value<std::string>()->value_name("FILE"),
                                      "write one self-contained page; - is stdout")(
      "title", po::value<std::string>()->value_name("TEXT"), "of the page, instead of the standard one");
}

std::string registers_in_words(const std::vector<std::uint64_t>& registers) {
  std::string words;
  for (std::size_t i = 0; i < registers.size(); ++i)
    words += fmt::format("{}r{}={}", i == 0 ? "" : " ", i, registers[i]);
  return words;
}

report::LitmusRow row_of(const study::LitmusResult& result, std::uint64_t runs) {
  report::LitmusRow row;
  row.test = result.asked.test->name;
  row.fence = result.asked.fence ? trace::scopes[static_cast<std::size_t>(*result.asked.fence)] : "none";
  row.placement = study::name_of(result.asked.placement);
  row.weak_outcome = registers_in_words(result.asked.test->weak);
  row.runs = runs;
  row.weak = result.weak;
  row.allowed = result.allowed;
  for (const auto& [registers, count] : result.outcomes)
    row.outcomes.emplace_back(registers_in_words(registers), count);
  return row;
}

}  // namespace

Options litmus_options(const Arguments&) {
  Options options("litmus --gpu G [options]",
                  "Runs litmus tests, a few loads and stores in two to four threads, with random cores, addresses and\n"
                  "delays, without fences and with fences of each scope. The memory models of PTX and CDNA forbid\n"
                  "some outcomes: exit 1 if one appears. Stale copies, lost visibility and reordering can be seen.",
                  "strata litmus --gpu mi300x --test mp");
  describe_litmus(options);
  return options;
}

int litmus(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  study::LitmusQuestion question;
  question.statistics = statistics.detail();
  question.tests = options.texts("test");
  question.runs = options.count("runs", 1, 1U << 16U);
  question.seed = options.count("seed", 0, ~std::uint64_t{0});
  question.cache_operator = cache_operator_of(options);
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  report::LitmusReport answer;
  answer.settings = settings(gpu, study::activity_of(question));
  print_notes(answer.settings);
  const std::vector<study::LitmusCase> cases = ask(gpu, [&] { return study::litmus_cases(gpu.spec(), question); });

  tools::Progress progress("litmus", cases.size(), options.has("quiet"));
  const tools::Keeping keeping;
  const auto run = tools::collect_points<study::LitmusResult>(
      cases.size(), options.count("jobs", 0, 1024), progress,
      [&](std::size_t i) { return ask(gpu, [&] { return study::run_litmus(gpu.spec(), question, cases[i]); }); });
  std::uint64_t fingerprint = 0;
  for (const study::LitmusResult& result : run.answers) {
    fingerprint = mix(fingerprint, result.fingerprint);
    answer.rows.push_back(row_of(result, question.runs));
    const report::LitmusRow& row = answer.rows.back();
    statistics.add({row.test, row.fence, row.placement}, result.statistics);
  }
  for (const study::LitmusTest& test : study::litmus_tests())
    if (std::any_of(answer.rows.begin(), answer.rows.end(),
                    [&](const report::LitmusRow& row) { return row.test == test.name; }))
      answer.tests.emplace_back(test.name, test.meaning);
  answer.heading = {version, gpu.name, hexadecimal(fingerprint), what_is_kept(run)};
  answer.title = outputs.titled(fmt::format("{}: litmus tests", gpu.spec().name));
  answer.subtitle = fmt::format("{} runs a case, loads {}", question.runs, options.get<std::string>("cache-op"));
  statistics.write(answer.heading, {{"test", {"test"}}, {"fence", {"fence"}}, {"placement", {"placement"}}});
  if (outputs.json) tools::write_file(*outputs.json, json(answer));
  if (outputs.csv) tools::write_file(*outputs.csv, csv(answer));
  if (outputs.html) tools::write_file(*outputs.html, html(answer));
  if (!outputs.claims_stdout()) std::cout << table(answer);
  return finish(answer.heading, answer.failed() == 0 ? exit_done : exit_failed_check);
}

}  // namespace strata::cli
