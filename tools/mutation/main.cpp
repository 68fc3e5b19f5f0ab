// SPDX-License-Identifier: Apache-2.0
// strata-mutation: which settings of a GPU could be wrong by half without a row
// of validation/ failing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <boost/program_options.hpp>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "moves.hpp"
#include "questions.hpp"
#include "record.hpp"
#include "rows.hpp"
#include "sample.hpp"

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using namespace strata;
using namespace strata::mutation;

struct Plan {
  fs::path folder;
  double budget = 0;
  bool fresh = false;
  std::vector<std::string> only;      ///< beginnings of rows' ids; empty: all
  std::vector<std::string> settings;  ///< beginnings of paths; empty: all
};

struct Base {
  StandardQuestion question;
  double figure = 0;
};

// Those that the machine as it is can answer.
std::vector<Base> base_figures(const machine::MachineSpec& spec) {
  std::vector<Base> all;
  for (StandardQuestion& question : standard_questions(spec)) {
    try {
      const std::clock_t begun = std::clock();
      const double value = figure(measure(spec, question.reading));
      const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
      fmt::print(stderr, "  {}: {:.4g} ({:.2f} s)\n", question.name, value, seconds);
      all.push_back({std::move(question), value});
    } catch (const std::exception&) {
      continue;
    }
  }
  return all;
}

// Throws if the moved machine cannot be built or run.
void ask(const machine::MachineSpec& spec, const std::vector<Base>& base, Outcome& out) {
  out.steady = out.kernel = {};
  for (const Base& one : base) {
    const double part = std::abs(figure(measure(spec, one.question.reading)) / one.figure - 1);
    Change& largest = one.question.is_kernel() ? out.kernel : out.steady;
    if (part > largest.part) largest = {part, one.question.name};
  }
}

// The nearest allowed value and its effect.
Outcome move(const Configurations& configurations, const std::string& gpu, const Number& number, Direction direction,
             const std::vector<Base>& base) {
  Outcome out{number.path, number.value, {}, Verdict::refused, {}, {}, {}};
  for (const std::string& to : moved(number.value, direction)) {
    try {
      ask(configurations.with(gpu, {number.path + "=" + to}).spec, base, out);
      out.to = to;
      out.verdict = std::max(out.steady.part, out.kernel.part) > slight_change ? Verdict::survived : Verdict::idle;
      return out;
    } catch (const std::exception&) {
      out.steady = out.kernel = {};
    }
  }
  return out;
}

const Outcome* known(const std::vector<Outcome>& before, const Number& number, Direction direction) {
  // Moves of one setting are recorded downwards first.
  std::size_t nth = 0;
  for (const Outcome& one : before)
    if (one.path == number.path && one.from == number.value && nth++ == (direction == Direction::down ? 0U : 1U))
      return &one;
  return nullptr;
}

bool wanted(const Plan& plan, const Number& number) {
  return plan.settings.empty() || std::any_of(plan.settings.begin(), plan.settings.end(),
                                              [&](const std::string& path) { return number.path.starts_with(path); });
}

void examine(const Configurations& configurations, const std::vector<study::Expectation>& expectations,
             const std::string& gpu, const Plan& plan) {
  const study::Configured plain = configurations.with(gpu, {});
  const std::vector<Number> all = numbers(plain.effective);
  const fs::path file = plan.folder / (gpu + ".csv");
  const bool forget = plan.fresh && plan.settings.empty();
  const std::vector<Outcome> before = !forget && fs::exists(file) ? read_outcomes(file) : std::vector<Outcome>{};
  const std::vector<Base> base = base_figures(plain.spec);
  const Rows rows(configurations, gpu, expectations, plan.budget, plan.only);
  fmt::print(stderr, "{}: {} settings, {} questions, {} rows, not asked: {}\n", gpu, all.size(), base.size(),
             rows.count(), fmt::join(rows.left_out(), " "));
  std::vector<Outcome> outcomes;
  for (const Number& number : all) {
    for (const Direction direction : {Direction::down, Direction::up}) {
      const Outcome* const old = known(before, number, direction);
      if (!wanted(plan, number)) {
        if (old != nullptr) outcomes.push_back(*old);
        continue;
      }
      Outcome outcome = old != nullptr && !plan.fresh ? *old : move(configurations, gpu, number, direction, base);
      const bool row_is_gone = std::none_of(expectations.begin(), expectations.end(),
                                            [&](const auto& row) { return row.id == outcome.row; });
      if (outcome.verdict == Verdict::killed && row_is_gone) outcome.verdict = Verdict::survived;
      if (outcome.verdict == Verdict::survived)
        if (const auto row = rows.first_failure(outcome.path + "=" + outcome.to)) {
          outcome.verdict = Verdict::killed;
          outcome.row = *row;
        }
      if (outcome.verdict == Verdict::survived) outcome.row.clear();
      outcomes.push_back(std::move(outcome));
    }
    // Completed records are kept; later records of an earlier run follow them.
    if (outcomes.size() % 32 == 0 && before.empty()) tools::write_file(file.string(), csv(outcomes));
  }
  tools::write_file(file.string(), csv(outcomes));
  const Scores scores = scores_of(outcomes);
  fmt::print("{}: {} of {} killed, {:.1f} %; at {:.0f} % of any answer {} of {}, {:.1f} %\n", gpu,
             scores.matters.killed, scores.matters.counted(), scores.matters.percent(), 100 * slight_change,
             scores.slight.killed, scores.slight.counted(), scores.slight.percent());
  std::fflush(stdout);
}

