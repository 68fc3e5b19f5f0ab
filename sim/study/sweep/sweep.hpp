// SPDX-License-Identifier: Apache-2.0
// The points of a sweep: every value of every varied thing with every value of
// all others, in the order of an odometer whose last wheel turns fastest. Linked
// things share a wheel: the first values of all of them go together, then the
// second. And what a sweep found out about the things it varied: which of them made
// no difference anywhere.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace strata::study {

class SweepGrid {
 public:
  /// How many values each varied thing takes, none of them 0.
  explicit SweepGrid(const std::vector<std::size_t>& extents);
  /// links: a number for each thing; those of one number are linked and take as many
  /// values as each other.
  SweepGrid(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& links);

  /// Points in all; `most` + 1 where they are more than that, whatever the extents.
  std::size_t points(std::size_t most) const;
  std::size_t points() const { return points(~std::size_t{0} - 1); }
  /// Which value of each varied thing the point has.
  std::vector<std::size_t> choices(std::size_t point) const;
  std::size_t point(const std::vector<std::size_t>& choices) const;

  /// Whether at all points the answers are the same whatever value the thing of
  /// that index has, and those linked with it; false where it has one value only,
  /// which decides nothing.
  bool unchanged_by(std::size_t thing, const std::function<bool(std::size_t, std::size_t)>& same) const;

 private:
  std::vector<std::size_t> extents_;   ///< of each wheel
  std::vector<std::size_t> wheel_of_;  ///< of each thing
};

}  // namespace strata::study
