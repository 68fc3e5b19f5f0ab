// SPDX-License-Identifier: Apache-2.0
#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace strata::architecture {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Copies C++ text without comments and, if requested, without the inside of literals.
class Copier {
 public:
  Copier(std::string_view text, bool keep_literals) : text_(text), keep_literals_(keep_literals) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (starts("//")) {
        skip_until(text_.find('\n', at_));
      } else if (starts("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        skip_until(end == std::string_view::npos ? end : end + 2);
      } else if (starts("R\"") && !(at_ > 0 && is_word(text_[at_ - 1]))) {
        copy_raw_string();
      } else if (text_[at_] == '"' || (text_[at_] == '\'' && !is_digit_separator())) {
        copy_literal(text_[at_]);
      } else {
        out_ += text_[at_++];
      }
    }
    return out_;
  }

 private:
  bool starts(std::string_view word) const { return text_.substr(at_, word.size()) == word; }

  // 1'000'000, unlike 'x'.
  bool is_digit_separator() const { return at_ > 0 && is_word(text_[at_ - 1]); }

  void skip_until(std::size_t end) {
    end = std::min(end, text_.size());
    for (; at_ < end; ++at_) {
      if (text_[at_] == '\n') out_ += '\n';
    }
  }

  void copy_until(std::size_t end) {
    end = std::min(end, text_.size());
    if (!keep_literals_) return skip_until(end);
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void copy_literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    out_ += quote;
    ++at_;
    copy_until(end);
    if (at_ < text_.size() && text_[at_] == quote) out_ += text_[at_++];
  }

  void copy_raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return skip_until(open);
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const std::size_t end = text_.find(close, open);
    out_ += '"';
    at_ = open + 1;
    copy_until(end);
    skip_until(end == std::string_view::npos ? end : end + close.size());
    out_ += '"';
  }

  std::string_view text_;
  bool keep_literals_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string without_comments(std::string_view text) { return Copier(text, true).run(); }

std::string without_comments_and_literals(std::string_view text) { return Copier(text, false).run(); }

std::size_t line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

std::vector<Include> includes_of(const SourceFile& file) {
  const std::string text = without_comments(file.text);
  std::vector<Include> found;
  for (std::size_t hash = text.find('#'); hash != std::string::npos; hash = text.find('#', hash + 1)) {
    std::size_t at = text.find_first_not_of(" \t", hash + 1);
    if (at == std::string::npos || text.compare(at, 7, "include") != 0) continue;
    at = text.find_first_not_of(" \t", at + 7);
    if (at == std::string::npos || (text[at] != '"' && text[at] != '<')) continue;
    const bool quoted = text[at] == '"';
    const std::size_t end = text.find(quoted ? '"' : '>', at + 1);
    if (end == std::string::npos) continue;
    found.push_back({text.substr(at + 1, end - at - 1), quoted, line_at(text, hash)});
  }
  return found;
}

std::string module_of(std::string_view path) {
  constexpr std::string_view root = "sim/";
  if (path.substr(0, root.size()) != root) return {};
  const std::string_view rest = path.substr(root.size());
  return std::string(rest.substr(0, rest.find('/')));
}

std::vector<SourceFile> files_below(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root = STRATA_SOURCE_DIR;
  if (!fs::is_directory(root / folder)) throw std::runtime_error("there is no folder " + folder);
  std::vector<SourceFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.push_back(
        {fs::relative(entry.path(), root).generic_string(), std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<SourceFile> sources_below(const std::string& folder) {
  std::vector<SourceFile> files = files_below(folder);
  std::erase_if(files,
                [](const SourceFile& file) { return !file.path.ends_with(".cpp") && !file.path.ends_with(".hpp"); });
  return files;
}

std::string joined(const Breaches& breaches) {
  std::string text;
  for (const std::string& breach : breaches) text += "\n" + breach;
  return text;
}

}  // namespace strata::architecture
