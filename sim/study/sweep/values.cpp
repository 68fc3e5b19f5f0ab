// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/diagnostic.hpp"
#include "config/schema/path.hpp"

namespace strata::study {

namespace {

using config::NumberKind;

constexpr std::array kinds{&config::count_kind,     &config::integer_kind,   &config::real_kind, &config::size_kind,
                           &config::frequency_kind, &config::cycles_kind,    &config::time_kind, &config::width_kind,
                           &config::bandwidth_kind, &config::data_rate_kind, &config::ratio_kind};

// Whole numbers up to here are exact in a double.
constexpr double most_exact = 9007199254740992.0;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// A part of the argument and where it begins in it.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

[[noreturn]] void refuse(std::size_t offset, std::string message, std::string hint = {}) {
  throw InputError(Diagnostic{"--vary", 1, offset + 1, std::move(message), std::move(hint)});
}

/// Cut at the commas that stand in no bracket and no quotes.
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

/// The same, each with the parameters behind it.
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

std::vector<Piece> values_of(std::string_view argument, bool parameters) {
  const std::size_t begin = argument.find('=') + 1;
  return parameters ? split_with_parameters(argument.substr(begin), begin) : split(argument.substr(begin), begin);
}

/// Reads a text as that kind; exact where the kind is whole.
config::Reading<double> read(std::string_view text, const NumberKind& kind) {
  config::Reading<double> reading = config::read_real(text, kind);
  if (reading.error.empty() && kind.whole)
    reading.error = kind.may_be_negative ? config::read_signed(text, kind).error : config::read_whole(text, kind).error;
  return reading;
}

/// The number of a text in base units; what its provenance says is no part of it.
double number_of(std::string_view text, const NumberKind* kind) {
  if (kind == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const config::Reading<double> reading = read(trimmed(text.substr(0, text.find('|'))), *kind);
  return reading.error.empty() ? reading.value : std::numeric_limits<double>::quiet_NaN();
}

std::string shown(double value, const NumberKind& kind, std::size_t offset) {
  std::optional<std::string> text = value_text(value, kind);
  if (!text) refuse(offset, "leads to a number that is too large");
  return *std::move(text);
}

/// Reads the words that --vary takes after one '='.
class Reading {
 public:
  Reading(Variation& variation, const Present& present) : variation_(variation), present_(present) {}

  void piece(const Piece& piece) {
    if (piece.text.empty())
      refuse(piece.offset, fmt::format("'{}' has an empty value", variation_.path), "write PATH=a,b,c");
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
  static const NumberKind* kind_by_look(std::string_view text) {
    for (const NumberKind* kind : kinds)
      if (read(text, *kind).error.empty()) return kind;
    return nullptr;
  }

  double real(std::string_view text, std::size_t offset, const NumberKind& kind, std::string_view what) const {
    const config::Reading<double> reading = read(trimmed(text), kind);
    if (!reading.error.empty()) refuse(offset, fmt::format("{} {}", what, reading.error));
    return reading.value;
  }

  const NumberKind& numbers(const Piece& piece, std::string_view what) const {
    if (variation_.kind == nullptr)
      refuse(piece.offset, fmt::format("'{}' is no number and has no {}", variation_.path, what),
             "list its values: PATH=a,b,c");
    return *variation_.kind;
  }

  void range(const Piece& piece, std::size_t dots, bool factors) {
    const NumberKind& kind = factors ? config::ratio_kind : numbers(piece, "range");
    const std::string_view whole = piece.text;
    const std::size_t colon = whole.find(':', dots);
    if (colon == std::string_view::npos || colon + 1 == whole.size())
      refuse(piece.offset, fmt::format("'{}' does not say its steps", whole), "write lo..hi:x2 or lo..hi:+1");
    const std::string_view first = whole.substr(factors ? 1 : 0, dots - (factors ? 1 : 0));
    std::string_view last = trimmed(whole.substr(dots + 2, colon - dots - 2));
    if (factors && last.starts_with('*')) last.remove_prefix(1);
    const std::string named = factors ? "the factor" : fmt::format("'{}'", variation_.path);
    const double low = real(first, piece.offset, kind, named);
    const double high = real(last, piece.offset + dots + 2, kind, named);
    const std::string_view step = whole.substr(colon + 1);
    const std::size_t at = piece.offset + colon + 1;
    if (high < low)
      refuse(piece.offset, fmt::format("'{}' ends below its beginning", whole), "write the smaller end first");
    if (step.front() == 'x') {
      const double by = real(step.substr(1), at + 1, config::real_kind, "the factor");
      if (!(by > 1))
        refuse(at, fmt::format("steps of 'x{}' lead nowhere", step.substr(1)), "a factor is greater than 1");
      if (!(low > 0)) refuse(piece.offset, "a range by factors begins above 0", "step by +S");
      const double steps = std::log(high / low) / std::log(by);
      if (!(steps < static_cast<double>(most_sweep_points))) too_many(steps + 1);
      // A small margin, so that rounding cannot lose the last value.
      for (double value = low; value <= high * (1 + 1e-9); value *= by) take(value, factors, piece);
    } else if (step.front() == '+') {
      const double by = real(step.substr(1), at + 1, kind, named);
      if (!(by > 0)) refuse(at, fmt::format("steps of '+{}' lead nowhere", step.substr(1)), "a step is greater than 0");
      const double steps = std::floor((high - low) / by + 1e-6);
      if (!(steps < static_cast<double>(most_sweep_points))) too_many(steps + 1);
      for (double i = 0; i <= steps; ++i) take(low + i * by, factors, piece);
    } else {
      refuse(at, fmt::format("'{}' is no step", step), "write lo..hi:x2 or lo..hi:+1");
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
      refuse(piece.offset, fmt::format("'{}' has no value that could be multiplied", variation_.path),
             "name the values themselves");
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
    refuse(0,
           fmt::format("'{}' takes {} values; a sweep has at most {} points", variation_.path,
                       count ? fmt::format("{:.0f}", *count) : "too many", most_sweep_points),
           "take larger steps");
  }

 public:
  /// Factors are numbers of their own only where all values are.
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
      // Numbers too large to be exact may differ in their text alone.
      if (numbers && values[a].number < most_exact) return false;
      if (std::isnan(values[a].number) != std::isnan(values[b].number)) return std::isnan(values[b].number);
      return values[a].text < values[b].text;
    };
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), before);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (before(order[i - 1], order[i])) continue;
      refuse(offsets_[order[i]], fmt::format("'{}' takes the value {} twice", variation_.path, values[order[i]].text));
    }
  }

