// SPDX-License-Identifier: Apache-2.0
// The dies of a package and the links between them: two adjacent dies, or
// compute dies on a mesh of I/O dies. A request goes link by link along the
// routing table; at each hop it takes the wire of the link and a place in the
// finite buffer at its far end, which it keeps until the next hop, or the block
// at its destination, has a place for it. The answer goes back over the same
// links in the other direction. Both kinds share the wires, as two virtual
// channels; answers need no buffer, because who asks keeps a place for the
// answer, so they always sink and never wait behind a request.
//
// Where routing is balanced, a sender chooses between two routes by what it has
// itself sent and asked for over their links (RouteChoice). Each of the two
// sets of routes has buffers of its own, so each stays free of deadlock alone
// (O1TURN: Seo et al., Near-Optimal Worst-Case Throughput Routing for
// Two-Dimensional Mesh Networks, ISCA 2005).
//
// A hop costs one event, its far end, and at least the link's latency. Dies may
// belong to different processes: a link between two of them is all that they share,
// its latency bounds their lookahead, and its credits take as long to come back.
// A request that finds the
// buffer full costs one more. The first wire of an answer is booked when the
// answer is announced, so the block that answers costs none.
//
// Parcels (probes and what answers them) are a third virtual channel. They take the wires' time and their latency, and no
// buffer, as answers do.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "engine/clock.hpp"
#include "engine/port.hpp"
#include "engine/processes.hpp"
#include "engine/travelling_credits.hpp"
#include "fabric/die_network_spec.hpp"
#include "fabric/route_choice.hpp"
#include "fabric/routing.hpp"
#include "fabric/traffic.hpp"
#include "fabric/wire.hpp"
#include "memory/parcel.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::fabric {

class DieNetwork {
 public:
  /// nodes: dies that links may name. home_nodes[m]: the node of memory die m;
  /// empty: node m itself. clock: that in which a link's `width` counts.
  /// Throws std::invalid_argument: see Routing; also for two links between the
  /// same dies, and home nodes that are not there.
  /// process_of: each node's process; empty: all are of the first.
  DieNetwork(engine::Processes& processes, const engine::Timebase& timebase, engine::Clock clock,
             const DieNetworkSpec& spec, std::uint32_t nodes, std::span<const std::uint32_t> home_nodes,
             memory::StageNames& stages, std::span<const std::uint32_t> process_of = {});

  /// Who takes the requests that have arrived at their node. The transaction
  /// then holds a place in the last link's buffer.
  void attach(std::uint32_t node, memory::Sink sink);

  /// Sends a request from a node to that of transaction.home_die, leaving not
  /// before ready (>= now). At its own node it goes to the sink at once. The
  /// answer comes to the handler left before this call. There must be a way.
  void send(memory::Transaction& transaction, std::uint32_t from, Time ready);
  /// The way in at one node.
  memory::Sink input(std::uint32_t node);

  /// Carries a parcel from a node to its destination, leaving not before ready (>= now): over the wires of the first
  /// route, without a place in any buffer.
  void carry(memory::Parcel& parcel, std::uint32_t from, Time ready);