int run(int count, char** words) {
  po::options_description description(
      "strata-mutation: moves each setting by half and evaluates the rows of validation/");
  description.add_options()("help", "this text")("gpu",
                                                 po::value<std::vector<std::string>>()->composing()->value_name("G"),
                                                 "examine this GPU; may be given again")(
      "folder", po::value<std::string>()->value_name("DIR")->default_value("validation/mutation"), "of the records")(
      "budget", po::value<double>()->value_name("SECONDS")->default_value(1),
      "of a row, estimated; longer ones are not evaluated")("fresh", "delete the records of the examined settings")(
      "id", po::value<std::vector<std::string>>()->composing()->value_name("PREFIX"),
      "evaluate only rows whose id begins with this text; may be given again")(
      "setting", po::value<std::vector<std::string>>()->composing()->value_name("PREFIX"),
      "examine only settings whose path begins with this text; may be given again")(
      "sample", po::value<std::vector<std::uint64_t>>()->multitoken()->value_name("SEED N"),
      "evaluate N recorded kills again")("page", po::value<std::string>()->value_name("FILE"),
                                         "write the page from the records");
  po::variables_map given;
  try {
    po::store(po::parse_command_line(count, words, description), given);
  } catch (const po::error& error) {
    throw InputError(Diagnostic{"strata-mutation", 0, 0, error.what(), {}});
  }
  if (given.count("help") != 0 || given.size() <= 2) {
    std::cout << description;
    return 0;
  }
  Plan plan{given["folder"].as<std::string>(), given["budget"].as<double>(), given.count("fresh") != 0, {}, {}};
  if (given.count("id") != 0) plan.only = given["id"].as<std::vector<std::string>>();
  if (given.count("setting") != 0) plan.settings = given["setting"].as<std::vector<std::string>>();
  const tools::Library library = tools::Library::beside_program();
  if (given.count("page") != 0) tools::write_file(given["page"].as<std::string>(), page(read_folder(plan.folder)));
  if (given.count("gpu") == 0 && given.count("sample") == 0) return 0;
  const std::vector<study::Expectation> expectations = study::read_expectations(library.expectations());
  const Configurations configurations(library);
  if (given.count("gpu") != 0)
    for (const std::string& gpu : given["gpu"].as<std::vector<std::string>>()) {
      library.gpu(gpu);  // throws where there is none
      examine(configurations, expectations, gpu, plan);
    }
  if (given.count("sample") == 0) return 0;
  const auto words_of_sample = given["sample"].as<std::vector<std::uint64_t>>();
  if (words_of_sample.size() != 2)
    throw InputError(Diagnostic{"--sample", 0, 0, "expected SEED N, such as --sample 7 20", {}});
  const Sampled sampled = sample(configurations, expectations, read_folder(plan.folder), plan.budget,
                                 words_of_sample[0], words_of_sample[1]);
  for (const std::string& problem : sampled.problems) std::cout << problem << '\n';
  fmt::print("{} of {} recorded kills, seed {}, hold\n", sampled.asked - sampled.problems.size(), sampled.asked,
             words_of_sample[0]);
  return sampled.problems.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
