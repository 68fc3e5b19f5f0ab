// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/sweep.hpp"

#include <algorithm>
#include <numeric>

namespace strata::study {

namespace {

std::vector<std::size_t> each_its_own(std::size_t things) {
  std::vector<std::size_t> numbers(things);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

SweepGrid::SweepGrid(const std::vector<std::size_t>& extents) : SweepGrid(extents, each_its_own(extents.size())) {}

SweepGrid::SweepGrid(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& links) {
  std::vector<std::size_t> seen;
  for (std::size_t thing = 0; thing < extents.size(); ++thing) {
    const auto known = std::find(seen.begin(), seen.end(), links[thing]);
    wheel_of_.push_back(static_cast<std::size_t>(known - seen.begin()));
    if (known != seen.end()) continue;
    seen.push_back(links[thing]);
    extents_.push_back(extents[thing]);
  }
}

std::size_t SweepGrid::points(std::size_t most) const {
  std::size_t all = 1;
  for (const std::size_t extent : extents_) {
    if (extent > most / all) return most + 1;
    all *= extent;
  }
  return all;
}

std::vector<std::size_t> SweepGrid::choices(std::size_t point) const {
  std::vector<std::size_t> turned(extents_.size());
  for (std::size_t wheel = extents_.size(); wheel-- > 0;) {
    turned[wheel] = point % extents_[wheel];
    point /= extents_[wheel];
  }
  std::vector<std::size_t> all;
  for (const std::size_t wheel : wheel_of_) all.push_back(turned[wheel]);
  return all;
}

std::size_t SweepGrid::point(const std::vector<std::size_t>& choices) const {
  std::vector<std::size_t> turned(extents_.size());
  for (std::size_t thing = 0; thing < choices.size(); ++thing) turned[wheel_of_[thing]] = choices[thing];
  std::size_t index = 0;
  for (std::size_t wheel = 0; wheel < extents_.size(); ++wheel) index = index * extents_[wheel] + turned[wheel];
  return index;
}

bool SweepGrid::unchanged_by(std::size_t thing, const std::function<bool(std::size_t, std::size_t)>& same) const {
  const std::size_t wheel = wheel_of_[thing];
  if (extents_[wheel] < 2) return false;
  std::size_t stride = 1;  // from a point to that with the next value of this wheel
  for (std::size_t later = wheel + 1; later < extents_.size(); ++later) stride *= extents_[later];
  const std::size_t all = points();
  for (std::size_t i = 0; i < all; ++i)
    if (i / stride % extents_[wheel] != 0 && !same(i - stride, i)) return false;
  return true;
}

}  // namespace strata::study
