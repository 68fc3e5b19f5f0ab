// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stats/collector.hpp"
namespace strata::machine {
template <class Block>
void tell(const Block& block, stats::Collector& collector) {
  if constexpr (requires { block.collect(collector); }) block.collect(collector);
}
}  // namespace strata::machine
