// SPDX-License-Identifier: Apache-2.0
// The crossbar between the cores of a die and its cache slices (Dally and
// Towles: Principles and Practices of Interconnection Networks, 2004, chapters
// 6 and 17). A request takes the wire of its core, those of the core's cluster
// and group where they have one, then the wire and a place in the finite
// buffer in front of its slice. The answer takes the wire out of the slice,
// that into the group and that into the core. All wires serve first come first
// served, so no request starves; answers need no buffer, because the requester keeps a
// place for the answer, so they always sink.
//
// A request whose slice is full waits aside, and later ones of its core pass it, up to a number
// of them (virtual output queues of finite depth); then the core's port stops, in order, and
// what it holds upstream it keeps holding. The slice takes those that wait in the order in
// which they came, or stores and atomics of each core, cluster or group in turn (turns.hpp):
// then a store may pass loads of other cores, not of its own.
//
// Cores and slices sit evenly on a ring; the flight grows with the way round
// it. Every core has the same mean flight over all slices, the one of the
// spec, and sees a spread of `span`.
//
// Where stops are given, the spec's flight is that to and from a ring or a mesh: its hops come
// on top, and messages wait for its links (stop_network.hpp).
//
// Where there is a request coalescer, a read that joins another goes no farther
// than that; the answer comes over the group's wire once and then takes the wire
// of each core that waits for it.
//
// A request costs one event, its arrival, and one more for each of two waits:
// for its core's wire, if its turn is more than a cycle off, and for a full
// slice. Cluster, group and slice are asked at the same instant, when the core's
// wire lets the request go or will within a cycle, and it leaves when the last of them
// has its turn. Its answer costs one at the core's end of
// the crossbar, where the wires into group and core are asked in the exact
// order of arrival, and one more if it must wait there; the wire out of the
// slice is booked when the slice announces its answer (see wire.hpp).
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/clock.hpp"
#include "engine/port.hpp"
#include "fabric/crossbar_spec.hpp"
#include "fabric/request_coalescer.hpp"
#include "fabric/stop_network.hpp"
#include "fabric/traffic.hpp"
#include "fabric/turns.hpp"
#include "fabric/wire.hpp"
#include "memory/stages.hpp"
#include "memory/values.hpp"
#include "stats/collector.hpp"

namespace strata::fabric {

/// How many of what a crossbar joins. Groups are of consecutive sources.
struct CrossbarShape {
  std::uint32_t sources = 1;
  std::uint32_t sources_per_group = 1;  ///< where all groups are alike
  std::uint32_t destinations = 1;
  /// Sizes of groups that are not alike; their sum is `sources`. Empty: all alike.
  std::vector<std::uint32_t> group_sizes{};
  /// A group falls into clusters of so many, the last of them the rest. 0: none.
  std::uint32_t sources_per_cluster = 0;
  /// Adjacent sources in one cluster; the next go to the next of the group,
  /// and after the last to the first again. 0: all sources of a cluster are adjacent.
  std::uint32_t cluster_run = 0;
  /// That in which widths on the cores' side count; none: the crossbar's own.
  std::optional<engine::Clock> source_clock{};
  const char* source_name = "core";  ///< of the wires of a source
};

class Crossbar {
 public:
  /// receivers: the arrival handler of each destination, called with the
  /// transaction, which then holds a place in the destination's buffer. name
  /// goes before the names of ports and wires.
  /// Throws std::invalid_argument where a mean latency is shorter than half
  /// the span allows, a count is 0, groups do not add up to the sources, or the
  /// receivers are not as many as the destinations.
  Crossbar(engine::Simulation& simulation, engine::Clock clock, const CrossbarSpec& spec, const CrossbarShape& shape,
           std::span<const engine::Handler> receivers, memory::StageNames& stages, std::string_view name);

  /// Sends a request from source to destination, leaving not before ready.
  /// Sets transaction.slice to the destination. The answer comes to the
  /// handler left before this call.
  void send(memory::Transaction& transaction, std::uint32_t source, std::uint32_t destination, Time ready) {
    transaction.slice = static_cast<std::uint16_t>(destination);
    take(transaction, source, ready);
  }
  /// The way in for one source; requests go to the destination transaction.slice.
  memory::Sink input(std::uint32_t source);

  /// Flight of the head without any waiting.
  Duration request_flight(std::uint32_t source, std::uint32_t destination) const;
  Duration response_flight(std::uint32_t source, std::uint32_t destination) const;

  /// Places for requests in flight to one slice and in its buffer.
  std::uint32_t depth() const { return depth_; }
  /// Where `depth` keeps a slice from its width: how, and what helps. Empty: nowhere.
  std::string shortage() const;
  /// The buffers in front of the destinations, for a watchdog.
  std::vector<const engine::Port*> ports() const;
  /// Every wire with a width.
  std::vector<NamedWire> wires() const;
  /// Reads that were answered with another's, and their sectors.
  std::uint64_t reads_coalesced() const;
  std::uint64_t sectors_coalesced() const;
  /// Whom to report answers that are shared; nullptr: none.
  void keep_values(memory::Values* values) { values_ = values; }
  /// Each of those as a resource, with the bytes moved over it.
  void collect(stats::Collector& collector) const;

