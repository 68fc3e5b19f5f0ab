// SPDX-License-Identifier: Apache-2.0
#include "compute/cluster/cluster_network.hpp"

#include <algorithm>
#include <cmath>

#include "compute/load_store/load_store_unit.hpp"

namespace strata::compute {

ClusterNetwork::ClusterNetwork(engine::Simulation& simulation, const ClusterSpec& spec, Bytes row,
                               const engine::Clock& clock, std::uint32_t cores, memory::StageNames& stages,
                               const ClusterMembers& members)
    : simulation_(simulation),
      members_(members),
      packet_(spec.packet.value),
      row_(row.value),
      packet_ticks_(static_cast<double>(spec.packet.value) / spec.width.value *
                    static_cast<double>(clock.period().ticks)),
      latency_(clock.cycles(spec.latency.value)),
      request_stage_(stages.add("cluster network request")),
      shared_stage_(stages.add("shared memory of the other core")),
      data_stage_(stages.add("cluster network data")),
      ports_(cores) {}

Time ClusterNetwork::cross(std::uint32_t from, std::uint64_t packets) {
  const Duration occupancy{std::llround(static_cast<double>(packets) * packet_ticks_)};
  return ports_[from].reserve(simulation_.now(), occupancy) + latency_;
}

std::uint64_t ClusterNetwork::bytes_moved(const RemotePart& part) const {
  return std::min<std::uint64_t>(part.bytes, part.passes * row_);
}

// A request for each row of the banks; the words of a store or an atomic follow it. What lies in the core itself does not
// cross the network.
void ClusterNetwork::send(Access& access) {
  access.parts_left = static_cast<std::uint32_t>(access.parts.size());
  const bool brings = !access.load || access.atomic;
  for (RemotePart& part : access.parts) {
    Time there = simulation_.now();
    if (part.peer != access.core) {
      const std::uint64_t requests = (bytes_moved(part) + row_ - 1) / row_;
      there = cross(access.core, requests + (brings ? data_packets(part) : 0));
    }
    unit(access.core).mark(request_stage_, there);
    simulation_.at(there, engine::Priority::arrival, request_, &part);
  }
}

void ClusterNetwork::on_request(RemotePart& part) {
  const Time served = unit(part.peer).serve_other(part);
  unit(part.access->core).mark(shared_stage_, served);
  if (part.peer == part.access->core) return answered(*part.access, served);
  simulation_.at(served, engine::Priority::arrival, data_, &part);
}

void ClusterNetwork::on_data(RemotePart& part) {
  // What returns nothing is acknowledged in one packet.
  answered(*part.access, cross(part.peer, part.access->returns ? data_packets(part) : 1));
}

void ClusterNetwork::answered(Access& access, Time t) {
  access.answered = later(access.answered, t);
  if (--access.parts_left > 0) return;
  LoadStoreUnit& asker = unit(access.core);
  asker.mark(data_stage_, access.answered);
  asker.answered_by_other(access, access.answered);
}

void ClusterNetwork::collect(std::uint32_t core, stats::Collector& collector) const {
  const engine::Lane& port = ports_[core];
  collector.resource("cluster port", "requests to other cores of the group, and data for them", port.busy(),
                     port.served(), port.ahead(simulation_.now()));
}

}  // namespace strata::compute
