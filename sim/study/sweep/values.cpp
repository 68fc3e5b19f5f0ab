// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "study/sweep/pieces.hpp"

namespace strata::study {

namespace {

using config::NumberKind;

std::string shown(double value, const NumberKind& kind, std::size_t offset) {
  std::optional<std::string> text = value_text(value, kind);
  if (!text) refuse_variation(offset, "leads to a number that is too large");
  return *std::move(text);
}

/// Reads the values of --vary after the '='.
class Reader {
 public:
  Reader(Variation& variation, const Present& present) : variation_(variation), present_(present) {}

  void piece(const Piece& piece) {
    if (piece.text.empty())
      refuse_variation(piece.offset, fmt::format("'{}' has an empty value", variation_.path), "write PATH=a,b,c");
    const char first = piece.text.front();
    const bool factor = first == '*';
    const bool by_number = factor || first == '-' || (first >= '0' && first <= '9');
    const std::size_t dots = by_number ? piece.text.find("..") : std::string_view::npos;
    if (present_.number_by_look && variation_.kind == nullptr && !factor)
      variation_.kind = kind_by_look(dots == std::string_view::npos ? piece.text : trimmed(piece.text.substr(0, dots)));
    if (dots != std::string_view::npos) return range(piece, dots, factor);
    if (factor) return scaled(real(piece.text.substr(1), piece.offset + 1, config::ratio_kind, "the factor"), piece);
    add(std::string(piece.text), piece);
  }

 private:
  double real(std::string_view text, std::size_t offset, const NumberKind& kind, std::string_view what) const {
    const config::Reading<double> reading = read_as(trimmed(text), kind);
    if (!reading.error.empty()) refuse_variation(offset, fmt::format("{} {}", what, reading.error));
    return reading.value;
  }

  const NumberKind& numbers(const Piece& piece, std::string_view what) const {
    if (variation_.kind == nullptr)
      refuse_variation(piece.offset, fmt::format("'{}' is no number and has no {}", variation_.path, what),
                       "list its values: PATH=a,b,c");
    return *variation_.kind;
  }

  void range(const Piece& piece, std::size_t dots, bool factors) {
    const NumberKind& kind = factors ? config::ratio_kind : numbers(piece, "range");
    const std::string_view whole = piece.text;
    const std::size_t colon = whole.find(':', dots);
    if (colon == std::string_view::npos || colon + 1 == whole.size())
      refuse_variation(piece.offset, fmt::format("'{}' has no step", whole), "write lo..hi:x2 or lo..hi:+1");
    const std::string_view first = whole.substr(factors ? 1 : 0, dots - (factors ? 1 : 0));
    std::string_view last = trimmed(whole.substr(dots + 2, colon - dots - 2));
    if (factors && last.starts_with('*')) last.remove_prefix(1);
    const std::string named = factors ? "the factor" : fmt::format("'{}'", variation_.path);
    const double low = real(first, piece.offset, kind, named);
    const double high = real(last, piece.offset + dots + 2, kind, named);
    const std::string_view step = whole.substr(colon + 1);
    const std::size_t at = piece.offset + colon + 1;
    if (high < low)
      refuse_variation(piece.offset, fmt::format("'{}' ends below its beginning", whole),
                       "write the smaller end first");
    if (step.front() == 'x') {
      const double by = real(step.substr(1), at + 1, config::real_kind, "the factor");
      if (!(by > 1))
        refuse_variation(at, fmt::format("a step of 'x{}' is not allowed", step.substr(1)),
                         "a factor is greater than 1");
      if (!(low > 0)) refuse_variation(piece.offset, "a range by factors begins above 0", "step by +S");
      const double steps = std::log(high / low) / std::log(by);
      if (!(steps < static_cast<double>(most_sweep_points))) too_many(steps + 1);
      // A small margin, so that rounding cannot lose the last value.
      for (double value = low; value <= high * (1 + 1e-9); value *= by) take(value, factors, piece);
    } else if (step.front() == '+') {
      const double by = real(step.substr(1), at + 1, kind, named);
      if (!(by > 0))
        refuse_variation(at, fmt::format("a step of '+{}' is not allowed", step.substr(1)), "a step is greater than 0");
      const double steps = std::floor((high - low) / by + 1e-6);
      if (!(steps < static_cast<double>(most_sweep_points))) too_many(steps + 1);
      for (double i = 0; i <= steps; ++i) take(low + i * by, factors, piece);
    } else {
      refuse_variation(at, fmt::format("'{}' is not a step", step), "write lo..hi:x2 or lo..hi:+1");
    }
  }

