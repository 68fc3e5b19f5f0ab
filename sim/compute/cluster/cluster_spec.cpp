// SPDX-License-Identifier: Apache-2.0
#include "compute/cluster/cluster_spec.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<ClusterSpec> ClusterSpec::schema() {
  return Schema<ClusterSpec>(
             "cluster network",
             "the network between the cores of a group, through which a core reads the shared memory of another")
      .required("width", &ClusterSpec::width, "of a core's port to it, for requests and data together",
                range(1_B_clk, 4096_B_clk))
      .optional("packet", &ClusterSpec::packet,
                "of messages: a request of 32 words is one packet, data are as many as they fill", range(1_B, 4_KiB))
      .required("latency", &ClusterSpec::latency, "from a port to the other core, each way", range(0_clk, 10000_clk));
}

}  // namespace strata::compute
