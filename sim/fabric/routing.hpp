// SPDX-License-Identifier: Apache-2.0
// Which link a message takes next. Routes are shortest by hops; of equally
// short ones a node takes the link with the lowest number, or the one with the
// highest, so that a mesh whose x links come first is routed x before y, or y
// before x. Each is deterministic and, for a mesh, free of deadlock; in general
// freedom is checked by the condition of Dally and Seitz (Deadlock-Free Message
// Routing, 1987): no cycle among the links that wait for one another.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace strata::fabric {

/// One way of a link.
struct DirectedLink {
  std::uint32_t from;
  std::uint32_t to;
};

/// Which of the links that begin a shortest route a node takes.
enum class Preferred : std::uint8_t { first, last };

class Routing {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Throws std::invalid_argument where a link names a node that is not there,
  /// joins a node with itself, or where the routes could deadlock.
  Routing(std::uint32_t nodes, std::span<const DirectedLink> links, Preferred preferred = Preferred::first);

  std::uint32_t nodes() const { return nodes_; }
  /// The link to take at `node` for `destination`; none: no way, or already there.
  std::uint32_t next(std::uint32_t node, std::uint32_t destination) const { return next_[node * nodes_ + destination]; }
  /// The links from one node to another, in order; empty where there is no way.
  std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const;

 private:
  void find_routes_to(std::uint32_t destination);
  bool can_deadlock() const;

  std::uint32_t nodes_;
  Preferred preferred_;
  std::vector<DirectedLink> links_;
  std::vector<std::uint32_t> next_;
};

}  // namespace strata::fabric
