// SPDX-License-Identifier: Apache-2.0
// Construction of a crossbar from its spec, and its observable state.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "fabric/crossbar.hpp"
#include "stats/collect_counters.hpp"

#include "base/invalid_request.hpp"

namespace strata::fabric {

namespace {

std::vector<std::uint32_t> group_sizes(const CrossbarShape& shape) {
  if (!shape.group_sizes.empty()) {
    const auto sum = std::accumulate(shape.group_sizes.begin(), shape.group_sizes.end(), std::uint64_t{0});
    if (sum != shape.sources || std::ranges::find(shape.group_sizes, 0U) != shape.group_sizes.end())
      throw InvalidRequest(
          fmt::format("groups of {} cores do not add up to the {} of the die: give each group its size, above 0",
                      fmt::join(shape.group_sizes, ", "), shape.sources));
    return shape.group_sizes;
  }
  std::vector<std::uint32_t> sizes(shape.sources / shape.sources_per_group, shape.sources_per_group);
  if (const std::uint32_t rest = shape.sources % shape.sources_per_group) sizes.push_back(rest);
  return sizes;
}

}  // namespace

Crossbar::Destination::Destination(Crossbar& owner, std::uint32_t its_index, const engine::Handler& its_receiver,
                                   std::string name)
    : crossbar(owner),
      receiver(its_receiver),
      position(owner.place(its_index, owner.shape_.destinations, true)),
      port(owner.simulation_, std::move(name), engine::handler<&Destination::arrived>(*this), {}, owner.depth_) {}

Crossbar::Widths Crossbar::widths_of(engine::Clock clock, const CrossbarSpec& spec, engine::Clock cores) {
  const auto request = [&](engine::Clock by, BytesPerClock width) {
    return WireTime::from(by, width, spec.request_header);
  };
  const auto data = [&](BytesPerClock width) { return WireTime::from(cores, width, Bytes{0}); };
  const auto response = [&](engine::Clock by, BytesPerClock width) {
    return WireTime::from(by, width, spec.response_header);
  };
  return {.source_request = request(cores, spec.source_request_width),
          .source_write = data(spec.source_write_width),
          .source_response = response(cores, spec.source_response_width),
          .cluster_write = data(spec.cluster_write_width),
          .group_request = request(cores, spec.group_request_width),
          .group_write = data(spec.group_write_width),
          .group_response = response(cores, spec.group_response_width),
          .destination_request = spec.request_packet.value > 0
                                     ? WireTime::in_packets(clock, spec.destination_request_width, spec.request_packet)
                                     : request(clock, spec.destination_request_width),
          .destination_response = response(clock, spec.destination_response_width)};
}

Crossbar::Crossbar(engine::Simulation& simulation, engine::Clock clock, const CrossbarSpec& spec,
                   const CrossbarShape& shape, std::span<const engine::Handler> receivers, memory::StageNames& stages,
                   std::string_view name)
    : simulation_(simulation),
      widths_(widths_of(clock, spec, shape.source_clock.value_or(clock))),
      stops_(spec.stops ? std::optional<StopNetwork>(std::in_place, *spec.stops, clock, spec.request_header,
                                                     spec.response_header)
                        : std::nullopt),
      span_(clock.cycles(spec.span.value)),
      near_(clock.cycles(1)),
      stand_aside_(spec.stand_aside),
      request_stage_(stages.add(fmt::format("{} request", name))),
      request_wait_(stages.add(fmt::format("{} request wait", name))),
      response_stage_(stages.add(fmt::format("{} response", name))),
      response_wait_(stages.add(fmt::format("{} response wait", name))),
      coalesced_stage_(stages.add(fmt::format("{} wait (coalesced)", name))),
      shape_(shape),
      longest_flight_{spec.request_latency.value +
                      (stops_ ? stops_->most_hops() * spec.stops->hop_latency.value : spec.span.value / 2)},
      slice_width_(spec.destination_response_width),
      name_(name) {
  constexpr std::uint32_t most = 0x3FFF;
  if (shape.sources == 0 || shape.destinations == 0 || shape.sources_per_group == 0 || shape.sources > most ||
      shape.destinations > most) {
    throw InvalidRequest("a crossbar joins 1 to 16383 sources and destinations");
  }
  if (receivers.size() != shape.destinations) {
    throw InvalidRequest("a crossbar needs one receiver for each destination");
  }
  depth_ = spec.depth != 0 ? spec.depth : static_cast<std::uint32_t>(std::ceil(longest_flight_.value)) + 32;
  for (std::uint32_t i = 0; i < shape.destinations; ++i)
    slices_.push_back(&destinations_.emplace_back(*this, i, receivers[i], fmt::format("{} to {}", name, i)));
  build_sources(spec, clock);
  build_turns(spec);
}

void Crossbar::build_turns(const CrossbarSpec& spec) {
  if (spec.arbitration == Arbitration::first_come) return;
  std::uint32_t parties = 0;
  for (Source& source : sources_) {
    source.party = spec.arbitration == Arbitration::core      ? source.index
                   : spec.arbitration == Arbitration::cluster ? source.cluster
                                                              : source.group;
    parties = std::max(parties, source.party + 1);
  }
  for (Destination& destination : destinations_) destination.turns.emplace(parties, shape_.sources, spec.grants);
}

void Crossbar::build_sources(const CrossbarSpec& spec, engine::Clock clock) {
  std::uint32_t index = 0;
  const std::uint32_t most = std::max(shape_.sources_per_cluster, 1U);
  const std::uint32_t run = shape_.cluster_run == 0 ? most : shape_.cluster_run;
  for (const std::uint32_t size : group_sizes(shape_)) {
    const std::uint32_t clusters = (size + most - 1) / most;
    const auto first = static_cast<std::uint32_t>(clusters_.size());
    clusters_.resize(first + clusters);
    const auto first_coalescer = static_cast<std::uint32_t>(coalescers_.size());
    const bool by_cluster = spec.coalescer && spec.coalescer->scope == CoalescerScope::cluster;
    if (spec.coalescer)
      for (std::uint32_t i = 0; i < (by_cluster ? clusters : 1); ++i) coalescers_.emplace_back(*spec.coalescer);
    for (std::uint32_t i = 0; i < size; ++i) {
      Source& source = sources_.emplace_back();
      source.crossbar = this;
      source.index = index;
      source.group = static_cast<std::uint32_t>(groups_.size());
      const std::uint32_t cluster = i / run % clusters;
      source.cluster = first + cluster;
      if (spec.coalescer) source.coalescer = &coalescers_[first_coalescer + (by_cluster ? cluster : 0)];
      source.position = place(index++, shape_.sources, false);
      source.request_base = base_of(source, clock.cycles(spec.request_latency.value));
      source.response_base = base_of(source, clock.cycles(spec.response_latency.value));
    }
    groups_.emplace_back();
  }
}

Duration Crossbar::base_of(const Source& source, Duration mean) const {
  if (stops_) return mean;  // hops are added
  std::int64_t sum = 0;
  for (const Destination& destination : destinations_) sum += by_distance(source, destination).ticks;
  const auto count = static_cast<std::int64_t>(destinations_.size());
  const Duration base = mean - Duration{(sum + count / 2) / count};
  if (base < Duration{}) {
    throw InvalidRequest(name_ + ": the mean latency is shorter than half the span");
  }
  return base;
}

// ---- observable state ------------------------------------------------------

std::string Crossbar::shortage() const {
  const double needed = std::ceil(longest_flight_.value * slice_width_.value / memory::block_bytes);
  if (slice_width_.value <= 0 || depth_ >= needed) return {};
  return fmt::format(
      "{}: {} requests in flight limit a slice to {:.3g} of its {:.3g} B/clk: depth of {} or more, or 0 for enough, "
      "reaches the full width",
      name_, depth_, depth_ * static_cast<double>(memory::block_bytes) / longest_flight_.value, slice_width_.value,
      needed);
}

std::vector<const engine::Port*> Crossbar::ports() const {
  std::vector<const engine::Port*> all;
  for (const Destination& destination : destinations_) all.push_back(&destination.port);
  return all;
}

// What lies ahead of a core's response port. Behind a congested port of its group its bookings have idle spans between
// them, while other cores of the group take that port; of what waits there the core has its usual share.
Duration Crossbar::response_ahead(const Source& source, Time now) const {
  const Wire& group = groups_[source.group].response;
  const Duration booked = source.response.ahead(now);
  if (group.busy() <= Duration{}) return booked;
  const Duration waiting = group.ahead(now);
  const double share = static_cast<double>(source.response.busy().ticks) / static_cast<double>(group.busy().ticks);
  const Duration at_group{std::llround(share * static_cast<double>(waiting.ticks))};
  return std::min(booked, at_group + longer(booked - waiting, Duration{}));
}

std::vector<NamedWire> Crossbar::wires() const {
  std::vector<NamedWire> all;
  const Time now = simulation_.now();
  const auto put = [&](const WireTime& time, const char* whose, std::size_t index, const char* what, const auto& wire,
                       Duration ahead) {
    if (time.limited()) all.push_back({fmt::format("{} {} {}", whose, index, what), &wire, ahead});
  };
  const auto add = [&](const WireTime& time, const char* whose, std::size_t index, const char* what, const auto& wire) {
    put(time, whose, index, what, wire, wire.ahead(now));
  };
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    add(widths_.source_request, shape_.source_name, i, "request", sources_[i].request);
    add(widths_.source_write, shape_.source_name, i, "write", sources_[i].write);
    put(widths_.source_response, shape_.source_name, i, "response", sources_[i].response,
        response_ahead(sources_[i], now));
  }
  for (NamedWire& wire : all) wire.of_source = true;
  if (stops_) stops_->wires(all, now);
  for (std::size_t i = 0; i < clusters_.size(); ++i) add(widths_.cluster_write, "cluster", i, "write", clusters_[i]);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    add(widths_.group_request, "group", i, "request", groups_[i].request);
    add(widths_.group_write, "group", i, "write", groups_[i].write);
    add(widths_.group_response, "group", i, "response", groups_[i].response);
  }
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    add(widths_.destination_request, "slice", i, "request", destinations_[i].request);
    add(widths_.destination_response, "slice", i, "response", destinations_[i].response);
  }
  return all;
}

