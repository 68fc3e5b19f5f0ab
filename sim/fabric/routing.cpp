// SPDX-License-Identifier: Apache-2.0
#include "fabric/routing.hpp"

#include <iterator>
#include <stdexcept>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>

#include "base/invalid_request.hpp"

namespace strata::fabric {

Routing::Routing(std::uint32_t nodes, std::span<const DirectedLink> links, Preferred preferred)
    : nodes_(nodes),
      preferred_(preferred),
      links_(links.begin(), links.end()),
      next_(std::size_t{nodes} * nodes, none) {
  for (const DirectedLink& link : links_) {
    if (link.from >= nodes || link.to >= nodes) {
      throw InvalidRequest("a link names a die that does not exist");
    }
    if (link.from == link.to) throw InvalidRequest("a link joins a die with itself");
  }
  for (std::uint32_t node = 0; node < nodes; ++node) find_routes_to(node);
  if (can_deadlock()) {
    throw InvalidRequest("the routes between dies can deadlock: links wait for each other in a cycle");
  }
}

// Breadth first from the destination, against the direction of the links.
void Routing::find_routes_to(std::uint32_t destination) {
  std::vector<std::uint32_t> hops(nodes_, none);
  hops[destination] = 0;
  for (std::uint32_t distance = 0; distance < nodes_; ++distance) {
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const DirectedLink& link = links_[i];
      if (hops[link.to] != distance || hops[link.from] <= distance) continue;
      hops[link.from] = distance + 1;
      std::uint32_t& choice = next_[link.from * nodes_ + destination];
      // Links are met in order.
      if (choice == none || preferred_ == Preferred::last) choice = i;
    }
  }
}

std::vector<std::uint32_t> Routing::route(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> links;
  for (std::uint32_t node = from; node != to;) {
    const std::uint32_t link = next(node, to);
    if (link == none) return {};
    links.push_back(link);
    node = links_[link].to;
  }
  return links;
}

bool Routing::can_deadlock() const {
  boost::adjacency_list<boost::setS, boost::vecS, boost::directedS> waits(links_.size());
  for (std::uint32_t from = 0; from < nodes_; ++from) {
    for (std::uint32_t to = 0; to < nodes_; ++to) {
      const std::vector<std::uint32_t> links = route(from, to);
      for (std::size_t i = 1; i < links.size(); ++i) {
        boost::add_edge(links[i - 1], links[i], waits);
      }
    }
  }
  try {
    std::vector<std::size_t> order;
    boost::topological_sort(waits, std::back_inserter(order));
    return false;
  } catch (const boost::not_a_dag&) {
    return true;
  }
}

}  // namespace strata::fabric
