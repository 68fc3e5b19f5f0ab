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
#include <span>
#include <vector>

#include "fabric/routing.hpp"
#include "fabric/traffic.hpp"

namespace strata::fabric {

/// The wires of a directed link: its own for requests, that of the other way for their answers. Both outlive their user.
struct LinkWires {
  const WireTime* request;
  const WireTime* response;
};

class RouteChoice {
 public:
  /// links: directed ones by number, link i and i ^ 1 being the two ways of one. memory: the time on a wire at which
  /// what is remembered is halved.
  RouteChoice(std::uint32_t from, const Routing& first, const Routing& second, std::span<const LinkWires> links,
              Duration memory)
      : most_(memory.ticks << FineDuration::bits), links_(links), used_(links.size()) {
    for (std::uint32_t to = 0; to < first.nodes(); ++to) {
      const Links one = first.route(from, to);
      const Links other = second.route(from, to);
      routes_.push_back({{one, other}, {without(one, other), without(other, one)}});
    }
  }

  /// 0 for the first set of routes, 1 for the second. The message brings `down` sectors of data there, its answer `up`
  /// sectors back.
  unsigned choose(std::uint32_t to, unsigned down, unsigned up) {
    const Routes& routes = routes_[to];
    const unsigned way =
        !routes.apart[1].empty() && most_used(routes.apart[1], down, up) < most_used(routes.apart[0], down, up) ? 1 : 0;
    for (const std::uint32_t link : routes.all[way]) {
      use(link, (*links_[link].request)(down).parts);
      use(link ^ 1U, (*links_[link].response)(up).parts);
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
  std::int64_t most_used(const Links& route, unsigned down, unsigned up) const {
    std::int64_t result = 0;
    for (const std::uint32_t link : route) {
      if (links_[link].request->takes(down)) result = std::max(result, used_[link]);
      if (links_[link].response->takes(up)) result = std::max(result, used_[link ^ 1U]);
    }
    return result;
  }
  void use(std::uint32_t link, std::int64_t parts) {
    used_[link] += parts;
    if (used_[link] <= most_) return;
    for (std::int64_t& used : used_) used /= 2;
  }

  std::int64_t most_;  ///< parts of a tick
  std::span<const LinkWires> links_;
  std::vector<Routes> routes_;      ///< by destination
  std::vector<std::int64_t> used_;  ///< by link, parts of a tick
};

}  // namespace strata::fabric
