// SPDX-License-Identifier: Apache-2.0
// The figures of a crossbar between cores and slices. Latencies and the widths
// of slices count in cycles of the crossbar's clock; the widths of cores, of
// clusters and of groups in cycles of the cores' clock.
#pragma once
#include <cstdint>
#include <optional>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::fabric {

/// Which cores' reads are coalesced on their way to the slices.
enum class CoalescerScope : std::uint8_t { cluster, group };

struct CoalescerSpec {
  CoalescerScope scope = CoalescerScope::cluster;
  std::uint32_t entries = 1024;  ///< reads under way that others may join
  std::uint32_t merges = 64;     ///< that may join one

  static config::Schema<CoalescerSpec> schema();
};

/// Whose requests other than loads a full slice takes in turn; loads come in order of arrival.
enum class Arbitration : std::uint8_t { first_come, core, cluster, group };

/// How the stops of a network between cores and slices are joined.
enum class StopShape : std::uint8_t { ring, mesh };

/// A ring or a mesh in place of direct wires; see stop_network.hpp.
struct StopNetworkSpec {
  StopShape shape = StopShape::ring;
  std::uint32_t columns = 4;  ///< of a mesh; the stops of a ring
  std::uint32_t rows = 1;
  Cycles hop_latency{2};
  BytesPerClock link_width{64};  ///< each way, requests and answers apart; 0: never the limit

  static config::Schema<StopNetworkSpec> schema();
};

struct CrossbarSpec {
  /// Flight of a request's head, mean over all slices.
  Cycles request_latency{20};
  /// Flight of an answer's head, mean over all slices.
  Cycles response_latency{20};
  /// How much longer the farthest slice is away than the nearest, each way.
  Cycles span{0};
  /// Wires; 0: never the limit. Where a write width is given, the data of
  /// stores go over that wire alone and the request wire carries headers.
  BytesPerClock source_request_width{64};
  BytesPerClock source_write_width{0};
  BytesPerClock source_response_width{64};
  BytesPerClock cluster_write_width{0};
  BytesPerClock group_request_width{0};
  BytesPerClock group_write_width{0};
  BytesPerClock group_response_width{0};
  BytesPerClock destination_request_width{64};
  BytesPerClock destination_response_width{64};
  /// Requests in flight to a slice and in the buffer in front of it: a place is
  /// taken at launch. 0: as many as one request a cycle needs, and 32 more.
  std::uint32_t depth = 0;
  /// Requests of one core that may wait aside for full slices while later ones pass them; the
  /// next request to a full slice stalls the core's port.
  std::uint32_t stand_aside = 64;
  Arbitration arbitration = Arbitration::first_come;
  std::uint32_t grants = 1;  ///< requests of a party in a round
  /// What a request weighs beside its data, and what an answer does.
  Bytes request_header{8};
  Bytes request_packet{0};  ///< in which requests enter a slice, headers included; 0: by bytes
  Bytes response_header{0};
  std::optional<CoalescerSpec> coalescer;
  /// If given, its hops come on top of the latencies, and the span does not count.
  std::optional<StopNetworkSpec> stops;

  static config::Schema<CrossbarSpec> schema();
};

}  // namespace strata::fabric
