// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.hpp"

#include <utility>

#include "base/printable.hpp"

namespace strata {

namespace {
std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!all.empty()) all += '\n';
    all += diagnostic.text();
  }
  return all;
}

/// A longer message mostly quotes its input.
constexpr std::size_t longest_shown = 400;

/// One printable line; long texts are cut between characters.
std::string shown(std::string_view text) {
  if (text.size() <= longest_shown) return printable(text);
  std::size_t end = longest_shown;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return printable(text.substr(0, end)) + (end < text.size() ? "..." : "");
}
}  // namespace

std::string Diagnostic::text() const {
  std::string out = shown(file);
  if (line != 0) {
    out += ':' + std::to_string(line);
    if (column != 0) out += ':' + std::to_string(column);
  }
  if (!out.empty()) out += ": ";
  out += shown(message);
  if (!hint.empty()) out += " (" + shown(hint) + ')';
  return out;
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : "did you mean '" + std::string(name) + "'?";
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(Diagnostic diagnostic) : InputError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

void throw_if_any(std::vector<Diagnostic> diagnostics) {
  if (!diagnostics.empty()) throw InputError(std::move(diagnostics));
}

}  // namespace strata
