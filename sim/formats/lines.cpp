// SPDX-License-Identifier: Apache-2.0
#include "formats/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::formats {

bool Lines::next(std::string_view& line) {
  line_.clear();
  bool any = false;
  for (;;) {
    if (at_ == end_) {
      at_ = 0;
      end_ = source_.read(buffer_);
      if (end_ == 0) break;
    }
    if (!any) ++number_;
    any = true;
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto stop = std::find(begin, buffer_.begin() + static_cast<std::ptrdiff_t>(end_), '\n');
    const auto length = static_cast<std::size_t>(stop - begin);
    if (line_.size() + length > longest) fail(fmt::format("a line of more than {} bytes", longest));
    line_.append(&*begin, length);
    at_ += length;
    ended_ = at_ != end_;
    if (!ended_) continue;
    ++at_;
    break;
  }
  if (!any) return false;
  if (line_.ends_with('\r')) line_.pop_back();
  line = line_;
  return true;
}

std::uint64_t Words::number(std::string_view word, const char* what, std::uint64_t most, int base) const {
  std::string_view digits = word;
  if (base == 16 && (digits.starts_with("0x") || digits.starts_with("0X"))) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail(fmt::format("'{}' is not {}", word.substr(0, 64), what));
  if (value > most) fail(fmt::format("{} is {}, more than {}", what, value, most));
  return value;
}

std::int64_t Words::signed_number(std::string_view word, const char* what) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    fail(fmt::format("'{}' is not {}", word.substr(0, 64), what));
  return value;
}

}  // namespace strata::formats
