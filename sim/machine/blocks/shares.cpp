// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/shares.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "machine/core_order.hpp"
#include "machine/levels.hpp"

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

std::vector<std::uint32_t> spread_groups(const DiesSpec& dies, const std::vector<std::uint32_t>& order,
                                         std::uint64_t apart) {
  const auto groups_of_dies = static_cast<std::uint32_t>(dies.compute * groups_of_die(dies));
  std::vector<std::uint32_t> groups;
  groups.reserve(order.size());
  for (const std::uint32_t core : order) {
    const auto place = static_cast<std::uint32_t>(groups.size());
    groups.push_back(place < apart ? groups_of_dies + place : group_in_all(dies, core));
  }
  return groups;
}

std::vector<std::uint32_t> cores_of_grid(const MachineSpec& spec, std::string_view policy, std::uint64_t blocks,
                                         const std::vector<std::uint32_t>& dies) {
  const LaunchSpec& launch = spec.launch;
  const std::vector<std::uint32_t> order = core_order(spec, policy);
  const std::vector<std::uint32_t> groups =
      spread_groups(spec.dies, order, launch.apart < order.size() ? launch.apart : 0);
  std::vector<std::uint32_t> cores;
  std::vector<std::uint32_t> groups_of_cores;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto die = static_cast<std::uint32_t>(order[place] / spec.dies.cores_per_die);
    if (!dies.empty() && std::ranges::find(dies, die) == dies.end()) continue;
    cores.push_back(order[place]);
    groups_of_cores.push_back(groups[place]);
  }
  const std::uint64_t unit = policy.empty() && !launch.dispatcher_per_die ? launch.spread : 0;
  const std::vector<std::uint64_t> shares = even_shares(groups_of_cores, blocks, 1, unit);
  std::vector<std::uint32_t> used;
  for (std::size_t place = 0; place < cores.size(); ++place)
    if (shares[place] != 0) used.push_back(cores[place]);
  return used;
}

}  // namespace strata::machine