std::uint64_t Crossbar::reads_coalesced() const {
  std::uint64_t reads = 0;
  for (const RequestCoalescer& coalescer : coalescers_) reads += coalescer.counters().joined;
  return reads;
}

std::uint64_t Crossbar::sectors_coalesced() const {
  std::uint64_t sectors = 0;
  for (const RequestCoalescer& coalescer : coalescers_) sectors += coalescer.counters().sectors_joined;
  return sectors;
}

void Crossbar::collect(stats::Collector& collector) const {
  for (std::size_t i = 0; i < coalescers_.size(); ++i) {
    const stats::Collector::Scope scope(collector, fmt::format("coalescer {}", i));
    stats::collect_counters(collector, coalescers_[i].counters());
  }
  for (const NamedWire& wire : wires()) {
    const stats::Collector::Scope side(collector,
                                       wire.of_source ? stats::Block::crossbar_source : stats::Block::crossbar);
    collector.resource(wire.name, "a port of the crossbar", wire.use->busy(), wire.use->served(), wire.ahead);
    const stats::Collector::Scope scope(collector, wire.name);
    collector.count("bytes", "bytes", "moved over it, headers included", wire.use->bytes());
  }
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    collector.count(fmt::format("slice {} held up", i), "requests", "waited for an entry in the queue of the slice",
                    destinations_[i].port.waited());
  }
}

}  // namespace strata::fabric
