// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/shares.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace strata::machine {
namespace {

/// The places in the order in which they get one more: the first of each unit before the second, the groups in turn.
std::vector<std::size_t> in_turn(const std::vector<std::uint32_t>& groups, std::uint64_t unit) {
  std::map<std::uint32_t, std::uint64_t> met;  // places of a group so far
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> turns;
  for (std::size_t place = 0; place < groups.size(); ++place) {
    const std::uint64_t number = met[groups[place]]++;
    if (unit == 0)
      turns.emplace_back(0, 0, place);
    else
      turns.emplace_back(number % unit, number / unit, place);
  }
  std::ranges::sort(turns);
  std::vector<std::size_t> places;
  places.reserve(turns.size());
  for (const auto& [level, round, place] : turns) places.push_back(place);
  return places;
}

}  // namespace

std::vector<std::uint64_t> even_shares(const std::vector<std::uint32_t>& groups, std::uint64_t blocks,
                                       std::uint64_t most, std::uint64_t unit) {
  const std::uint64_t places = groups.size();
  std::vector<std::uint64_t> shares(places, std::min(most, blocks / places));
  if (blocks / places >= most) return shares;
  std::uint64_t left = blocks % places;
  for (const std::size_t place : in_turn(groups, unit)) {
    if (left-- == 0) break;
    ++shares[place];
  }
  return shares;
}

}  // namespace strata::machine
