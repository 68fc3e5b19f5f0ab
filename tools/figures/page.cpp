// SPDX-License-Identifier: Apache-2.0
#include "figures/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <regex>
#include <boost/algorithm/string.hpp>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"

namespace strata::figures {

namespace {
constexpr std::string_view opening = "<!-- figures:";
constexpr std::string_view closing = "<!-- end figures -->";
const std::vector<std::string> kinds = {"console", "table", "file", "validation", "expectations", "coverage", "record"};

class Reader {
 public:
  Reader(std::string name, std::string_view text) {
    page_.name = std::move(name);
    boost::algorithm::split(page_.lines, text, [](char c) { return c == '\n'; });
  }

  Page read() {
    bool fenced = false;
    for (; at_ < page_.lines.size(); ++at_) {
      const std::string& line = page_.lines[at_];
      if (boost::algorithm::trim_left_copy(line).starts_with("```")) fenced = !fenced;
      if (fenced) continue;
      if (line.starts_with(opening)) {
        read_block();
      } else if (line.starts_with(closing)) {
        fail("this block has no beginning; expected '<!-- figures: KIND NAME -->' before it");
      } else {
        read_inlines();
      }
    }
    for (const Pending& pending : pending_) resolve(pending);
    return std::move(page_);
  }

 private:
  struct Pending {
    Inline figure;
    std::string name;
  };

  [[noreturn]] void fail(std::string what, std::string hint = {}) const {
    fail_at(at_, std::move(what), std::move(hint));
  }
  [[noreturn]] void fail_at(std::size_t line, std::string what, std::string hint = {}) const {
    throw InputError(Diagnostic{page_.name, line + 1, 1, std::move(what), std::move(hint)});
  }

  void read_block() {
    Block block;
    block.header = at_;
    std::string words = page_.lines[at_].substr(opening.size());
    const bool one_line = words.ends_with("-->");
    if (one_line) words.resize(words.size() - 3);
    boost::algorithm::trim(words);
    const std::string kind = words.substr(0, words.find(' '));
    block.name = boost::algorithm::trim_copy(words.substr(kind.size()));
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
      fail(fmt::format("no kind of block '{}'; there are {}", kind, fmt::join(kinds, ", ")),
           did_you_mean(nearest_name(kind, kinds)));
    block.kind = static_cast<BlockKind>(found - kinds.begin());
    if (!one_line) read_header(block);
    block.begin = ++at_;
    while (at_ < page_.lines.size() && page_.lines[at_] != closing) {
      if (page_.lines[at_].starts_with(opening))
        fail("a block within a block; expected '<!-- end figures -->' before it");
      ++at_;
    }
    if (at_ == page_.lines.size())
      fail_at(block.header, "this block has no end; expected a line '<!-- end figures -->'");
    block.end = at_;
    if (block.kind == BlockKind::console || block.kind == BlockKind::file) take_commands(block);
    if (block.kind == BlockKind::record && block.name.empty())
      fail_at(block.header, "a record has a date; expected '<!-- figures: record 2026-11-22 -->'");
    if (block.commands.empty() && block.kind < BlockKind::validation)
      fail_at(block.header, "this block has no command; expected a line '$ build/strata ...'");
    if (block.kind == BlockKind::table && (block.heading.size() != 2 || block.pattern.empty()))
      fail_at(block.header,
              "a table has three lines that begin with '|': headings, alignment and the pattern of a row");
    page_.blocks.push_back(std::move(block));
  }

  // The lines of a table's comment.
  void read_header(Block& block) {
    for (++at_; at_ < page_.lines.size() && page_.lines[at_] != "-->"; ++at_) {
      const std::string& line = page_.lines[at_];
      if (line.starts_with("$ ")) {
        block.commands.push_back(line.substr(2));
      } else if (line.starts_with("rows: ")) {
        block.rows = line.substr(6);
      } else if (line.starts_with("elements: ")) {
        boost::algorithm::split(block.elements, line.substr(10), boost::algorithm::is_space(),
                                boost::algorithm::token_compress_on);
      } else if (line.starts_with("where: ")) {
        block.where.push_back(line.substr(7));
      } else if (line.starts_with('|')) {
        if (block.heading.size() < 2)
          block.heading.push_back(line);
        else if (block.pattern.empty())
          block.pattern = line;
        else
          fail("a second pattern; a table has one");
      } else {
        fail(
            fmt::format("'{}' is not a part of a table; expected '$ COMMAND', 'rows: PATH', 'elements: ...', 'where: "
                        "KEY=VALUE' or '| ... |'",
                        line));
      }
    }
    if (at_ == page_.lines.size()) fail_at(block.header, "this comment has no end; expected a line '-->'");
  }

  void take_commands(Block& block) const {
    for (std::size_t i = block.begin; i < block.end; ++i)
      if (page_.lines[i].starts_with("$ ")) block.commands.push_back(page_.lines[i].substr(2));
  }

  void read_inlines() {
    static const std::regex mark(R"(([+-]?[0-9][0-9,]*(\.[0-9]+)?)<!-- figure: (\S+) (\S+)( (\S+))? -->)");
    const std::string& line = page_.lines[at_];
    std::size_t marks = 0;
    for (std::sregex_iterator it(line.begin(), line.end(), mark), none; it != none; ++it, ++marks) {
      Inline figure;
      figure.line = at_;
      figure.begin = static_cast<std::size_t>(it->position(1));
      figure.end = figure.begin + static_cast<std::size_t>(it->length(1));
      figure.path = (*it)[4];
      figure.unit = (*it)[6];
      pending_.push_back({figure, (*it)[3]});
    }
    std::size_t written = 0;
    for (std::size_t at = line.find("<!-- figure:"); at != std::string::npos; at = line.find("<!-- figure:", at + 1))
      ++written;
    if (written != marks)
      fail("expected 'NUMBER<!-- figure: NAME PATH -->' or 'NUMBER<!-- figure: NAME PATH UNIT -->' on one line");
  }

  void resolve(Pending pending) {
    std::string name = pending.name;
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) {
      std::size_t number = 0;
      const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), number);
      if (error == std::errc{} && end == name.data() + name.size() && number > 0) {
        pending.figure.command = number - 1;
        name.resize(dot);
      }
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < page_.blocks.size(); ++i) {
      names.push_back(page_.blocks[i].name);
      if (page_.blocks[i].name != name || pending.figure.command >= page_.blocks[i].commands.size()) continue;
      pending.figure.block = i;
      page_.inlines.push_back(pending.figure);
      return;
    }
    fail_at(pending.figure.line, fmt::format("no block of this page has the command '{}'", pending.name),
            did_you_mean(nearest_name(name, names)));
  }

  Page page_;
  std::vector<Pending> pending_;
  std::size_t at_ = 0;
};
}  // namespace

std::string Page::text() const { return boost::algorithm::join(lines, "\n"); }

Page read_page(std::string name, std::string_view text) { return Reader(std::move(name), text).read(); }

}  // namespace strata::figures
