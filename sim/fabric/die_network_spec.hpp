// SPDX-License-Identifier: Apache-2.0
// The dies of a package and the links between them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::fabric {

/// A link that carries traffic both ways, each way with the full figures.
struct LinkSpec {
  std::string name;        ///< name in reports; empty: "link FROM-TO"
  std::uint32_t from = 0;  ///< a node of the network
  std::uint32_t to = 0;
  BytesPerSecond bandwidth{0};  ///< each way; 0: as `width` says
  BytesPerClock width{0};       ///< each way, where `bandwidth` is 0; 0 as well: never the limit
  Nanoseconds latency{0};       ///< flight of a message's head, each way
  /// Requests in flight and in the buffer at the far end, each way; 0: enough for
  /// the link's width over its latency in sectors, and 64 more.
  std::uint32_t depth = 0;
  static constexpr std::uint32_t most_depth = 65536;

  static config::Schema<LinkSpec> schema();
};

/// Which of several shortest routes a message takes.
enum class RouteRule : std::uint8_t { first_listed, balanced };

struct DieNetworkSpec {
  /// Among routes of equal length, a node takes the link that stands first
  /// here: in a mesh whose x links are listed before its y links, a request
  /// goes along x first.
  std::vector<LinkSpec> links;
  RouteRule routing = RouteRule::first_listed;
  Bytes request_header{16};     ///< header of a request, in addition to its data
  Bytes response_header{0};     ///< header of a response, in addition to its data
  bool requests_apart = false;  ///< requests without data have wires of their own, never the limit

  static config::Schema<DieNetworkSpec> schema();
};

}  // namespace strata::fabric
