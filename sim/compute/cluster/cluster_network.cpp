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

std::uint64_t ClusterNetwork::bytes_read(const Access& access) const {
  return std::min<std::uint64_t>(access.bytes, access.passes * row_);
}

void ClusterNetwork::send(Access& access) {
  access.peer = static_cast<std::uint16_t>(members_.next(members_.self, access.core));
  const Time there = cross(access.core, (bytes_read(access) + row_ - 1) / row_);
  members_.unit(members_.self, access.core).mark(request_stage_, there);
  simulation_.at(there, engine::Priority::arrival, request_, &access);
}

void ClusterNetwork::on_request(Access& access) {
  const Time read = members_.unit(members_.self, access.peer).read_for_other(access);
  members_.unit(members_.self, access.core).mark(shared_stage_, read);
  simulation_.at(read, engine::Priority::arrival, data_, &access);
}

void ClusterNetwork::on_data(Access& access) {
  const Time there = cross(access.peer, (bytes_read(access) + packet_ - 1) / packet_);
  LoadStoreUnit& asker = members_.unit(members_.self, access.core);
  asker.mark(data_stage_, there);
  asker.answered_by_other(access, there);
}

void ClusterNetwork::collect(std::uint32_t core, stats::Collector& collector) const {
  const engine::Lane& port = ports_[core];
  collector.resource("cluster port", "requests to other cores of the group, and data for them", port.busy(),
                     port.served(), port.ahead(simulation_.now()));
}

}  // namespace strata::compute
