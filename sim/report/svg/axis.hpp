// SPDX-License-Identifier: Apache-2.0
// One axis of a chart: the range it shows, where a value falls on it, and the
// ticks that a reader expects. A log2 axis runs between powers of two and labels
// them as sizes (1 KiB ... 4 GiB); a log10 axis carries the 1-2-5 series; a
// linear one steps by 1, 2 or 5 times a power of ten and starts at zero.
// Values that an axis cannot show (NaN, zero on a log axis) never widen it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace strata::report {

enum class Scale { linear, log2, log10 };
enum class TickLabels { number, size };

struct AxisSpec {
  std::string title;
  std::string unit;  // shown in brackets after the title; may be empty
  Scale scale = Scale::linear;
  TickLabels labels = TickLabels::number;
  // Ends of the axis; where absent, the data's, widened to the next tick.
  std::optional<double> lower;
  std::optional<double> upper;
};

struct Tick {
  double value = 0;
  std::string label;  // empty for a minor tick
};

class Axis {
 public:
  // `values` are those the axis must show.
  Axis(const AxisSpec& spec, std::span<const double> values);

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  // Whether the value can be drawn between the ends.
  bool shows(double value) const;
  // 0 at the lower end, 1 at the upper; linear in the logarithm on log axes.
  // The value must be finite, and positive on a log axis.
  double fraction(double value) const;
  std::vector<Tick> ticks() const;

 private:
  void widen_to_ticks(bool widen_lower, bool widen_upper);

  Scale scale_;
  TickLabels labels_;
  double lower_ = 0;
  double upper_ = 1;
};

}  // namespace strata::report
