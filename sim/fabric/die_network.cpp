// SPDX-License-Identifier: Apache-2.0
#include "fabric/die_network.hpp"

#include <cassert>
#include <stdexcept>

#include <fmt/format.h>

namespace strata::fabric {

namespace {

std::vector<DirectedLink> both_ways(const DieNetworkSpec& spec) {
  std::vector<DirectedLink> links;
  for (const LinkSpec& link : spec.links) {
    for (const DirectedLink& other : links) {
      if (other.from == link.from && other.to == link.to) {
        throw std::invalid_argument(
            fmt::format("two links join die {} and die {}: make them one", link.from, link.to));
      }
    }
    links.push_back({link.from, link.to});
    links.push_back({link.to, link.from});
  }
  return links;
}

std::string name_of(const LinkSpec& spec, DirectedLink ends) {
  const std::string name = spec.name.empty() ? "link" : spec.name;
  return fmt::format("{} {}>{}", name, ends.from, ends.to);
}

}  // namespace

DieNetwork::Link::Link(DieNetwork& owner, const LinkSpec& spec, DirectedLink its_ends,
                       Duration its_latency, memory::StageNames& stages)
    : network(owner),
      ends(its_ends),
      name(name_of(spec, its_ends)),
      latency(its_latency),
      stage(stages.add(name)),
      wait_stage(stages.add(name + " wait")),
      requests(owner.simulation_, wire, engine::Priority::arrival,
               memory::sink<&Link::launch>(*this)),
      responses(owner.simulation_, wire, engine::Priority::completion,
                memory::sink<&Link::launch_back>(*this)),
      port(owner.simulation_, name, engine::handler<&Link::arrived>(*this), its_latency,
           spec.depth) {}

DieNetwork::DieNetwork(engine::Simulation& simulation, const engine::Timebase& timebase,
                       engine::Clock clock, const DieNetworkSpec& spec, std::uint32_t nodes,
                       std::span<const std::uint32_t> home_nodes, memory::StageNames& stages)
    : simulation_(simulation),
      ends_(both_ways(spec)),
      routing_(nodes, ends_),
      home_nodes_(home_nodes.begin(), home_nodes.end()),
      back_(std::size_t{nodes} * nodes * nodes, Routing::none) {
  if (nodes > 64) throw std::invalid_argument("a die network has at most 64 nodes");
  for (std::uint32_t node = 0; node < nodes; ++node) {
    nodes_.push_back({this, node});
    if (home_nodes.empty()) home_nodes_.push_back(node);
  }
  for (const std::uint32_t node : home_nodes_) {
    if (node >= nodes) throw std::invalid_argument("a memory die sits on a die that is not there");
  }
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const LinkSpec& link = spec.links[i / 2];
    Link& made = links_.emplace_back(*this, link, ends_[i],
                                     timebase.nanoseconds(link.latency.value), stages);
    const auto wire = [&](Bytes header) {
      return link.bandwidth.value > 0 ? WireTime::from(timebase, link.bandwidth, header)
                                      : WireTime::from(clock, link.width, header);
    };
    made.request_time = wire(spec.request_header);
    made.response_time = wire(spec.response_header);
  }
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      for (const std::uint32_t link : routing_.route(from, to)) {
        back_link(from, to, ends_[link].to) = link ^ 1U;
      }
    }
  }
}

void DieNetwork::attach(std::uint32_t node, memory::Sink sink) { nodes_.at(node).sink = sink; }

memory::Sink DieNetwork::input(std::uint32_t node) {
  return memory::sink<&Node::take>(nodes_.at(node));
}

Duration DieNetwork::flight(std::uint32_t from, std::uint32_t to) const {
  Duration sum{};
  for (const std::uint32_t link : routing_.route(from, to)) sum += links_[link].latency;
  return sum;
}

// The way there.

void DieNetwork::send(memory::Transaction& transaction, std::uint32_t from, Time ready) {
  const std::uint32_t to = home_nodes_[transaction.home_die];
  if (to == from) {
    nodes_[from].sink.take(transaction, ready);
    return;
  }
  transaction.return_through(on_answer_, Route{from, to, sectors_up(transaction)}.pack());
  forward(transaction, from, ready);
}

void DieNetwork::forward(memory::Transaction& transaction, std::uint32_t node, Time ready) {
  const std::uint32_t index = routing_.next(node, home_nodes_[transaction.home_die]);
  assert(index != Routing::none);
  Link& link = links_[index];
  const unsigned sectors = sectors_down(transaction);
  link.bytes += link.request_time.bytes(sectors).value;
  if (link.request_time.limited()) {
    link.requests.pass(transaction, ready, link.request_time(sectors));
  } else {
    link.launch(transaction, ready);
  }
}

void DieNetwork::Link::launch(memory::Transaction& transaction, Time ready) {
  port.send(transaction, ready, {});
}

void DieNetwork::Link::arrived(memory::Transaction& transaction) {
  const Time now = network.simulation_.now();
  transaction.mark(wait_stage, now + Duration{-latency.ticks});
  transaction.mark(stage, now);
  if (network.home_nodes_[transaction.home_die] == ends.to) {
    network.nodes_[ends.to].sink.take(transaction, now);
  } else {
    network.forward(transaction, ends.to, now);
  }
}

// The way back.

void DieNetwork::answered(memory::Transaction& transaction) {
  const Route route = Route::of(transaction);
  step_back(transaction, route.to, route);
}

void DieNetwork::step_back(memory::Transaction& transaction, std::uint32_t node,
                           const Route& route) {
  Link& link = links_[back_link(route.from, route.to, node)];
  link.bytes += link.response_time.bytes(route.sectors).value;
  if (link.response_time.limited()) {
    link.responses.pass(transaction, simulation_.now(), link.response_time(route.sectors));
  } else {
    link.launch_back(transaction, simulation_.now());
  }
}

void DieNetwork::Link::launch_back(memory::Transaction& transaction, Time ready) {
  const Time arrival = ready + latency;
  transaction.mark(wait_stage, ready);
  transaction.mark(stage, arrival);
  if (Route::of(transaction).from == ends.to) {
    transaction.answer(network.simulation_, arrival);
  } else {
    network.simulation_.at(arrival, engine::Priority::completion, on_back, &transaction);
  }
}

void DieNetwork::Link::arrived_back(memory::Transaction& transaction) {
  network.step_back(transaction, ends.to, Route::of(transaction));
}

// What can be seen from outside.

std::vector<const engine::Port*> DieNetwork::ports() const {
  std::vector<const engine::Port*> all;
  for (const Link& link : links_) all.push_back(&link.port);
  return all;
}

std::vector<NamedLane> DieNetwork::wires() const {
  std::vector<NamedLane> all;
  for (const Link& link : links_) all.push_back({link.name, &link.wire});
  return all;
}

std::vector<DieNetwork::LinkBytes> DieNetwork::bytes() const {
  std::vector<LinkBytes> all;
  for (std::size_t i = 0; i < links_.size(); i += 2) {
    all.push_back({links_[i].name, links_[i].bytes, links_[i + 1].bytes});
  }
  return all;
}

}  // namespace strata::fabric
