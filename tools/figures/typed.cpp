// SPDX-License-Identifier: Apache-2.0
#include "figures/typed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <utility>
#include <boost/algorithm/string.hpp>

#include "base/diagnostic.hpp"
#include "figures/results.hpp"
#include "files/files.hpp"

namespace strata::figures {

namespace {
// Written whole by `strata list` and by the tool of the mutation score; tests compare them.
constexpr std::array<std::string_view, 3> printed_pages = {"docs/reference/settings.md", "docs/reference/kernels.md",
                                                           "docs/design/mutation-score.md"};

struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Found> figures_of(const std::string& line, bool is_guide) {
  static const std::regex with_unit(
      R"([0-9](?:[0-9.,]*[0-9])? ?(?:%|(?:[TGM]?B/s|B/clk|TFLOP/s|FLOP/B|MLUP/s|cycles|cycle|clk|clocks|ps|ns|us|ms|seconds|minutes|hours)\b))");
  static const std::regex cell(R"(\|\s*[`*]*[+-]?[0-9][0-9., ]*[`*]*\s*(?=\|))");
  static const std::regex decimal(R"((?:^|[ (])[0-9]+\.[0-9]+(?=[ ,.;:)]|$))");
  std::vector<Found> all;
  // Smaller numbers may be counts in a sentence; a size is chosen by a reader. Pages of reference have limits and
  // names of this form.
  static const std::regex large(R"((?:^|[ (])[0-9]{3,}(?=[ ,.;:)]|$)(?! ?(?:[KMGT]i?)?B\b)(?! bytes))");
  for (const std::regex* kind : {&with_unit, &cell, &decimal, &large}) {
    if (kind == &large && !is_guide) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), *kind), none; it != none; ++it) {
      const Found found{static_cast<std::size_t>(it->position()),
                        static_cast<std::size_t>(it->position() + it->length())};
      // A cell with a unit is counted once.
      if (std::none_of(all.begin(), all.end(),
                       [&](const Found& other) { return other.begin < found.end && found.begin < other.end; }))
        all.push_back(found);
    }
  }
  return all;
}

// Comments and figures that have a mark become blanks, so that columns stay.
std::string without_marks(std::string line) {
  static const std::regex marked(R"(([+-]?[0-9][0-9,]*(\.[0-9]+)?)?<!--.*?-->)");
  for (std::smatch match; std::regex_search(line, match, marked);) {
    const auto at = static_cast<std::size_t>(match.position());
    const auto length = static_cast<std::size_t>(match.length());
    // The unit of a marked figure is no figure without its number.
    line.replace(at, length, length, '~');
  }
  return line;
}

bool covers(const Allowed& allowed, const std::string& line, const Found& figure) {
  for (std::size_t at = line.find(allowed.text); at != std::string::npos; at = line.find(allowed.text, at + 1))
    if (at <= figure.begin && figure.end <= at + allowed.text.size()) return true;
  return false;
}
}  // namespace

std::vector<Allowed> read_allowed(const std::string& name, std::string_view csv) {
  std::vector<Allowed> all;
  const std::vector<std::vector<std::string>> lines = csv_fields(csv);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != 3 || lines[i][1].empty() || lines[i][2].empty())
      throw InputError(Diagnostic{name, i + 1, 1, "expected page,text,reason", "quote a text that has a comma"});
    all.push_back({lines[i][0], lines[i][1], lines[i][2]});
  }
  return all;
}

std::vector<std::string> typed_figures(const Page& page, const std::vector<Allowed>& allowed) {
  std::vector<std::string> all;
  if (std::find(printed_pages.begin(), printed_pages.end(), page.name) != printed_pages.end()) return all;
  const bool is_guide = page.name == "README.md" || page.name.starts_with("docs/guide/");
  bool fenced = false;
  bool output = false;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const auto block = std::find_if(page.blocks.begin(), page.blocks.end(),
                                    [&](const Block& b) { return b.header <= i && i <= b.end; });
    if (block != page.blocks.end()) continue;
    const std::string line = boost::algorithm::trim_left_copy(page.lines[i]);
    if (line.starts_with("```")) {
      fenced = !fenced;
      output = line == "```console" || line == "```text";
      continue;
    }
    // Code, configurations and commands contain chosen values; the output of a program does
    // not.
    if (fenced && (!output || line.starts_with("$ ") || line.starts_with("build/"))) continue;
    std::string text = without_marks(page.lines[i]);
    // A unit may be on the next line.
    if (!text.empty() && text.back() >= '0' && text.back() <= '9' && i + 1 < page.lines.size())
      text += " " + page.lines[i + 1].substr(0, page.lines[i + 1].find(' '));
    for (const Found& figure : figures_of(text, is_guide)) {
      const bool known = std::any_of(allowed.begin(), allowed.end(), [&](const Allowed& words) {
        return words.page == page.name && covers(words, page.lines[i], figure);
      });
      if (!known)
        all.push_back(fmt::format("{}:{}: typed figure '{}'", page.name, i + 1,
                                  boost::algorithm::trim_copy(text.substr(figure.begin, figure.end - figure.begin))));
    }
  }
  return all;
}

std::vector<std::string> typed_figures(const std::vector<Page>& pages, const std::filesystem::path& root) {
  const std::string name = "docs/typed-figures.csv";
  const std::vector<Allowed> allowed = read_allowed(name, tools::read_file(root / name));
  std::vector<std::string> all;
  for (const Page& page : pages)
    for (std::string& typed : typed_figures(page, allowed)) all.push_back(std::move(typed));
  for (const Allowed& words : allowed) {
    const auto page = std::find_if(pages.begin(), pages.end(), [&](const Page& p) { return p.name == words.page; });
    if (page != pages.end() && page->text().find(words.text) == std::string::npos)
      all.push_back(fmt::format("{}: '{}' is not in {} any more", name, words.text, words.page));
  }
  return all;
}

}  // namespace strata::figures
