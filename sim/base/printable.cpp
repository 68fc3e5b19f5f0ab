// SPDX-License-Identifier: Apache-2.0
#include "base/printable.hpp"

#include <algorithm>

namespace strata {

namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

void escape(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const unsigned byte = byte_at(bytes, i);
    out += "\\x";
    out += digits[byte >> 4U];
    out += digits[byte & 0xFU];
  }
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (at + length > text.size()) return 0;
  for (std::size_t next = 1; next < length; ++next) {
    const unsigned byte = byte_at(text, at + next);
    if (byte < low || byte > high) return 0;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

unsigned long utf8_value(std::string_view sequence) {
  unsigned long value = byte_at(sequence, 0);
  if (sequence.size() > 1) value &= 0x7FU >> sequence.size();
  for (std::size_t i = 1; i < sequence.size(); ++i) value = value << 6U | (byte_at(sequence, i) & 0x3FU);
  return value;
}

bool is_unprintable(std::string_view code_point) {
  const unsigned long c = utf8_value(code_point);
  const auto within = [c](unsigned long first, unsigned long last) { return c >= first && c <= last; };
  return c < 0x20 || within(0x7F, 0x9F) || c == 0x061C || within(0x200B, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2060, 0x2069) || c == 0xFEFF || within(0xFFF9, 0xFFFB) || (c & 0xFFFEU) == 0xFFFEU;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const std::string_view sequence = text.substr(at, std::max<std::size_t>(length, 1));
    if (sequence == "\n")
      out += "\\n";
    else if (sequence == "\t")
      out += "\\t";
    else if (length == 0 || is_unprintable(sequence))
      escape(out, sequence);
    else
      out += sequence;
    at += sequence.size();
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += printable(text.substr(at, end - at));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace strata
