// SPDX-License-Identifier: Apache-2.0
#include "cache/coherence/probe_filter_spec.hpp"

namespace strata::cache {

using config::range;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

config::Schema<ProbeFilterSpec> ProbeFilterSpec::schema() {
  return config::Schema<ProbeFilterSpec>("probe filter",
                                         "a directory of the copies that coherent accesses leave in private L2s")
      .required("capacity", &ProbeFilterSpec::capacity, "of the lines that all slices together can follow",
                range(128_B, 1024_GiB))
      .optional("ways", &ProbeFilterSpec::ways, "entries of a set", range<std::uint64_t>(1, 1024))
      .optional("latency", &ProbeFilterSpec::latency,
                "of a look-up before probes are sent, in cycles of the memory-side cache", range(0_clk, 10'000_clk));
}

}  // namespace strata::cache
