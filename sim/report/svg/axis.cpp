// SPDX-License-Identifier: Apache-2.0
#include "report/svg/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr int most_labels = 13;

// Far beyond any physical quantity, and far from where double arithmetic on
// ticks would overflow.
constexpr double smallest_shown = 1e-200;
constexpr double largest_shown = 1e200;

bool drawable(Scale scale, double value) {
  if (!(std::abs(value) <= largest_shown)) return false;
  return scale == Scale::linear || value >= smallest_shown;
}

// The 1-2-5 series: largest member not above, and smallest not below, a value.
// Members come from decimal powers, so a tick compares equal to its literal.
constexpr std::array series{1.0, 2.0, 5.0};

double member(int index) {
  const int decade = index >= 0 ? index / 3 : (index - 2) / 3;
  const double scale = series[static_cast<std::size_t>(index - 3 * decade)];
  return decade >= 0 ? scale * std::pow(10.0, decade) : scale / std::pow(10.0, -decade);
}

int member_below(double value) {
  int index = 3 * static_cast<int>(std::floor(std::log10(value))) + 3;
  while (member(index) > value) --index;
  return index;
}

int member_above(double value) {
  const int below = member_below(value);
  return member(below) == value ? below : below + 1;
}

double linear_step(double span) { return member(member_above(span / 7)); }
}  // namespace

Axis::Axis(const AxisSpec& spec, std::span<const double> values) : scale_(spec.scale), labels_(spec.labels) {
  bool any = false;
  for (const double value : values) {
    if (!drawable(scale_, value)) continue;
    lower_ = any ? std::min(lower_, value) : value;
    upper_ = any ? std::max(upper_, value) : value;
    any = true;
  }
  if (!any) {
    lower_ = scale_ == Scale::linear ? 0 : 1;
    upper_ = scale_ == Scale::log2 ? 1024 : scale_ == Scale::log10 ? 10 : 1;
  }
  const bool fixed_lower = spec.lower && drawable(scale_, *spec.lower);
  const bool fixed_upper = spec.upper && drawable(scale_, *spec.upper);
  if (fixed_lower) lower_ = *spec.lower;
  if (fixed_upper) upper_ = *spec.upper;
  if (scale_ == Scale::linear && !fixed_lower) lower_ = std::min(lower_, 0.0);
  widen_to_ticks(!fixed_lower, !fixed_upper);
}

void Axis::widen_to_ticks(bool widen_lower, bool widen_upper) {
  if (!(upper_ > lower_)) upper_ = scale_ == Scale::linear ? lower_ + 1 : lower_ * 2;
  if (scale_ == Scale::log2) {
    if (widen_lower) lower_ = std::exp2(std::floor(std::log2(lower_)));
    if (widen_upper) upper_ = std::exp2(std::ceil(std::log2(upper_)));
  } else if (scale_ == Scale::log10) {
    if (widen_lower) lower_ = member(member_below(lower_));
    if (widen_upper) upper_ = member(member_above(upper_));
  } else {
    const double step = linear_step(upper_ - lower_);
    if (widen_lower) lower_ = std::floor(lower_ / step) * step;
    if (widen_upper) upper_ = std::ceil(upper_ / step) * step;
  }
}

bool Axis::shows(double value) const { return drawable(scale_, value) && value >= lower_ && value <= upper_; }

double Axis::fraction(double value) const {
  switch (scale_) {
    case Scale::linear:
      return (value - lower_) / (upper_ - lower_);
    case Scale::log2:
      return std::log2(value / lower_) / std::log2(upper_ / lower_);
    case Scale::log10:
      return std::log10(value / lower_) / std::log10(upper_ / lower_);
  }
  return 0;
}

std::vector<Tick> Axis::ticks() const {
  std::vector<Tick> ticks;
  const auto label = [this](double value) { return labels_ == TickLabels::size ? size_label(value) : readable(value); };
  if (scale_ == Scale::log2) {
    const int first = static_cast<int>(std::ceil(std::log2(lower_)));
    const int last = static_cast<int>(std::floor(std::log2(upper_)));
    const int every = std::max(1, (last - first + most_labels - 1) / most_labels);
    for (int power = first; power <= last; ++power) {
      const double value = std::exp2(power);
      ticks.push_back({value, (power - first) % every == 0 ? label(value) : std::string()});
    }
  } else if (scale_ == Scale::log10) {
    const int first = member_above(lower_);
    const int last = member_below(upper_);
    // Over many decades only the powers of ten keep their label.
    const bool only_powers = last - first >= most_labels;
    for (int index = first; index <= last; ++index) {
      const double value = member(index);
      const bool major = !only_powers || ((index % 3) + 3) % 3 == 0;
      ticks.push_back({value, major ? label(value) : std::string()});
    }
  } else {
    const double step = linear_step(upper_ - lower_);
    const double first = std::ceil(lower_ / step);
    const double count = std::min(std::floor(upper_ / step) - first, 1.0 * most_labels);
    for (int index = 0; index <= count; ++index) {
      const double value = (first + index) * step;
      ticks.push_back({value, label(value)});
    }
  }
  return ticks;
}

}  // namespace strata::report