 private:
  struct Source {
    Crossbar* crossbar;
    std::uint32_t index;
    std::uint32_t group;
    std::uint32_t cluster;
    std::uint32_t party = 0;  ///< whose turn its requests take at full slices
    RequestCoalescer* coalescer = nullptr;
    std::uint32_t aside = 0;    ///< requests that wait at full slices
    std::uint32_t on_wire = 0;  ///< requests that wait for the core's own wire
    std::int64_t position;      ///< on the ring of the span, or a stop
    Duration request_base{};    ///< flight to a slice at no distance
    Duration response_base{};
    Wire response;
    Wire request;
    Wire write;
    engine::MessageList stopped{};  ///< what waits behind a port that has stopped

    void take(memory::Transaction& transaction, Time ready) { crossbar->take(transaction, index, ready); }
  };
  struct Group {
    Wire response;
    Wire request;
    Wire write;
  };
  struct Destination {
    Destination(Crossbar& owner, std::uint32_t its_index, const engine::Handler& its_receiver, std::string name);
    void arrived(memory::Transaction& transaction);
    void launched(memory::Transaction& transaction);
    void wait(memory::Transaction& transaction, const Source& source);

    Crossbar& crossbar;
    engine::Handler receiver;
    std::int64_t position;
    Wire request;
    BackfillWire response;
    engine::Handler on_arrival = engine::handler<&Destination::arrived>(*this);
    engine::Port port;
    std::optional<Turns> turns{};
  };
  /// The wires of one kind, all alike.
  struct Widths {
    WireTime source_request, source_write, source_response;
    WireTime cluster_write;
    WireTime group_request, group_write, group_response;
    WireTime destination_request, destination_response;
  };
  /// What is remembered of a request on its return path.
  struct Route {
    std::uint32_t source;
    std::uint32_t destination;
    unsigned sectors;
    std::uint32_t pack() const { return source | (destination << 14U) | (sectors << 28U); }
    static Route of(std::uint32_t word) { return {word & 0x3FFFU, (word >> 14U) & 0x3FFFU, word >> 28U}; }
  };

  // Positions on the ring are fixed-point fractions of its circumference.
  static constexpr unsigned ring_bits = 20;
  static constexpr std::int64_t ring = std::int64_t{1} << ring_bits;
  // The index-th of count places; half a step off zero, so that cores and slices interleave.
  std::int64_t place(std::uint32_t index, std::uint32_t count, bool between) const {
    return stops_ ? stops_->stop_of(index, count) : on_ring(index, count, between);
  }
  static constexpr std::int64_t on_ring(std::int64_t index, std::int64_t count, bool between) {
    return (2 * index + (between ? 1 : 0)) * ring / (2 * count);
  }
  static Widths widths_of(engine::Clock clock, const CrossbarSpec& spec, engine::Clock cores);
  void build_sources(const CrossbarSpec& spec, engine::Clock clock);
  void build_turns(const CrossbarSpec& spec);
  void take(memory::Transaction& transaction, std::uint32_t index, Time ready);
  bool stops(const Source& source) const { return source.aside + source.on_wire > stand_aside_; }
  void go_on(Source& source);
  void board(memory::Transaction& transaction, Source& source, Time ready);
  void boarded(memory::Transaction& transaction);
  void inject(memory::Transaction& transaction, Source& source, Duration lead);
  Time pass_group(Source& source, unsigned sectors);
  void answered(memory::Transaction& transaction);
  void returned(memory::Transaction& transaction);
  void share(const memory::Transaction& leader, RequestCoalescer& coalescer, Time through);
  void shared(memory::Transaction& transaction);
  Duration response_ahead(const Source& source, Time now) const;
  Duration by_distance(const Source& source, const Destination& destination) const;
  Duration request_wait(const Source& source, const Destination& destination, Time t, unsigned sectors);
  Duration response_wait(const Source& source, const Destination& destination, Time t, unsigned sectors);
  Duration base_of(const Source& source, Duration mean) const;

  engine::Simulation& simulation_;
  Widths widths_;
  std::optional<StopNetwork> stops_;
  Duration span_;
  Duration near_;  ///< a turn on the core's wire no farther off costs no event
  std::uint32_t depth_;
  std::uint32_t stand_aside_;
  memory::Stage request_stage_;
  memory::Stage request_wait_;
  memory::Stage response_stage_;
  memory::Stage response_wait_;
  memory::Stage coalesced_stage_;
  engine::Handler on_boarded_ = engine::handler<&Crossbar::boarded>(*this);
  engine::HandlerNumber on_answer_ = simulation_.number(engine::handler<&Crossbar::answered>(*this));
  engine::Handler on_return_ = engine::handler<&Crossbar::returned>(*this);
  engine::HandlerNumber on_shared_ = simulation_.number(engine::handler<&Crossbar::shared>(*this));
  std::vector<Source> sources_;
  std::vector<Wire> clusters_;
  std::vector<Group> groups_;
  std::deque<RequestCoalescer> coalescers_;
  memory::Values* values_ = nullptr;
  std::deque<Destination> destinations_;
  std::vector<Destination*> slices_;  ///< the same, for those that look one up
  CrossbarShape shape_;
  Cycles longest_flight_{0};
  BytesPerClock slice_width_;
  std::string name_;
};

}  // namespace strata::fabric
