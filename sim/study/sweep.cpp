// SPDX-License-Identifier: Apache-2.0
#include "study/sweep.hpp"

namespace strata::study {

std::size_t SweepGrid::points(std::size_t most) const {
  std::size_t all = 1;
  for (const std::size_t extent : extents_) {
    if (extent > most / all) return most + 1;
    all *= extent;
  }
  return all;
}

std::vector<std::size_t> SweepGrid::choices(std::size_t point) const {
  std::vector<std::size_t> all(extents_.size());
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    all[axis] = point % extents_[axis];
    point /= extents_[axis];
  }
  return all;
}

std::size_t SweepGrid::point(const std::vector<std::size_t>& choices) const {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) index = index * extents_[axis] + choices[axis];
  return index;
}

bool SweepGrid::unchanged_by(std::size_t axis, const std::function<bool(std::size_t, std::size_t)>& same) const {
  if (extents_[axis] < 2) return false;
  std::size_t stride = 1;  // from a point to that with the next value of this axis
  for (std::size_t later = axis + 1; later < extents_.size(); ++later) stride *= extents_[later];
  const std::size_t all = points();
  for (std::size_t i = 0; i < all; ++i)
    if (i / stride % extents_[axis] != 0 && !same(i - stride, i)) return false;
  return true;
}

}  // namespace strata::study
