// SPDX-License-Identifier: Apache-2.0
// The figure that a form stands for, from the table of readings or from the
// configuration.
#pragma once
#include <limits>
#include <optional>
#include <string>

#include "study/expectation/evaluate.hpp"

namespace strata::study {

/// What a value is that there is not.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

struct Tables {
  const Machines& machines;
  const Readings& readings;
};

/// A setting or a peak, or why there is none.
struct Figure {
  std::optional<Value> value;
  std::string problem;
};
Figure figure_of(const Machines& machines, const Form& form);

/// In the measure's unit; NaN where a machine has no such figure.
double result(const Tables& tables, const Measure& measure);

/// A latency or a bandwidth in a unit that it can be counted in. stream: whose
/// rate, and how wide an instruction is; warp_width: of its machine.
double in_unit(const LatencyPoint& point, const Unit& unit);
double in_unit(const BandwidthPoint& point, const BandwidthAt& stream, std::uint64_t warp_width, const Unit& unit);

/// The busiest kind of resource of a bottleneck's reading; null where none was
/// busy.
const ResourceUse* busiest(const Tables& tables, const Form& form);

}  // namespace strata::study
