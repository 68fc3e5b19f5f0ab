// SPDX-License-Identifier: Apache-2.0
// Accesses to another core's shared memory in time. A core has one port into the network: its requests, the data that
// it writes and those that it sends to others take turns there, so cores that read each other get less than one that reads
// an idle one.
#pragma once
#include <cstdint>
#include <vector>

#include "compute/cluster/cluster_spec.hpp"
#include "compute/load_store/access.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::compute {

class LoadStoreUnit;

/// The cores that the network joins, by their index in the machine.
struct ClusterMembers {
  void* self = nullptr;
  LoadStoreUnit& (*unit)(void* self, std::uint32_t core) = nullptr;
  /// Whose shared memory a core reads where its kernel has no clusters: the next of its group.
  std::uint32_t (*next)(void* self, std::uint32_t core) = nullptr;
};

class ClusterNetwork {
 public:
  /// row: bytes of a pass over the banks. clock: of the cores.
  ClusterNetwork(engine::Simulation& simulation, const ClusterSpec& spec, Bytes row, const engine::Clock& clock,
                 std::uint32_t cores, memory::StageNames& stages, const ClusterMembers& members);
  ClusterNetwork(const ClusterNetwork&) = delete;
  ClusterNetwork& operator=(const ClusterNetwork&) = delete;

  LoadStoreUnit& unit(std::uint32_t core) const { return members_.unit(members_.self, core); }
  /// Whose shared memory a core reads where its kernel has no clusters.
  std::uint32_t next(std::uint32_t core) const { return members_.next(members_.self, core); }
  /// When the core's port can take more.
  Time free_at(std::uint32_t core) const { return ports_[core].free_at(); }
  /// Now, each part to its core; the load/store unit of access.core is notified when the last has answered.
  void send(Access& access);
  /// The port of a core.
  void collect(std::uint32_t core, stats::Collector& collector) const;

 private:
  void on_request(RemotePart& part);
  void on_data(RemotePart& part);
  void answered(Access& access, Time t);
  /// Of the words that it moves: lanes that access the same word move it once.
  std::uint64_t bytes_moved(const RemotePart& part) const;
  std::uint64_t data_packets(const RemotePart& part) const { return (bytes_moved(part) + packet_ - 1) / packet_; }
  /// When what is put on the port of that core now is at the other end.
  Time cross(std::uint32_t from, std::uint64_t packets);

  engine::Simulation& simulation_;
  ClusterMembers members_;
  std::uint64_t packet_;  ///< bytes
  std::uint64_t row_;
  double packet_ticks_;
  Duration latency_;
  memory::Stage request_stage_, shared_stage_, data_stage_;
  std::vector<engine::Lane> ports_;  ///< by core
  engine::Handler request_ = engine::handler<&ClusterNetwork::on_request>(*this);
  engine::Handler data_ = engine::handler<&ClusterNetwork::on_data>(*this);
};

}  // namespace strata::compute
