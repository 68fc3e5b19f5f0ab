// SPDX-License-Identifier: Apache-2.0
#include "config/yaml/text_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::config {

namespace {

/// Bytes of the UTF-8 character that opens `text`; 0 where it is not one (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

}  // namespace

void check_text(std::string_view text, const Position& start, std::size_t most_bytes,
                std::vector<Diagnostic>& diagnostics) {
  if (text.size() > most_bytes) {
    Position whole = start;
    whole.line = whole.column = 0;
    diagnostics.push_back(whole.diagnostic(
        fmt::format("{} bytes are more than a configuration may have ({} bytes)", text.size(), most_bytes)));
    return;
  }
  Position where = start;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i, 4));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      diagnostics.push_back(where.diagnostic("the text is not UTF-8"));
      return;
    }
    if (byte == 0) {
      diagnostics.push_back(where.diagnostic("a NUL byte", "is this a text file?"));
      return;
    }
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      diagnostics.push_back(where.diagnostic(fmt::format("a control character (0x{:02x})", byte)));
      return;
    }
    if (byte == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
      diagnostics.push_back(
          where.diagnostic("a carriage return that is not part of a line end", "end lines with a line feed"));
      return;
    }
    i += length;
    ++where.column;
    if (byte == '\n') {
      ++where.line;
      where.column = 1;
    }
  }
}

void check_directives(std::string_view text, const Position& start, std::vector<Diagnostic>& diagnostics) {
  constexpr std::string_view blanks = " \t\r";
  constexpr std::string_view version = "%YAML 1.";
  Position where = start;
  bool before_document = true;
  for (; !text.empty(); ++where.line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find_last_not_of(blanks) + 1);
    const std::size_t first = line.find_first_not_of(blanks);
    if (line == "...") {
      before_document = true;
    } else if (first == std::string_view::npos || line[first] == '#') {
      continue;
    } else if (before_document && line[0] == '%') {
      const std::string_view minor = line.substr(std::min(version.size(), line.size()));
      if (line.starts_with(version) && minor.size() == 1 && minor[0] >= '0' && minor[0] <= '9') continue;
      const std::string_view name = line.substr(0, line.find_first_of(" \t"));
      diagnostics.push_back(
          where.diagnostic(fmt::format("'{}' is a YAML directive, of which only '%YAML 1.x' is read", name),
                           "remove the line; a comment begins with '#'"));
      return;
    } else {
      before_document = false;
    }
  }
}

bool quote_is_closed(std::string_view text) {
  if (text.empty() || (text.front() != '\'' && text.front() != '"')) return true;
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    starts_.push_back(end + 1);
  }
}

std::string_view LineIndex::from(std::size_t line, std::size_t byte) const {
  if (line >= starts_.size()) return {};
  return text_.substr(std::min(starts_[line] + byte, text_.size()));
}

std::size_t LineIndex::characters(std::size_t line, std::size_t first, std::size_t last) const {
  const std::string_view part = from(line, first).substr(0, last - first);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::count_if(part.begin(), part.end(), begins));
}

}  // namespace strata::config