  /// Flight from node to node without any waiting, one way.
  Duration flight(std::uint32_t from, std::uint32_t to) const;
  /// Whether there is a way at all.
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    return from == to || routing().next(from, to) != Routing::none;
  }
  const Routing& routing() const { return routings_.front(); }

  /// Where the `depth` of a link keeps it from its width: how, and what helps.
  const std::vector<std::string>& shortages() const { return shortages_; }
  /// The buffers at the far ends of links, for a watchdog.
  std::vector<const engine::Port*> ports() const;
  /// Each link's wire, both directions.
  std::vector<NamedWire> wires() const;
  /// Bytes that went over link number `entry` of the spec, there and back.
  struct LinkBytes {
    std::string name;
    std::uint64_t there;
    std::uint64_t back;
  };
  std::vector<LinkBytes> bytes() const;
  /// Each direction of a link as a resource, with the bytes moved over it.
  void collect(stats::Collector& collector) const;

 private:
  /// What is remembered of a request on its return path.
  struct Route {
    std::uint32_t from;
    std::uint32_t to;
    unsigned sectors;
    unsigned way;  ///< which of the routings
    std::uint32_t pack() const { return from | (to << 8U) | (sectors << 16U) | (way << 24U); }
    static Route of(std::uint32_t word) {
      return {word & 0xFFU, (word >> 8U) & 0xFFU, (word >> 16U) & 0xFFU, word >> 24U};
    }
  };

  /// One direction of a link.
  struct Link {
    Link(DieNetwork& owner, const LinkSpec& spec, DirectedLink its_ends, Duration its_latency, std::uint32_t depth,
         std::size_t ways, memory::StageNames& stages);
    const std::string& name() const { return ports.front().name(); }
    bool within_process() const { return sender == receiver; }
    void request(memory::Transaction& transaction, Time ready);
    void launched(memory::Transaction& transaction);
    void launch(memory::Transaction& transaction, Time arrival);
    void arrived(memory::Transaction& first);
    void landed(memory::Transaction& transaction);
    void respond(memory::Transaction& transaction, const Route& route, Time ready);
    void arrived_back(memory::Transaction& transaction);
    void carry(memory::Parcel& parcel, Time ready);
    void carried(memory::Parcel& parcel);
    /// When a request that asks now leaves.
    Time board(const memory::Transaction& transaction);

    DieNetwork& network;
    DirectedLink ends;
    std::uint32_t sender, receiver;  ///< processes
    Duration latency;
    memory::Stage stage;
    memory::Stage wait_stage;
    WireTime request_time{};
    WireTime response_time{};
    bool requests_apart = false;
    Wire wire;
    memory::Transaction* last = nullptr;  ///< launched, while others may join it
    Time last_arrival{};
    engine::Handler on_launch = engine::handler<&Link::launched>(*this);
    engine::Handler on_arrival = engine::handler<&Link::arrived>(*this);
    engine::Handler on_back = engine::handler<&Link::arrived_back>(*this);
    engine::Handler on_parcel = engine::handler<&Link::carried>(*this);
    std::deque<engine::Port> ports;                 ///< one for each way
    std::deque<engine::TravellingCredits> credits;  ///< the same, where sender and receiver are two processes
  };
  struct Node {
    void take(memory::Transaction& transaction, Time ready) { network->send(transaction, index, ready); }
    DieNetwork* network;
    std::uint32_t index;
    memory::Sink sink{};
  };
  void forward(memory::Transaction& transaction, std::uint32_t node, Time ready);
  void answered(memory::Transaction& transaction);
  void answer(memory::Transaction& transaction, std::uint32_t from, std::uint32_t to, Time t);
  void step_back(memory::Transaction& transaction, std::uint32_t node, Time ready);
  std::uint32_t& back_link(const Route& route, std::uint32_t node) {
    const std::uint32_t nodes = routing().nodes();
    return back_[((route.way * nodes + route.from) * nodes + route.to) * nodes + node];
  }

  Time now(std::uint32_t process) const { return processes_[process].now(); }

  engine::Processes& processes_;
  std::vector<std::uint32_t> process_of_;  ///< by node
  std::vector<DirectedLink> ends_;
  std::vector<Routing> routings_;  ///< one, or two where routing is balanced
  std::vector<std::uint32_t> home_nodes_;
  std::vector<Node> nodes_;
  std::deque<Link> links_;            ///< entry e of the spec: 2e there, 2e + 1 back
  std::vector<LinkWires> wires_of_;   ///< by link, for these choices:
  std::vector<RouteChoice> choices_;  ///< by sending node, where routing is balanced
  std::vector<std::string> shortages_;
  std::vector<std::uint32_t> back_;  ///< by (way, from, to, node): the answer's link at node
  engine::HandlerNumber on_answer_ = processes_[0].number(engine::handler<&DieNetwork::answered>(*this));
};

}  // namespace strata::fabric
