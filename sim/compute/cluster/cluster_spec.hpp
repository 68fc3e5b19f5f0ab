// SPDX-License-Identifier: Apache-2.0
// The network between the cores of a group, by which one reads the shared memory of another (distributed shared
// memory of a thread block cluster: CUDA C++ Programming Guide).
#pragma once
#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::compute {

struct ClusterSpec {
  BytesPerClock width;  ///< of a core's port into the network, requests and data together
  Bytes packet{32};     ///< of messages: one for a request of a row of the banks, as many as they fill for data
  Cycles latency;       ///< from port to core, each way

  static config::Schema<ClusterSpec> schema();
};

}  // namespace strata::compute
