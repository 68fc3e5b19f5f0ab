// SPDX-License-Identifier: Apache-2.0
// The pages of the repository: no figure is typed, the figures of validation in README equal its
// results, and a sample of all others equals the current output of the program.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "catch.hpp"
#include "figures/coverage.hpp"
#include "figures/refresh.hpp"
#include "figures/sample.hpp"
#include "figures/typed.hpp"
#include "program.hpp"

namespace {
using namespace strata::figures;  // NOLINT(google-build-using-namespace)
using strata::test::source_text;

std::vector<Page> pages() {
  std::vector<Page> all;
  for (const std::string& name : page_names(STRATA_SOURCE_DIR)) all.push_back(read_page(name, source_text(name)));
  return all;
}

Answers tree() { return Answers(STRATA_SOURCE_DIR, STRATA_PROGRAM); }

std::string told(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& one : differences)
    text += one.place + "\n  is        " + one.is + "\n  should be " + one.should_be + "\n  $ " + one.command + "\n";
  return text;
}
}  // namespace

TEST_CASE("no_figure_of_a_page_is_typed") {
  const std::vector<std::string> typed = typed_figures(pages(), STRATA_SOURCE_DIR);
  std::string all;
  for (const std::string& figure : typed) all += figure + "\n";
  INFO("put it into a block (docs/design/figures.md) or, where it is not of this program, into docs/typed-figures.csv");
  CHECK(all == "");
}

TEST_CASE("figures_that_a_page_quotes_of_validation_agree_with_its_results") {
  Answers answers = tree();
  INFO("rewrite them: build/docs-figures");
  CHECK(told(check(pages(), answers, Sample{1, 0}).differences) == "");
}

TEST_CASE("readme_quotes_accuracies_only_as_rows_of_validate") {
  // A table of README with a column of errors has the id of an expectation in each row.
  Answers answers = tree();
  std::set<std::string> ids;
  for (const auto& expectation : answers.expectations()) ids.insert(expectation.id);
  std::size_t quoted = 0;
  const Page readme = read_page("README.md", source_text("README.md"));
  for (const Block& block : readme.blocks) {
    if (block.kind != BlockKind::table || block.heading.front().find("error") == std::string::npos) continue;
    CHECK(Answers::is_from_results(block.commands.front()));
    for (std::size_t i = block.begin + 2; i < block.end && readme.lines[i].starts_with("| "); ++i, ++quoted) {
      const std::string& line = readme.lines[i];
      const std::size_t open = line.find('`');
      INFO(line);
      REQUIRE(open == 2);
      CHECK(ids.contains(line.substr(open + 1, line.find('`', open + 1) - open - 1)));
    }
  }
  CHECK(quoted >= 15);
}

TEST_CASE("results_have_no_row_that_is_no_expectation") {
  Answers answers = tree();
  const std::string csv = source_text("validation/results.csv");
  CHECK(answers.results().csv(answers.expectations()) == csv);
}

TEST_CASE("results_quote_each_expectation_as_it_is") {
  // A sample of the next test evaluates a few rows again; their texts need no simulation.
  Answers answers = tree();
  for (const auto& expectation : answers.expectations()) {
    const auto document = answers.results().document({&expectation}, true);
    const auto& row = document.at("rows").at(0);
    INFO(expectation.id << ": rewrite it with build/docs-figures --results " << expectation.id);
    CHECK(row.at("quantity").as_string() == expectation.quantity.c_str());
    CHECK(row.at("source").as_string() == expectation.source.c_str());
  }
}

TEST_CASE("each_statement_of_a_document_is_counted_once_in_the_coverage") {
  const Answers answers = tree();
  unsigned all = 0, rows = 0;
  for (const Document& document : coverage(STRATA_SOURCE_DIR, answers.expectations())) {
    INFO(document.prefix);
    CHECK(document.by_id + document.by_other_id + document.in_tests + document.without == document.statements);
    all += document.statements;
    rows += document.by_id;
  }
  CHECK(all == 70 - 1 + 51 + 47 + 16);  // B2-12 is not used
  CHECK(rows > 98);
  // Without rows each has another place.
  for (const Document& document : coverage(STRATA_SOURCE_DIR, {})) CHECK(document.by_id == 0);
}

TEST_CASE("a_sample_of_figures_is_what_the_program_answers") {
  const char* given = std::getenv("STRATA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  Answers answers = tree();
  const Checked checked = check(pages(), answers, Sample{seed, 4});
  WARN("figures: " << checked.report.substr(0, checked.report.find('\n')) << " (STRATA_SEED=" << seed
                   << " asks the same again)");
  INFO(checked.report);
  INFO("rewrite them: build/docs-figures, or --results for rows of validation");
  CHECK(told(checked.differences) == "");
}

TEST_CASE("a_figure_that_differs_from_the_program_is_found_in_any_place") {
  Answers answers = tree();
  const std::string text =
      "<!-- figures: console curve -->\n```console\n$ build/strata latency --gpu b580 --from 16KiB --to "
      "16KiB\n```\n<!-- end figures -->\n"
      "It is 0.0<!-- figure: curve /points/0/latency_ns --> ns.\n"
      "<!-- figures: table rows\n$ build/strata latency --gpu b580 --from 16KiB --to 16KiB\nrows: /points\n| a |\n| "
      "--- |\n| {latency_cycles .1} |\n-->\n<!-- end figures -->\n"
      "<!-- figures: validation -->\n<!-- end figures -->\n";
  const Page page = refreshed(read_page("docs/p.md", text), answers);
  CHECK(check({page}, answers, {}).differences.empty());
  std::size_t changed = 0;
  for (std::size_t line = 0; line < page.lines.size(); ++line) {
    const bool in_block = std::any_of(page.blocks.begin(), page.blocks.end(),
                                      [&](const Block& b) { return b.begin <= line && line < b.end; });
    const std::size_t digit = page.lines[line].find_first_of("0123456789");
    if (digit == std::string::npos || page.lines[line].starts_with("$ ") ||
        (!in_block && !page.lines[line].starts_with("It is")))
      continue;
    Page wrong = page;
    char& c = wrong.lines[line][digit];
    c = c == '9' ? '8' : static_cast<char>(c + 1);
    INFO(wrong.lines[line]);
    CHECK(check({read_page("docs/p.md", wrong.text())}, answers, {}).differences.size() == 1);
    ++changed;
  }
  CHECK(changed >= 5);
}

TEST_CASE("a_command_with_another_exit_status_than_stated_is_refused") {
  Answers answers = tree();
  const auto block = [](const std::string& command) {
    return read_page("p.md", "<!-- figures: console x -->\n```console\n$ " + command + "\n```\n<!-- end figures -->\n");
  };
  CHECK_THROWS(refreshed(block("build/strata list nothing"), answers));
  CHECK_NOTHROW(refreshed(block("build/strata list nothing  # exit 2"), answers));
  CHECK_THROWS(answers.document("build/strata validate --set a=b"));
  CHECK_THROWS(answers.document("build/strata validate --id no-such-row"));
  CHECK_THROWS(answers.document("build/strata list gpus | head"));
}
