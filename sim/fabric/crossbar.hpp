// SPDX-License-Identifier: Apache-2.0
// The crossbar between the cores of a die and its cache slices (Dally and
// Towles: Principles and Practices of Interconnection Networks, 2004, chapters
// 6 and 17). A request takes the wire of its core, then that of the core's
// group where the group has one, then the wire and a place in the finite
// buffer in front of its slice. The answer takes the wire out of the slice,
// that into the group and that into the core. All wires serve first come first
// served, so nobody starves; answers need no buffer, because who asks keeps a
// place for the answer, so they always sink.
//
// Cores and slices sit evenly on a ring; the flight grows with the way round
// it. Every core has the same mean flight over all slices, the one of the
// spec, and sees a spread of `span`.
//
// A request that meets no one costs one event, its answer three: at the slice,
// at the core's end of the crossbar, and at whoever asked.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/clock.hpp"
#include "engine/port.hpp"
#include "fabric/crossbar_spec.hpp"
#include "fabric/gate.hpp"
#include "fabric/traffic.hpp"
#include "memory/stages.hpp"

namespace strata::fabric {

/// How many of what a crossbar joins. Groups are of consecutive sources.
struct CrossbarShape {
  std::uint32_t sources = 1;
  std::uint32_t sources_per_group = 1;
  std::uint32_t destinations = 1;
};

class Crossbar {
 public:
  /// receivers: the arrival handler of each destination, called with the
  /// transaction, which then holds a place in the destination's buffer. name
  /// goes before the names of ports and wires.
  /// Throws std::invalid_argument where a mean latency is shorter than half
  /// the span allows, a count is 0, or the receivers are not as many as the
  /// destinations.
  Crossbar(engine::Simulation& simulation, engine::Clock clock, const CrossbarSpec& spec,
           const CrossbarShape& shape, std::span<const engine::Handler> receivers,
           memory::StageNames& stages, std::string_view name);

  /// Sends a request from source to destination, leaving not before ready
  /// (>= now). Sets transaction.slice to the destination. The answer comes to
  /// the handler left before this call.
  void send(memory::Transaction& transaction, std::uint32_t source, std::uint32_t destination,
            Time ready);
  /// The way in for one source; requests go to the destination transaction.slice.
  memory::Sink input(std::uint32_t source);

  /// Flight of the head without any waiting.
  Duration request_flight(std::uint32_t source, std::uint32_t destination) const;
  Duration response_flight(std::uint32_t source, std::uint32_t destination) const;

  /// The buffers in front of the destinations, for a watchdog.
  std::vector<const engine::Port*> ports() const;
  /// Every wire with a width, for statistics and the name of a bottleneck.
  std::vector<NamedLane> wires() const;

 private:
  struct Group;
  struct Source {
    Source(Crossbar& owner, std::uint32_t its_index, Group& its_group);
    void take(memory::Transaction& transaction, Time ready);
    void injected(memory::Transaction& transaction, Time ready);
    void returned(memory::Transaction& transaction);
    void delivered(memory::Transaction& transaction, Time ready);

    Crossbar& crossbar;
    Group& group;
    std::uint32_t index;
    std::int64_t position;
    Duration request_base;  ///< flight to a slice at no distance
    Duration response_base;
    engine::Lane request_wire;
    engine::Lane response_wire;
    Gate inject;
    Gate deliver;
    engine::Handler on_return = engine::handler<&Source::returned>(*this);
  };
  struct Group {
    explicit Group(Crossbar& owner);
    void requested(memory::Transaction& transaction, Time ready);
    void responded(memory::Transaction& transaction, Time ready);

    Crossbar& crossbar;
    engine::Lane request_wire;
    engine::Lane response_wire;
    Gate request;
    Gate response;
  };
  struct Destination {
    Destination(Crossbar& owner, std::uint32_t its_index, const engine::Handler& its_receiver,
                std::uint32_t depth, std::string name);
    void arrived(memory::Transaction& transaction);
    void emitted(memory::Transaction& transaction, Time ready);

    Crossbar& crossbar;
    engine::Handler receiver;
    std::int64_t position;
    engine::Lane response_wire;
    Gate emit;
    Carry carry;
    engine::Port port;
  };
  /// What is remembered of a request on its return path.
  struct Route {
    std::uint32_t source;
    std::uint32_t destination;
    unsigned sectors;
    std::uint32_t pack() const { return source | (destination << 14U) | (sectors << 28U); }
    static Route of(const memory::Transaction& transaction) {
      const std::uint32_t word = transaction.context();
      return {word & 0x3FFFU, (word >> 14U) & 0x3FFFU, word >> 28U};
    }
  };

  void to_port(memory::Transaction& transaction, Time ready);
  void answered(memory::Transaction& transaction);
  Duration by_distance(const Source& source, const Destination& destination) const;
  Duration base_of(const Source& source, Duration mean) const;

  engine::Simulation& simulation_;
  CrossbarShape shape_;
  std::string name_;
  Duration span_;
  WireTime source_request_;
  WireTime group_request_;
  WireTime destination_request_;
  WireTime destination_response_;
  WireTime group_response_;
  WireTime source_response_;
  memory::Stage request_stage_;
  memory::Stage request_wait_;
  memory::Stage response_stage_;
  memory::Stage response_wait_;
  engine::Handler on_answer_ = engine::handler<&Crossbar::answered>(*this);
  std::deque<Group> groups_;
  std::deque<Destination> destinations_;
  std::deque<Source> sources_;
};

}  // namespace strata::fabric
