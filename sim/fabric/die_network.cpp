// SPDX-License-Identifier: Apache-2.0
#include "fabric/die_network.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/invalid_request.hpp"

namespace strata::fabric {

namespace {

std::vector<DirectedLink> both_ways(const DieNetworkSpec& spec) {
  std::vector<DirectedLink> links;
  for (const LinkSpec& link : spec.links) {
    for (const DirectedLink& other : links) {
      if (other.from == link.from && other.to == link.to) {
        throw InvalidRequest(fmt::format("two links join die {} and die {}: make them one", link.from, link.to));
      }
    }
    links.push_back({link.from, link.to});
    links.push_back({link.to, link.from});
  }
  return links;
}

std::vector<Routing> routings_of(const DieNetworkSpec& spec, std::uint32_t nodes, std::span<const DirectedLink> ends) {
  std::vector<Routing> all;
  all.emplace_back(nodes, ends, Preferred::first);
  if (spec.routing == RouteRule::balanced) all.emplace_back(nodes, ends, Preferred::last);
  return all;
}

std::string name_of(const LinkSpec& spec, DirectedLink ends) {
  const std::string name = spec.name.empty() ? "link" : spec.name;
  return fmt::format("{} {}>{}", name, ends.from, ends.to);
}

// Entries that a link needs at its far end: each is in use at least from launch to the far end,
// and the smallest message of a load on a wire is a sector.
std::uint32_t places(double blocks_in_flight) {
  constexpr double margin = 64;
  return static_cast<std::uint32_t>(std::ceil(blocks_in_flight * memory::sectors_per_block + margin));
}

}  // namespace

DieNetwork::Link::Link(DieNetwork& owner, const LinkSpec& spec, DirectedLink its_ends, Duration its_latency,
                       std::uint32_t depth, std::size_t ways, memory::StageNames& stages)
    : network(owner),
      ends(its_ends),
      sender(owner.process_of_[its_ends.from]),
      receiver(owner.process_of_[its_ends.to]),
      latency(its_latency),
      stage(stages.add(name_of(spec, its_ends))),
      wait_stage(stages.add(name_of(spec, its_ends) + " wait")) {
  const engine::Handler& to = within_process() ? on_arrival : on_launch;
  for (std::size_t way = 0; way < ways; ++way) {
    ports.emplace_back(owner.processes_[sender], name_of(spec, its_ends), to, Duration{}, depth);
    if (!within_process()) credits.emplace_back(owner.processes_, sender, receiver, ports.back(), its_latency);
  }
}

DieNetwork::DieNetwork(engine::Processes& processes, const engine::Timebase& timebase, engine::Clock clock,
                       const DieNetworkSpec& spec, std::uint32_t nodes, std::span<const std::uint32_t> home_nodes,
                       memory::StageNames& stages, std::span<const std::uint32_t> process_of)
    : processes_(processes),
      process_of_(process_of.begin(), process_of.end()),
      ends_(both_ways(spec)),
      routings_(routings_of(spec, nodes, ends_)),
      home_nodes_(home_nodes.begin(), home_nodes.end()),
      back_(routings_.size() * nodes * nodes * nodes, Routing::none) {
  process_of_.resize(nodes, 0);
  if (nodes > 64) throw InvalidRequest("a die network has at most 64 nodes");
  for (std::uint32_t node = 0; node < nodes; ++node) {
    nodes_.push_back({this, node});
    if (home_nodes.empty()) home_nodes_.push_back(node);
  }
  for (const std::uint32_t node : home_nodes_) {
    if (node >= nodes) throw InvalidRequest("a memory die is attached to a die that does not exist");
  }
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const LinkSpec& link = spec.links[i / 2];
    const auto wire = [&](Bytes header) {
      return link.bandwidth.value > 0 ? WireTime::from(timebase, link.bandwidth, header)
                                      : WireTime::from(clock, link.width, header);
    };
    const Duration latency = timebase.nanoseconds(link.latency.value);
    const double block = wire(Bytes{0}).ticks(memory::sectors_per_block);
    // An entry is in use until its credit is returned, which between processes takes the
    // latency of the link.
    const int ways = process_of_[ends_[i].from] == process_of_[ends_[i].to] ? 1 : 2;
    const double in_flight = block > 0 ? static_cast<double>(ways * latency.ticks) / block : 0;
    const std::uint32_t unlimited = LinkSpec::most_depth;
    const std::uint32_t enough = block > 0 ? std::min(places(in_flight), unlimited) : unlimited;
    Link& made = links_.emplace_back(*this, link, ends_[i], latency, link.depth != 0 ? link.depth : enough,
                                     routings_.size(), stages);
    made.request_time = wire(spec.request_header);
    made.response_time = wire(spec.response_header);
    made.requests_apart = spec.requests_apart;
    const std::uint32_t depth = made.ports.front().depth();
    if (i % 2 == 0 && depth < std::ceil(in_flight)) {
      shortages_.push_back(
          fmt::format("{}: {} buffer entries at its end limit it to {:.3g} % of its width: depth of {} or more, or 0 "
                      "for enough, reaches the full width",
                      made.name(), depth, 100 * depth / in_flight, std::ceil(in_flight)));
    }
  }
  for (unsigned way = 0; way < routings_.size(); ++way) {
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (std::uint32_t to = 0; to < nodes; ++to) {
        for (const std::uint32_t link : routings_[way].route(from, to)) {
          back_link({from, to, 0, way}, ends_[link].to) = link ^ 1U;
        }
      }
    }
  }
  if (spec.routing == RouteRule::balanced) {
    for (std::size_t i = 0; i < links_.size(); ++i)
      wires_of_.push_back({&links_[i].request_time, &links_[i ^ 1U].response_time});
    for (std::uint32_t node = 0; node < nodes; ++node)
      choices_.emplace_back(node, routings_[0], routings_[1], wires_of_, timebase.nanoseconds(1000));
  }
}

