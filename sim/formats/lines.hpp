// SPDX-License-Identifier: Apache-2.0
// Text line by line, and a line word by word, with the place of each for
// messages. A line longer than the bound is an error, so that no input makes
// the reader hold more than that.
#pragma once
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "formats/bytes.hpp"

namespace strata::formats {

class Lines {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 18U;
  explicit Lines(TextSource& source) : source_(source), buffer_(std::size_t{1} << 16U) {}

  /// False at the end. The text stays until the next call.
  bool next(std::string_view& line);
  /// Counted from 1.
  std::size_t number() const { return number_; }
  /// Whether the last line had a line end; one without it may be truncated.
  bool ended() const { return ended_; }
  /// For what a program writes: its last line ends.
  void need_end_of_line() const {
    if (!ended_) fail("the last line has no line end: the file is truncated");
  }
  /// column from 1; 0: the line as a whole.
  [[noreturn]] void fail(const std::string& message, std::size_t column = 0) const {
    throw InputError(Diagnostic{source_.name(), number_, column, message, {}});
  }

 private:
  TextSource& source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::string line_;
  std::size_t number_ = 0;
  bool ended_ = true;
};

/// The words of one line.
class Words {
 public:
  Words(const Lines& lines, std::string_view line, std::string_view separators = " \t")
      : lines_(lines), line_(line), separators_(separators) {}

  /// The next word; empty: there is none.
  std::string_view next() {
    at_ = line_.find_first_not_of(separators_, at_);
    if (at_ == std::string_view::npos) at_ = line_.size();
    begin_ = at_;
    at_ = std::min(line_.find_first_of(separators_, at_), line_.size());
    return line_.substr(begin_, at_ - begin_);
  }
  std::string_view need(const char* what) {
    const std::string_view word = next();
    if (word.empty()) fail(std::string("the line ends where ") + what + " should stand");
    return word;
  }
  /// The whole of the word as a number up to `most`; base 16 takes `0x` in front.
  std::uint64_t number(std::string_view word, const char* what, std::uint64_t most = ~std::uint64_t{0},
                       int base = 10) const;
  std::uint64_t number(const char* what, std::uint64_t most = ~std::uint64_t{0}, int base = 10) {
    return number(need(what), what, most, base);
  }
  std::int64_t signed_number(std::string_view word, const char* what) const;
  std::string_view rest() const { return line_.substr(at_); }
  /// So many bytes of the rest have been read otherwise.
  void skip(std::size_t bytes) { at_ = std::min(at_ + bytes, line_.size()); }
  [[noreturn]] void fail(const std::string& message) const { lines_.fail(message, begin_ + 1); }

 private:
  const Lines& lines_;
  std::string_view line_;
  std::string_view separators_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

}  // namespace strata::formats
