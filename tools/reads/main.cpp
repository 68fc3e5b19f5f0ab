// SPDX-License-Identifier: Apache-2.0
// strata-reads: checks which settings of all GPUs are read, and by which questions, against the
// reports of the program. It takes long: runs of settings, values and questions that are not
// needed for certainty are skipped, but thousands remain.
#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <set>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "files/library.hpp"
#include "parallel/points.hpp"
#include "reads/readers.hpp"

namespace po = boost::program_options;
namespace tools = strata::tools;

namespace {

struct Outcome {
  std::vector<tools::Finding> findings;
  std::uint64_t asked = 0;
};

int run(const po::variables_map& given) {
  const tools::Library library = tools::Library::beside_program();
  std::vector<std::string> gpus = library.gpus();
  if (given.count("gpu") > 0) gpus = given["gpu"].as<std::vector<std::string>>();
  std::vector<std::pair<std::string, tools::OtherValues>> all;
  for (const std::string& gpu : gpus)
    for (tools::OtherValues& setting : tools::other_values(library, gpu))
      if (given.count("path") == 0 || setting.path.starts_with(given["path"].as<std::string>()))
        all.emplace_back(gpu, std::move(setting));
  if (const std::size_t sample = given["sample"].as<std::size_t>(); sample > 0 && sample < all.size()) {
    strata::RandomSequence random{given["seed"].as<std::uint64_t>()};
    for (std::size_t i = 0; i < sample; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
    all.resize(sample);
  }
  tools::Progress progress("settings", all.size(), given.count("quiet") > 0);
  const auto outcomes =
      tools::run_points<Outcome>(all.size(), given["jobs"].as<std::size_t>(), progress, [&](std::size_t i) {
        Outcome outcome;
        const auto questions = tools::small_questions(tools::plain_machine(library, all[i].first));
        outcome.findings = tools::check_readers(library, all[i].first, all[i].second, questions, outcome.asked);
        return outcome;
      });
  std::uint64_t asked = 0, broken = 0, idle = 0;
  for (const Outcome& outcome : outcomes) {
    asked += outcome.asked;
    for (const tools::Finding& finding : outcome.findings) {
      (finding.kind == tools::Finding::Kind::broken_promise ? broken : idle) += 1;
      fmt::print("{}\n", finding.text());
    }
  }
  fmt::print(
      "{} settings of {} GPUs, {} runs: {} reported as unread change a result, {} reported as read change no result of "
      "these questions\n",
      all.size(), gpus.size(), asked, broken, idle);
  return broken == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  po::options_description description(
      "strata-reads: checks which settings are read against the reports of the program");
  description.add_options()("help,h", "this text")("gpu", po::value<std::vector<std::string>>()->composing(),
                                                   "a name or a file; may be given again; default: all")(
      "path", po::value<std::string>(), "settings whose path begins with this text; default: all")(
      "sample", po::value<std::size_t>()->default_value(0), "number of settings, drawn at random; 0: all")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draw")(
      "jobs", po::value<std::size_t>()->default_value(0), "settings checked in parallel; 0: one per host core")(
      "quiet,q", "no progress on stderr");
  try {
    po::variables_map given;
    po::store(po::parse_command_line(count, words, description), given);
    if (given.count("help") > 0) {
      std::cout << description;
      return 0;
    }
    return run(given);
  } catch (const std::exception& error) {
    fmt::print(stderr, "strata-reads: {}\n", error.what());
    return 2;
  }
}
