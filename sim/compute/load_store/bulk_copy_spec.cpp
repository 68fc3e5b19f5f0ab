// SPDX-License-Identifier: Apache-2.0
#include "compute/load_store/bulk_copy_spec.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<BulkCopySpec> BulkCopySpec::schema() {
  return Schema<BulkCopySpec>(BulkCopySpec::name, "the unit that copies tiles from memory into shared memory")
      .required("setup", &BulkCopySpec::setup, "of a copy, in addition to the latency of its lines",
                range(0_clk, 10000_clk))
      .required("per_line", &BulkCopySpec::per_line, "from one line request to the next", range(0.125_clk, 1000_clk))
      .optional("queue", &BulkCopySpec::queue, "entries for waiting copies", range(1, 256))
      .optional("lines", &BulkCopySpec::lines, "maximum number of outstanding line requests", range(1, 65536));
}

}  // namespace strata::compute