void DieNetwork::attach(std::uint32_t node, memory::Sink sink) { nodes_.at(node).sink = sink; }

memory::Sink DieNetwork::input(std::uint32_t node) { return memory::sink<&Node::take>(nodes_.at(node)); }

Duration DieNetwork::flight(std::uint32_t from, std::uint32_t to) const {
  Duration sum{};
  for (const std::uint32_t link : routing().route(from, to)) sum += links_[link].latency;
  return sum;
}

// Request path.

void DieNetwork::send(memory::Transaction& transaction, std::uint32_t from, Time ready) {
  const std::uint32_t to = home_nodes_[transaction.home_die];
  if (to == from) {
    nodes_[from].sink.take(transaction, ready);
    return;
  }
  const unsigned up = sectors_up(transaction);
  const unsigned way = choices_.empty() ? 0 : choices_[from].choose(to, sectors_over(transaction), up);
  transaction.return_through(on_answer_, Route{from, to, up, way}.pack(), memory::Transaction::Notice::in_advance);
  forward(transaction, from, ready);
}

void DieNetwork::forward(memory::Transaction& transaction, std::uint32_t node, Time ready) {
  const Route route = Route::of(transaction.top_context());
  const std::uint32_t index = routings_[route.way].next(node, route.to);
  assert(index != Routing::none);
  links_[index].request(transaction, ready);
}

void DieNetwork::carry(memory::Parcel& parcel, std::uint32_t from, Time ready) {
  if (from != parcel.to) return links_[routing().next(from, parcel.to)].carry(parcel, ready);
  const std::uint32_t here = process_of_[from];
  processes_[here].at(later(ready, now(here)), engine::Priority::arrival, parcel.arrived, &parcel);
}

// Response path.

// In advance: transaction.ready is when the block has the answer.
void DieNetwork::answered(memory::Transaction& transaction) {
  step_back(transaction, Route::of(transaction.context()).to, transaction.ready);
}

void DieNetwork::step_back(memory::Transaction& transaction, std::uint32_t node, Time ready) {
  const Route route = Route::of(transaction.context());
  links_[back_link(route, node)].respond(transaction, route, ready);
}

void DieNetwork::answer(memory::Transaction& transaction, std::uint32_t from, std::uint32_t to, Time t) {
  if (from == to) return transaction.answer(processes_[to], t);
  const engine::HandlerNumber handler = transaction.answer_elsewhere(t);
  processes_.post(from, to, t, engine::Priority::completion, processes_[to].numbered(handler), &transaction);
}

// Observable state.

std::vector<const engine::Port*> DieNetwork::ports() const {
  std::vector<const engine::Port*> all;
  for (const Link& link : links_)
    for (const engine::Port& port : link.ports) all.push_back(&port);
  return all;
}

std::vector<NamedWire> DieNetwork::wires() const {
  std::vector<NamedWire> all;
  for (const Link& link : links_) all.push_back({link.name(), &link.wire, link.wire.ahead(now(link.sender))});
  return all;
}

std::vector<DieNetwork::LinkBytes> DieNetwork::bytes() const {
  std::vector<LinkBytes> all;
  for (std::size_t i = 0; i < links_.size(); i += 2) {
    all.push_back({links_[i].name(), links_[i].wire.bytes(), links_[i + 1].wire.bytes()});
  }
  return all;
}

void DieNetwork::collect(stats::Collector& collector) const {
  for (const Link& link : links_) {
    const std::string& name = link.name();
    if (link.request_time.limited()) {
      collector.resource(name, "one direction of a link: requests, and responses to requests of the other end",
                         link.wire.busy(), link.wire.served(), link.wire.ahead(now(link.sender)));
    }
    const stats::Collector::Scope scope(collector, name);
    collector.count("bytes", "bytes", "moved over it, headers included", link.wire.bytes());
    std::uint64_t held_up = 0;
    for (const engine::Port& port : link.ports) held_up += port.waited();
    collector.count("held up", "requests", "waited for an entry in the queue at its far end", held_up);
  }
}

}  // namespace strata::fabric
