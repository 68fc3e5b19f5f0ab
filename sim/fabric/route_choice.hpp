// SPDX-License-Identifier: Apache-2.0
// How a sender shares its messages out to two sets of shortest routes: it keeps
// for each link the time of the wire that its own messages have cost, there and
// back, and takes the route whose most used link, of those that the other does
// not share, it has used least. Messages
// that have one route only count as well, so that those that have a choice make
// up for them. What a sender knows is its own doing alone: nothing is looked up
// on another die. It forgets: when a link has been used for long enough, what
// is remembered of all is halved.
//
// In a square of dies a die's neighbours send over one link each, and the die
// at the diagonal may send over either. With a fixed order of dimensions one of
// the two links carries twice what the other does (docs/design/
// bandwidth-amd-intel.md).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "fabric/routing.hpp"
#include "fabric/traffic.hpp"

namespace strata::fabric {

class RouteChoice {
 public:
  /// What a message costs the wires of a link, there and of its answer back.
  struct Load {
    FineDuration there;
    FineDuration back;
  };

  /// links: directed ones, link i and i ^ 1 being the two ways of one. memory: the
  /// time on a wire at which what is remembered is halved.
  RouteChoice(std::uint32_t from, const Routing& first, const Routing& second, std::size_t links, Duration memory)
      : most_(memory.ticks << FineDuration::bits), used_(links) {
    for (std::uint32_t to = 0; to < first.nodes(); ++to) {
      const Links one = first.route(from, to);
      const Links other = second.route(from, to);
      routes_.push_back({{one, other}, {without(one, other), without(other, one)}});
    }
  }

  /// 0 for the first set of routes, 1 for the second. load(link): the Load on
  /// that link of the message to be sent.
  template <class LoadOf>
  unsigned choose(std::uint32_t to, const LoadOf& load) {
    const Routes& routes = routes_[to];
    const unsigned way =
        !routes.apart[1].empty() && most_used(routes.apart[1], load) < most_used(routes.apart[0], load) ? 1 : 0;
    for (const std::uint32_t link : routes.all[way]) {
      const Load cost = load(link);
      use(link, cost.there.parts);
      use(link ^ 1U, cost.back.parts);
    }
    return way;
  }

 private:
  using Links = std::vector<std::uint32_t>;
  struct Routes {
    std::array<Links, 2> all;
    std::array<Links, 2> apart;  ///< without the links that both take
  };
  static Links without(Links links, const Links& others) {
    std::erase_if(links,
                  [&](std::uint32_t link) { return std::find(others.begin(), others.end(), link) != others.end(); });
    return links;
  }

  /// Of the links on which the message weighs, that used most.
  template <class LoadOf>
  std::int64_t most_used(const Links& route, const LoadOf& load) const {
    std::int64_t result = 0;
    for (const std::uint32_t link : route) {
      const Load cost = load(link);
      if (cost.there.parts > 0) result = std::max(result, used_[link]);
      if (cost.back.parts > 0) result = std::max(result, used_[link ^ 1U]);
    }
    return result;
  }
  void use(std::uint32_t link, std::int64_t parts) {
    used_[link] += parts;
    if (used_[link] <= most_) return;
    for (std::int64_t& used : used_) used /= 2;
  }

  std::int64_t most_;               ///< parts of a tick
  std::vector<Routes> routes_;      ///< by destination
  std::vector<std::int64_t> used_;  ///< by link, parts of a tick
};

}  // namespace strata::fabric
