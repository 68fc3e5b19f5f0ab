// SPDX-License-Identifier: Apache-2.0
// strata handoff: how long a word takes from one thread to another, for pairs of cores.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "curve_options.hpp"
#include "gpu.hpp"
#include "interrupted.hpp"
#include "parallel/points.hpp"
#include "report/handoff/handoff.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/handoff.hpp"
#include "unread_options.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

constexpr std::size_t pairs_a_point = 32;  // one after the other on one machine

void describe_handoff(Options& options) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  describe_gpu(options.description());
  options.description().add_options()("space", text("global|shared", "global"),
                                      "where the word lies; shared: between two warps of a block")(
      "home", text("any|near|far", "any"),
      "if memory is spread over several dies: a word whose home is near the first core, or far from it")(
      "address", text("BYTES", "0"), "of the word; with --home, of the first line that is considered")(
      "loop", text("CLK", "100"),
      "core cycles of the other instructions of the loop, from an answer to the next attempt")(
      "handoffs", text("N", "256"), "hand-offs timed for each pair")(
      "cores", po::value<std::string>()->value_name("A,B"), "only this pair of cores")(
      "pairs", text("N", "1024"), "maximum number of measured pairs, chosen at random if there are more; 0: all")(
      "seed", text("N", "1"), "of that draw")(
      "jobs", text("N", "0"), "pairs measured in parallel; 0: one per host core")("quiet,q", "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
}

study::HandoffDraw read_question(const Options& options) {
  study::HandoffDraw question;
  question.space = options.choice("space", {"global", "shared"}) == 0 ? trace::Space::global : trace::Space::shared;
  question.home = static_cast<study::ChaseHome>(options.choice("home", {"any", "near", "far"}));
  question.address = options.address("address");
  question.loop_cycles = options.real("loop", 0, 1e6);
  question.handoffs = options.count("handoffs", 1, 1U << 20U);
  question.pairs = options.count("pairs", 0, 1U << 30U);
  question.seed = options.count("seed", 0, ~std::uint64_t{0});
  return question;
}

std::vector<study::CorePair> read_pairs(const Options& options, const machine::MachineSpec& spec,
                                        const study::HandoffDraw& question) {
  const std::optional<std::string> cores = options.text("cores");
  if (!cores) return study::handoff_pairs(spec, question, question.pairs, question.seed);
  study::CorePair pair;
  const auto comma = cores->find(',');
  const auto number = [&](std::string_view text, std::uint32_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
  };
  if (comma == std::string::npos || !number(std::string_view(*cores).substr(0, comma), pair.first) ||
      !number(std::string_view(*cores).substr(comma + 1), pair.second))
    throw InputError(Diagnostic{"--cores", 0, 0, fmt::format("expected two cores as in 0,5, got '{}'", *cores), {}});
  return {pair};
}

// A name's rows become one relation; the fastest is first.
void group(report::HandoffReport& answer, const std::vector<study::HandoffPoint>& points) {
  std::map<std::string, std::size_t> known;
  for (const study::HandoffPoint& point : points) {
    const auto [place, added] = known.try_emplace(point.relation, answer.relations.size());
    if (added) answer.relations.push_back({point.relation, 0, point.ns, 0, point.ns, 0, 0, {}});
    report::HandoffRelation& relation = answer.relations[place->second];
    ++relation.pairs;
    relation.least_ns = std::min(relation.least_ns, point.ns);
    relation.most_ns = std::max(relation.most_ns, point.ns);
    relation.mean_ns += point.ns;
    relation.mean_cycles += point.cycles;
    relation.mean_attempts += point.attempts;
  }
  for (report::HandoffRelation& relation : answer.relations)
    for (double* const sum : {&relation.mean_ns, &relation.mean_cycles, &relation.mean_attempts})
      *sum /= static_cast<double>(relation.pairs);
  std::stable_sort(answer.relations.begin(), answer.relations.end(),
                   [](const auto& a, const auto& b) { return a.mean_ns < b.mean_ns; });
  for (std::size_t i = 0; i < answer.relations.size(); ++i) known[answer.relations[i].name] = i;
  for (const study::HandoffPoint& point : points)
    answer.pairs.push_back(
        {point.cores.first, point.cores.second, point.ns, point.cycles, point.attempts, known[point.relation]});
}

