// SPDX-License-Identifier: Apache-2.0
#include "figures/refresh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <boost/algorithm/string.hpp>

#include "base/diagnostic.hpp"
#include "figures/coverage.hpp"
#include "figures/value.hpp"

namespace strata::figures {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {
using Lines = std::vector<std::string>;

// Commands that are answered from a file are in a block of text, which no test runs.
void show(const std::vector<std::string>& commands, Lines& lines) {
  const bool quoted = std::all_of(commands.begin(), commands.end(), Answers::is_from_results);
  lines.push_back(quoted ? "```text" : "```console");
  for (const std::string& command : commands) lines.push_back("$ " + command);
  lines.push_back("```");
}

Lines console(const Page& page, const Block& block, Answers& answers) {
  Lines lines;
  for (std::size_t i = block.begin; i < block.end; ++i)
    if (page.lines[i].starts_with("```")) lines.push_back(page.lines[i]);
  if (lines.size() != 2) throw std::runtime_error("expected one fenced block");
  const std::string end = lines.back();
  lines.pop_back();
  for (const std::string& command : block.commands) {
    lines.push_back("$ " + command);
    const std::string printed = boost::algorithm::trim_right_copy(answers.printed(command));
    if (printed.empty()) continue;
    Lines output;
    boost::algorithm::split(output, printed, [](char c) { return c == '\n'; });
    for (std::string& line : output) lines.push_back(boost::algorithm::trim_right_copy(line));
  }
  lines.push_back(end);
  return lines;
}

// KEY=VALUE of an element.
bool holds(const json::value& row, const std::string& condition) {
  const std::size_t equals = condition.find('=');
  if (equals == std::string::npos) throw std::runtime_error(fmt::format("'{}': expected KEY=VALUE", condition));
  return written(value_at(row, condition.substr(0, equals)), {}) == condition.substr(equals + 1);
}

Lines table(const Block& block, Answers& answers) {
  Lines lines = block.heading;
  for (const std::string& command : block.commands) {
    const json::value& document = answers.document(command);
    if (block.rows.empty()) {
      lines.push_back(filled(block.pattern, document));
      continue;
    }
    std::vector<const json::value*> rows;
    for (const std::string& element : block.elements) rows.push_back(&value_at(document, block.rows + "/" + element));
    if (block.elements.empty())
      for (const json::value& row : value_at(document, block.rows).as_array()) rows.push_back(&row);
    for (const json::value* row : rows)
      if (std::all_of(block.where.begin(), block.where.end(),
                      [&](const std::string& condition) { return holds(*row, condition); }))
        lines.push_back(filled(block.pattern, *row));
  }
  lines.emplace_back();
  show(block.commands, lines);
  return lines;
}

Lines validation(Answers& answers) {
  const report::ValidationSummary summary = answers.results().summary(answers.expectations());
  Lines lines = {"| kind | rows | within tolerance | mean absolute error |", "| --- | ---: | ---: | ---: |"};
  for (std::size_t i = 0; i < report::all_kinds.size(); ++i) {
    const bool predicted = report::all_kinds[i] == report::Kind::predicted;
    lines.push_back(fmt::format("| `{}` | {} | {} | {} |", report::name(report::all_kinds[i]), summary.by_kind[i].rows,
                                summary.by_kind[i].passed,
                                predicted ? fmt::format("{:.1f} %", 100 * summary.predicted_mean_absolute_error) : ""));
  }
  if (const std::size_t missing = answers.expectations().size() - summary.all.rows; missing > 0)
    lines.push_back(fmt::format("| not asked yet | {} | | |", missing));
  lines.emplace_back();
  show({"build/strata validate"}, lines);
  return lines;
}

Lines expectations(const fs::path& root) {
  Lines lines = {"| file | rows | spec | fitted | predicted | ordering |",
                 "| --- | ---: | ---: | ---: | ---: | ---: |"};
  std::array<std::size_t, report::all_kinds.size()> all{};
  const auto row = [&](const std::string& name, const auto& counts) {
    std::size_t sum = 0;
    for (const std::size_t count : counts) sum += count;
    std::string line = fmt::format("| {} | {} |", name, sum);
    for (const std::size_t count : counts) line += count == 0 ? " |" : fmt::format(" {} |", count);
    lines.push_back(line);
  };
  for (const config::Source& source : tools::Library(root).expectations()) {
    std::array<std::size_t, report::all_kinds.size()> counts{};
    for (const study::Expectation& expectation : study::read_expectations(source)) {
      ++counts[static_cast<std::size_t>(expectation.kind)];
      ++all[static_cast<std::size_t>(expectation.kind)];
    }
    row(fmt::format("`{}`", fs::path(source.file).lexically_relative("validation").generic_string()), counts);
  }
  row("all", all);
  return lines;
}

Lines covered(const Answers& answers) {
  Lines lines = {
      "| document | ids | statements | with rows of that id | of another id | in tests of the execution model alone | "
      "not read |",
      "| --- | --- | ---: | ---: | ---: | ---: | ---: |"};
  Document all{"", "all"};
  const auto row = [&](const Document& of) {
    lines.push_back(fmt::format("| {} | {} | {} | {} | {} | {} | {} |", of.name,
                                of.prefix.empty() ? "" : fmt::format("`{}-`", of.prefix), of.statements, of.by_id,
                                of.by_other_id, of.in_tests, of.without));
  };
  for (const Document& document : coverage(answers.root(), answers.expectations())) {
    row(document);
    all.statements += document.statements;
    all.by_id += document.by_id;
    all.by_other_id += document.by_other_id;
    all.in_tests += document.in_tests;
    all.without += document.without;
  }
  row(all);
  return lines;
}

Lines written_lines(const Page& page, const Block& block, Answers& answers) {
  switch (block.kind) {
    case BlockKind::console:
      return console(page, block, answers);
    case BlockKind::table:
      return table(block, answers);
    case BlockKind::validation:
      return validation(answers);
    case BlockKind::expectations:
      return expectations(answers.root());
    case BlockKind::coverage:
      return covered(answers);
    case BlockKind::record:
      return {page.lines.begin() + static_cast<std::ptrdiff_t>(block.begin),
              page.lines.begin() + static_cast<std::ptrdiff_t>(block.end)};
    case BlockKind::file:
      for (const std::string& command : block.commands) answers.printed(command);
      return {page.lines.begin() + static_cast<std::ptrdiff_t>(block.begin),
              page.lines.begin() + static_cast<std::ptrdiff_t>(block.end)};
  }
  throw std::logic_error("a block without kind");
}

bool contains(const std::optional<std::vector<std::size_t>>& chosen, std::size_t number) {
  return !chosen || std::find(chosen->begin(), chosen->end(), number) != chosen->end();
}

template <class Work>
auto told_at(const Page& page, std::size_t line, const Work& work) {
  try {
    return work();
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(Diagnostic{page.name, line + 1, 1, error.what(), {}});
  }
}
}  // namespace

std::vector<std::string> page_names(const fs::path& root) {
  std::vector<std::string> names = {"README.md"};
  for (const char* folder : {"docs", "validation", "traces"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md") names.push_back(entry.path().lexically_relative(root).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::size_t> running_blocks(const Page& page) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    const bool runs = block.kind == BlockKind::table
                          ? !std::all_of(block.commands.begin(), block.commands.end(), Answers::is_from_results)
                          : block.kind < BlockKind::validation;
    if (runs) numbers.push_back(i);
  }
  return numbers;
}

Page refreshed(const Page& page, Answers& answers, const std::optional<std::vector<std::size_t>>& blocks) {
  Page out = page;
  // From the back, so that columns before stay where they are.
  for (std::size_t i = out.inlines.size(); i-- > 0;) {
    const Inline& figure = out.inlines[i];
    if (!contains(blocks, figure.block)) continue;
    std::string& line = out.lines[figure.line];
    const std::string number = line.substr(figure.begin, figure.end - figure.begin);
    line.replace(figure.begin, figure.end - figure.begin, told_at(page, figure.line, [&] {
                   const json::value& document = answers.document(page.blocks[figure.block].commands[figure.command]);
                   return written(value_at(document, figure.path), form_of(number, figure.unit));
                 }));
  }
  for (std::size_t i = page.blocks.size(); i-- > 0;) {
    const Block& block = page.blocks[i];
    if (!contains(blocks, i)) continue;
    const Lines lines = told_at(page, block.header, [&] { return written_lines(page, block, answers); });
    const auto begin = out.lines.begin() + static_cast<std::ptrdiff_t>(block.begin);
    out.lines.insert(out.lines.erase(begin, begin + static_cast<std::ptrdiff_t>(block.end - block.begin)),
                     lines.begin(), lines.end());
  }
  return read_page(page.name, out.text());
}

std::vector<Drawing> drawings(const Page& page, const Answers& answers,
                              const std::optional<std::vector<std::size_t>>& blocks) {
  std::vector<Drawing> all;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    if (block.kind != BlockKind::file || !contains(blocks, i)) continue;
    all.push_back({answers.root() / fs::path(page.name).parent_path() / block.name,
                   told_at(page, block.header, [&] { return answers.file(fs::path(block.name).filename().string()); }),
                   block.commands.front()});
  }
  return all;
}

std::vector<Difference> differences(const Page& is, const Page& should_be) {
  std::vector<Difference> all;
  // Blocks are in the same order on both, so the text between them has the same lines.
  const auto compare = [&](std::size_t from_is, std::size_t to_is, std::size_t from_be, std::size_t to_be,
                           const std::string& command) {
    for (std::size_t i = 0; i < std::max(to_is - from_is, to_be - from_be); ++i) {
      const std::string left = from_is + i < to_is ? is.lines[from_is + i] : "(no line)";
      const std::string right = from_be + i < to_be ? should_be.lines[from_be + i] : "(no line)";
      if (left != right) all.push_back({fmt::format("{}:{}", is.name, from_is + i + 1), left, right, command});
    }
  };
  std::size_t at_is = 0;
  std::size_t at_be = 0;
  for (std::size_t i = 0; i < is.blocks.size(); ++i) {
    const Block& left = is.blocks[i];
    const Block& right = should_be.blocks[i];
    compare(at_is, left.begin, at_be, right.begin, "");
    compare(left.begin, left.end, right.begin, right.end, left.commands.empty() ? "" : left.commands.front());
    at_is = left.end;
    at_be = right.end;
  }
  compare(at_is, is.lines.size(), at_be, should_be.lines.size(), "");
  return all;
}

}  // namespace strata::figures