  void take(double value, bool factor, const Piece& piece) {
    if (factor) return scaled(value, piece, true);
    computed(value, piece, true);
  }

  void scaled(double factor, const Piece& piece, bool of_a_range = false) {
    const NumberKind* kind = variation_.kind;
    if (kind == nullptr && present_.number_by_look) kind = variation_.kind = kind_by_look(present_.value);
    numbers(piece, "factor");
    variation_.scaled = true;
    if (present_.of_each) return keep(factor, piece, of_a_range);
    const double present = number_of(present_.value, variation_.kind);
    if (std::isnan(present))
      refuse_variation(piece.offset, fmt::format("'{}' has no value to multiply", variation_.path),
                       "give the values themselves");
    computed(present * factor, piece, of_a_range);
  }

  void keep(double factor, const Piece& piece, bool of_a_range) {
    std::string text = fmt::format("*{:.12g}", factor);
    if (of_a_range && !variation_.values.empty() && variation_.values.back().text == text) return;
    add(std::move(text), piece);
    variation_.values.back().number = factor;
    variation_.values.back().factor = factor;
  }

  /// Neighbours that round to the same whole number are one value.
  void computed(double value, const Piece& piece, bool of_a_range) {
    std::string text = shown(value, *variation_.kind, piece.offset);
    if (of_a_range && !variation_.values.empty() && variation_.values.back().text == text) return;
    add(std::move(text), piece);
  }

  void add(std::string text, const Piece& piece) {
    if (variation_.values.size() == most_sweep_points) too_many(std::nullopt);
    const double number = number_of(text, variation_.kind);
    variation_.values.push_back({std::move(text), number, {}});
    offsets_.push_back(piece.offset);
  }

  [[noreturn]] void too_many(std::optional<double> count) const {
    refuse_variation(0,
                     fmt::format("'{}' takes {} values; a sweep has at most {} points", variation_.path,
                                 count ? fmt::format("{:.0f}", *count) : "too many", most_sweep_points),
                     "take larger steps");
  }

 public:
  /// Factors are shown as numbers only if all values are factors.
  void finish() {
    const auto is_factor = [](const VariedValue& value) { return value.factor.has_value(); };
    variation_.factors = std::all_of(variation_.values.begin(), variation_.values.end(), is_factor);
    if (!variation_.factors && std::any_of(variation_.values.begin(), variation_.values.end(), is_factor))
      for (VariedValue& value : variation_.values) value.number = std::numeric_limits<double>::quiet_NaN();
    refuse_doubles();
  }

 private:
  void refuse_doubles() const {
    const std::vector<VariedValue>& values = variation_.values;
    const auto before = [&](std::size_t a, std::size_t b) {
      const bool numbers = !std::isnan(values[a].number) && !std::isnan(values[b].number);
      if (numbers && values[a].number != values[b].number) return values[a].number < values[b].number;
      // Numbers too large to be exact may differ only in their text.
      if (numbers && values[a].number < most_exact) return false;
      if (std::isnan(values[a].number) != std::isnan(values[b].number)) return std::isnan(values[b].number);
      return values[a].text < values[b].text;
    };
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), before);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (before(order[i - 1], order[i])) continue;
      refuse_variation(offsets_[order[i]],
                       fmt::format("'{}' takes the value {} twice", variation_.path, values[order[i]].text));
    }
  }

  Variation& variation_;
  const Present& present_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

std::string varied_path(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos)
    refuse_variation(0, fmt::format("'{}' has no '='", argument), "write PATH=a,b,c or PATH=lo..hi:x2");
  return std::string(trimmed(argument.substr(0, equals)));
}

std::vector<std::string> written_values(std::string_view argument, bool parameters) {
  std::vector<std::string> texts;
  for (const Piece& piece : values_of(argument, parameters)) texts.emplace_back(piece.text);
  return texts;
}

Variation read_variation(std::string_view argument, const Present& present) {
  Variation variation;
  variation.path = varied_path(argument);
  variation.kind = present.kind;
  const std::size_t begin = argument.find('=') + 1;
  if (trimmed(argument.substr(begin)).empty())
    refuse_variation(begin, fmt::format("'{}' names no value", variation.path), "write PATH=a,b,c or PATH=lo..hi:x2");
  Reader reading(variation, present);
  for (const Piece& piece : values_of(argument, present.parameters)) reading.piece(piece);
  reading.finish();
  return variation;
}

}  // namespace strata::study