std::string handoff_in_words(const study::HandoffQuestion& question) {
  const char* const home = question.home == study::ChaseHome::near  ? ", home near the first core"
                           : question.home == study::ChaseHome::far ? ", home far from the first core"
                                                                    : "";
  return fmt::format("compare-and-swap on a word of {} memory at address {}{}, {} clk of loop, {} hand-offs a pair",
                     question.space == trace::Space::global ? "global" : "shared", question.address, home,
                     question.loop_cycles, question.handoffs);
}

}  // namespace

Options handoff_options(const Arguments&) {
  Options options("handoff --gpu G [options]",
                  "Two threads change one word alternately by compare-and-swap. Reports the time until one sees\n"
                  "the value that the other wrote, for pairs of cores, and the stages of that time.",
                  "strata handoff --gpu h200 --svg handoff.svg");
  describe_handoff(options);
  return options;
}

int handoff(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  study::HandoffDraw question = read_question(options);
  question.statistics = statistics.detail();
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  std::vector<report::Setting> set = together(settings(gpu, study::activity_of(question)),
                                              unread_options(given_in(options), question, options.has("cores")));
  print_notes(set);
  const std::vector<study::CorePair> pairs = read_pairs(options, gpu.spec(), question);
  if (pairs.empty())
    throw InputError(Diagnostic{
        gpu.name, 0, 0, "has one core and no pair of cores; --space shared uses two threads of one core", {}});

  const std::size_t points = (pairs.size() + pairs_a_point - 1) / pairs_a_point;
  tools::Progress progress("hand-off", points, options.has("quiet"));
  const tools::Keeping keeping;
  const auto measured = tools::collect_points<std::vector<study::HandoffPoint>>(
      points, options.count("jobs", 0, 1024), progress, [&](std::size_t i) {
        const std::span<const study::CorePair> all(pairs);
        const std::size_t from = i * pairs_a_point;
        return ask(gpu, [&] {
          return study::measure_handoffs(gpu.spec(), question,
                                         all.subspan(from, std::min(pairs_a_point, all.size() - from)));
        });
      });
  std::vector<study::HandoffPoint> all;
  for (const std::vector<study::HandoffPoint>& some : measured.answers) all.insert(all.end(), some.begin(), some.end());

  report::HandoffReport answer;
  std::uint64_t fingerprint = 0;
  for (const study::HandoffPoint& point : all) {
    fingerprint = mix(fingerprint, point.fingerprint);
    statistics.add({fmt::format("{}", point.cores.first), fmt::format("{}", point.cores.second), point.relation},
                   point.statistics);
  }
  answer.heading = {version, gpu.name, hexadecimal(fingerprint), what_is_kept(all.size(), pairs.size(), "pairs")};
  answer.title = outputs.titled(fmt::format("{}: hand-off between threads", gpu.spec().name));
  answer.subtitle = handoff_in_words(question);
  answer.settings = std::move(set);
  answer.all_pairs = options.has("cores") ? 1 : study::count_handoff_pairs(gpu.spec(), question);
  group(answer, all);
  for (report::HandoffRelation& relation : answer.relations) {
    const auto typical =
        std::find_if(all.begin(), all.end(), [&](const auto& point) { return point.relation == relation.name; });
    for (const stats::NamedShare& stage : study::handoff_stages(gpu.spec(), question, typical->cores))
      relation.stages.emplace_back(stage.name, stage.mean_ns);
  }
  statistics.write(answer.heading, {{"first_core", {"first_core", report::Align::right}},
                                    {"second_core", {"second_core", report::Align::right}},
                                    {"relation", {"relation", report::Align::left}}});
  write_answer(outputs, answer, [&]() -> const report::HandoffReport& { return answer; });
  return finish(answer.heading, exit_done);
}

}  // namespace strata::cli
