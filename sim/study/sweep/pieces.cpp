// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/pieces.hpp"

#include <algorithm>
#include <utility>

#include "base/diagnostic.hpp"

namespace strata::study {

namespace {

/// Split at commas outside brackets and quotes.
std::vector<Piece> split(std::string_view text, std::size_t offset) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (i < text.size() && quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && (depth <= 0 || i == text.size())) {
      const std::string_view whole = text.substr(begin, i - begin);
      const std::size_t blanks = std::min(whole.find_first_not_of(' '), whole.size());
      pieces.push_back({trimmed(whole), offset + begin + blanks});
      begin = i + 1;
    }
  }
  return pieces;
}

/// `name=value`, as it follows the name of a kernel.
bool is_parameter(std::string_view text) {
  const std::size_t name = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return name != 0 && name != std::string_view::npos && text[name] == '=';
}

/// The same, each with the parameters that follow it.
std::vector<Piece> split_with_parameters(std::string_view text, std::size_t offset) {
  std::vector<Piece> pieces;
  for (const Piece& piece : split(text, offset)) {
    if (pieces.empty() || !is_parameter(piece.text))
      pieces.push_back(piece);
    else
      pieces.back().text =
          text.substr(pieces.back().offset - offset, piece.offset + piece.text.size() - pieces.back().offset);
  }
  return pieces;
}

}  // namespace

void refuse_variation(std::size_t offset, std::string message, std::string hint) {
  throw InputError(Diagnostic{"--vary", 1, offset + 1, std::move(message), std::move(hint)});
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<Piece> values_of(std::string_view argument, bool parameters) {
  const std::size_t begin = argument.find('=') + 1;
  return parameters ? split_with_parameters(argument.substr(begin), begin) : split(argument.substr(begin), begin);
}

}  // namespace strata::study
