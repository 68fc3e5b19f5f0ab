// SPDX-License-Identifier: Apache-2.0
#include "compute/tensor_memory/tensor_memory_spec.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<TensorMemorySpec> TensorMemorySpec::schema() {
  return Schema<TensorMemorySpec>(name,
                                  "memory for the accumulators of matrix products, a partition for each scheduler")
      .optional("columns", &TensorMemorySpec::columns, "columns, each with 32 bits of every row", range(1, 65536),
                config::power_of_two())
      .optional("unit", &TensorMemorySpec::unit, "minimum number of columns of an allocation; more in powers of two",
                range(1, 65536), config::power_of_two())
      .optional("width", &TensorMemorySpec::width, "of the read port and of the write port of a partition",
                range(4_B_clk, 4096_B_clk))
      .required("latency", &TensorMemorySpec::latency, "of a load, from issue until its result can be used",
                range(1_clk, 1000_clk))
      .optional("products_per_clock", &TensorMemorySpec::products_per_clock,
                "multiplications and additions of 16-bit operands per clock, of a partition", range(1, 1 << 20))
      .required("product_latency", &TensorMemorySpec::product_latency,
                "from the last multiplication of a product until it can be read", range(0_clk, 1000_clk))
      .check("unit", [](const TensorMemorySpec& memory) {
        return memory.unit > memory.columns ? "is more than all columns" : "";
      });
}

}  // namespace strata::compute