  Variation& variation_;
  const Present& present_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

std::optional<std::string> value_text(double value, const NumberKind& kind) {
  if (!(std::abs(value) < (kind.whole ? most_exact : 1e300))) return std::nullopt;
  if (kind.whole) {
    const double rounded = std::round(value);
    return rounded < 0 ? fmt::format("{:.0f}", rounded) : config::show_whole(static_cast<std::uint64_t>(rounded), kind);
  }
  const std::string digits = fmt::format("{:.12g}", value);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return config::show_real(rounded, kind);
}

std::string varied_path(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos)
    refuse(0, fmt::format("'{}' has no '='", argument), "write PATH=a,b,c or PATH=lo..hi:x2");
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
    refuse(begin, fmt::format("'{}' names no value", variation.path), "write PATH=a,b,c or PATH=lo..hi:x2");
  Reading reading(variation, present);
  for (const Piece& piece : values_of(argument, present.parameters)) reading.piece(piece);
  reading.finish();
  return variation;
}

std::optional<std::string> multiplied(std::string_view present, double factor, const NumberKind& kind) {
  const double number = number_of(present, &kind);
  return std::isnan(number) ? std::nullopt : value_text(number * factor, kind);
}

const NumberKind* kind_of_setting(const config::SchemaInfo& schema, std::string_view path) {
  const config::SchemaInfo* at = &schema;
  const config::FieldInfo* field = nullptr;
  bool in_list = false;
  for (const config::Segment& segment : config::split_path(path)) {
    if (in_list) {
      // An entry of a list: its contents are described by the list.
      at = field->child.get();
      in_list = false;
      continue;
    }
    field = at != nullptr ? at->find(segment.text) : nullptr;
    if (field == nullptr) return nullptr;
    in_list = field->shape == config::Shape::list;
    at = field->child.get();
  }
  if (field == nullptr || !field->number || in_list || at != nullptr) return nullptr;
  std::string_view name = field->kind;
  if (constexpr std::string_view list = "list of "; name.starts_with(list)) name.remove_prefix(list.size());
  for (const NumberKind* kind : kinds)
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace strata::study
