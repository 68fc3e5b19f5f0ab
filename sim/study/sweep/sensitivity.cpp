// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "study/sweep/values.hpp"

namespace strata::study {

namespace {

// Steps tried if the requested factor is refused: capacities and counts often must be powers of
// two or multiples of a block.
constexpr std::array steps_down{0.875, 0.75, 0.5};
constexpr std::array steps_up{1.125, 1.25, 1.5, 2.0};

// An entry's name where it has one, so that a path means the same when entries are added.
std::string name_in_list(const config::Effective& entry, std::size_t index) {
  const config::Effective* const name = entry.find("name");
  return name == nullptr || name->bound.empty() ? std::to_string(index) : name->bound;
}

void collect(const config::Effective& node, const std::string& path, std::vector<NumberSetting>& out) {
  if (node.shape == config::Shape::scalar) {
    const bool can_be_scaled = node.key != "seed" && node.key != "from" && node.key != "to";
    if (node.number && !node.absent && can_be_scaled) out.push_back({path, node.bound, node.provenance, node.set_by});
    return;
  }
  std::size_t index = 0;
  for (const config::Effective& child : node.children) {
    const bool of_list = node.shape == config::Shape::list;
    if (of_list && child.shape == config::Shape::scalar) continue;
    const std::string step = of_list ? name_in_list(child, index) : child.key;
    collect(child, path + (path.empty() ? "" : ".") + step, out);
    ++index;
  }
}

// FNV-1a: the same on every platform.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

std::vector<NumberSetting> number_settings(const config::Effective& root) {
  std::vector<NumberSetting> out;
  collect(root, "", out);
  return out;
}

std::optional<double> number_of(const std::string& value, const config::NumberKind& kind) {
  const config::Reading<double> reading = config::read_real(value, kind);
  return reading.error.empty() ? std::optional(reading.value) : std::nullopt;
}

std::vector<Move> moves(const std::string& value, const config::NumberKind& kind, Direction direction, double by) {
  std::vector<Move> out;
  const std::optional<double> base = number_of(value, kind);
  if (!base || *base == 0) return out;
  const bool up = direction == Direction::up;
  const double asked = up ? 1 + by : 1 - by;
  const auto offer = [&](double number, bool by_factor) {
    if (kind.whole) number = std::round(number);
    if (number == *base) return;
    const std::optional<std::string> text = value_text(number, kind);
    // The value of the text, which has fewer digits.
    const std::optional<double> said = text ? number_of(*text, kind) : std::nullopt;
    // Zero is another machine: it removes the part.
    if (!said || *said == *base || *said == 0) return;
    if (std::any_of(out.begin(), out.end(), [&](const Move& move) { return move.text == *text; })) return;
    out.push_back({*text, *said, by_factor});
  };
  offer(*base * asked, true);
  std::vector<double> others;
  if (up)
    others.assign(steps_up.begin(), steps_up.end());
  else
    others.assign(steps_down.begin(), steps_down.end());
  for (double& factor : others) factor *= *base;
  // The next whole number moves small counts; its sign is that of a factor's step.
  if (kind.whole) others.push_back(*base + (up == (*base > 0) ? 1 : -1));
  // The nearest to the requested factor first, and no step to the other side of the value.
  std::stable_sort(others.begin(), others.end(),
                   [&](double a, double b) { return std::abs(a - *base * asked) < std::abs(b - *base * asked); });
  for (const double other : others) offer(other, false);
  return out;
}

Move drawn(const std::string& path, const std::string& value, const config::NumberKind& kind, double range,
           std::uint64_t seed, std::uint64_t draw) {
  const double base = number_of(value, kind).value_or(0);
  const std::uint64_t bits = mix(mix(seed, draw), hash_of(path));
  const double uniform = static_cast<double>(bits >> 11U) * 0x1p-53;
  double number = base * std::exp((2 * uniform - 1) * std::log1p(range));
  if (kind.whole) number = std::round(number);
  const std::string text = value_text(number, kind).value_or(value);
  return {text, number_of(text, kind).value_or(base), true};
}

double elasticity(double setting_low, double answer_low, double setting_high, double answer_high) {
  if (!(setting_low > 0 && setting_high > 0 && answer_low > 0 && answer_high > 0) || setting_low == setting_high)
    return std::numeric_limits<double>::quiet_NaN();
  return std::log(answer_high / answer_low) / std::log(setting_high / setting_low);
}

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace strata::study
