// SPDX-License-Identifier: Apache-2.0
#include "figures/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "files/files.hpp"

namespace strata::figures {

namespace {
// The first `count` of the items in an order that the seed gives.
template <class Item>
void draw(std::vector<Item>& items, const Sample& sample) {
  RandomSequence random(sample.seed);
  for (std::size_t i = 0; i < std::min(sample.count, items.size()); ++i)
    std::swap(items[i], items[i + random.below(items.size() - i)]);
  items.resize(std::min(sample.count, items.size()));
}

// A row of validation/results.csv against the current output of validate.
void check_row(const study::Expectation& expectation, Answers& answers, Checked& checked) {
  const std::string command = fmt::format("build/strata validate --id {} --csv -", expectation.id);
  checked.report += fmt::format("asked: {}\n", command);
  const Printed printed = answers.run(command);
  const Results now(command, printed.out);
  const std::string* is = answers.results().line(expectation.id);
  const std::string* should_be = now.line(expectation.id);
  const std::string place = "validation/results.csv";
  if (should_be == nullptr)
    checked.differences.push_back({place, is == nullptr ? "(no row)" : *is, "(no answer) " + printed.err, command});
  else if (is == nullptr || *is != *should_be)
    checked.differences.push_back({place, is == nullptr ? "(no row)" : *is, *should_be, command});
}
}  // namespace

Checked check(const std::vector<Page>& pages, Answers& answers, const std::optional<Sample>& sample) {
  Checked checked;
  std::vector<std::pair<std::size_t, std::size_t>> running;
  for (std::size_t i = 0; i < pages.size(); ++i)
    for (const std::size_t block : running_blocks(pages[i])) running.emplace_back(i, block);
  std::vector<const study::Expectation*> rows;
  if (sample) {
    checked.report += fmt::format("seed {}\n", sample->seed);
    draw(running, *sample);
    for (const study::Expectation& expectation : answers.expectations())
      if (!expectation.is_long()) rows.push_back(&expectation);
    draw(rows, *sample);
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    std::vector<std::size_t> blocks;
    const std::vector<std::size_t> run = running_blocks(pages[i]);
    for (std::size_t block = 0; block < pages[i].blocks.size(); ++block) {
      const bool runs = std::find(run.begin(), run.end(), block) != run.end();
      const bool drawn = std::find(running.begin(), running.end(), std::pair(i, block)) != running.end();
      if (runs && !drawn) continue;
      blocks.push_back(block);
      if (runs)
        for (const std::string& command : pages[i].blocks[block].commands)
          checked.report +=
              fmt::format("asked: {}:{}: {}\n", pages[i].name, pages[i].blocks[block].header + 1, command);
    }
    const Page anew = refreshed(pages[i], answers, blocks);
    for (Difference& difference : differences(pages[i], anew)) checked.differences.push_back(std::move(difference));
    for (const Drawing& drawing : drawings(pages[i], answers, blocks))
      if (!std::filesystem::exists(drawing.file) || tools::read_file(drawing.file) != drawing.text)
        checked.differences.push_back(
            {drawing.file.string(), "another drawing", "what the command draws", drawing.command});
  }
  for (const study::Expectation* row : rows) check_row(*row, answers, checked);
  return checked;
}

}  // namespace strata::figures
