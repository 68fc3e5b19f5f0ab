// SPDX-License-Identifier: Apache-2.0
// The figures of a crossbar between cores and slices, in cycles of its clock.
#pragma once
#include <cstdint>

#include "base/quantity.hpp"
#include "config/schema.hpp"

namespace strata::fabric {

struct CrossbarSpec {
  /// Flight of a request's head, mean over all slices.
  Cycles request_latency{20};
  /// Flight of an answer's head, mean over all slices.
  Cycles response_latency{20};
  /// How much longer the farthest slice is away than the nearest, each way.
  Cycles span{0};
  /// Wires; 0: never the limit.
  BytesPerClock source_request_width{64};
  BytesPerClock source_response_width{64};
  BytesPerClock group_request_width{0};
  BytesPerClock group_response_width{0};
  BytesPerClock destination_request_width{64};
  BytesPerClock destination_response_width{64};
  /// Requests in flight to a slice and in the buffer in front of it. A place is
  /// taken at launch, so full rate needs at least latency x requests a clock.
  std::uint32_t depth = 128;
  /// What a request weighs beside its data, and what an answer does.
  Bytes request_header{8};
  Bytes response_header{0};

  static config::Schema<CrossbarSpec> schema();
};

}  // namespace strata::fabric
