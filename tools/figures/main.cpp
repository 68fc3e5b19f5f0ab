// SPDX-License-Identifier: Apache-2.0
// docs-figures: rewrites the figures of README.md, docs/ and validation/, or checks them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>
#include <boost/program_options.hpp>

#include "base/diagnostic.hpp"
#include "figures/refresh.hpp"
#include "figures/sample.hpp"
#include "figures/typed.hpp"
#include "files/files.hpp"

namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;
using namespace strata::figures;  // NOLINT(google-build-using-namespace)
using strata::tools::read_file;
using strata::tools::write_file;

constexpr const char* usage =
    "usage: docs-figures [options] [PAGE...]\n\n"
    "Rewrites the figures of the pages (all without PAGE): blocks between `<!-- figures: ... -->` and\n"
    "`<!-- end figures -->`, and figures before a mark `<!-- figure: ... -->`. docs/design/figures.md has the\n"
    "marks. Figures of `strata validate` come from validation/results.csv.\n";

void tell(const std::vector<Difference>& differences) {
  for (const Difference& difference : differences) {
    std::cout << fmt::format("{}: is        {}\n{}: should be {}\n", difference.place, difference.is, difference.place,
                             difference.should_be);
    if (!difference.command.empty()) std::cout << fmt::format("    $ {}\n", difference.command);
  }
}

// Runs `strata validate` and stores the result: all rows, the missing rows, or those whose ids
// begin with a text.
void ask_results(Answers& answers, const std::string& which) {
  std::string options;
  if (which == "missing") {
    for (const auto& expectation : answers.expectations())
      if (answers.results().line(expectation.id) == nullptr) options += " --id " + expectation.id;
    if (options.empty()) return;
  } else if (which != "all") {
    options = which == "quick" ? " --quick" : " --id " + which;
  }
  const Printed printed = answers.run("build/strata validate --csv -" + options);
  if (printed.exit_status != 0 && printed.exit_status != 1)
    throw std::runtime_error(
        fmt::format("strata validate{} ended with {}:\n{}", options, printed.exit_status, printed.err));
  answers.results().take(Results("strata validate --csv -", printed.out));
  write_file((answers.root() / "validation/results.csv").string(), answers.results().csv(answers.expectations()));
}

int run(const po::variables_map& given) {
  const fs::path root = given["root"].as<std::string>();
  Answers answers(root, fs::read_symlink("/proc/self/exe").parent_path() / "strata");
  std::vector<std::string> names = page_names(root);
  if (given.count("page") > 0) names = given["page"].as<std::vector<std::string>>();
  if (given.count("results") > 0) ask_results(answers, given["results"].as<std::string>());
  std::vector<Page> pages;
  for (const std::string& name : names) pages.push_back(read_page(name, read_file(root / name)));

  if (given.count("check") == 0) {
    std::size_t changed = 0;
    for (const Page& page : pages) {
      const Page anew = refreshed(page, answers);
      const std::vector<Difference> found = differences(page, anew);
      tell(found);
      changed += found.size();
      for (const Drawing& drawing : drawings(anew, answers)) write_file(drawing.file.string(), drawing.text);
      if (!found.empty()) write_file((root / page.name).string(), anew.text());
    }
    std::cout << fmt::format("{} lines rewritten\n", changed);
    return 0;
  }

  std::optional<Sample> sample;
  if (given.count("sample") > 0) {
    const std::string seed = given["sample"].as<std::string>();
    sample = Sample{seed == "random" ? std::random_device{}() : std::stoull(seed), given["count"].as<std::size_t>()};
  }
  const Checked checked = check(pages, answers, sample);
  std::cout << checked.report;
  tell(checked.differences);
  const std::vector<std::string> typed = typed_figures(pages, root);
  for (const std::string& figure : typed) std::cout << figure << "\n";
  if (!checked.differences.empty()) std::cout << "rewrite them: build/docs-figures\n";
  return checked.differences.empty() && typed.empty() ? 0 : 1;
}
}  // namespace

int main(int argc, char** argv) {
  po::options_description options("options");
  options.add_options()("help,h", "this text")(
      "check", "writes no file; exit status 1: some figure differs from the output of its command")(
      "sample", po::value<std::string>()->value_name("SEED"),
      "of --check: a number of blocks and rows of validation chosen by the seed; `random` draws one")(
      "count", po::value<std::size_t>()->value_name("N")->default_value(4), "blocks of --sample, and rows")(
      "results", po::value<std::string>()->value_name("WHICH"),
      "first evaluates rows by `strata validate`: all (half an hour of a core), quick, missing, or those whose ids "
      "begin with WHICH; writes validation/results.csv")(
      "root", po::value<std::string>()->value_name("FOLDER")->default_value("."), "the repository")(
      "page", po::value<std::vector<std::string>>(), "pages, relative to the repository");
  po::positional_options_description positional;
  positional.add("page", -1);
  try {
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(options).positional(positional).run(), given);
    if (given.count("help") > 0) {
      std::cout << usage << "\n" << options;
      return 0;
    }
    return run(given);
  } catch (const std::exception& error) {
    std::cerr << "docs-figures: " << error.what() << "\n";
    return 2;
  }
}
