// SPDX-License-Identifier: Apache-2.0
// The statistics of a load/store unit.
#include <array>

#include "compute/cluster/cluster_network.hpp"
#include "compute/load_store/load_store_unit.hpp"

namespace strata::compute {

void LoadStoreUnit::collect(stats::Collector& collector) const {
  collector.count("lines", "requests", "line requests sent", flow_.entered());
  collector.count("lines answered", "requests", "of these, answered", flow_.answered());
  collector.count("lines in flight", "requests x ticks", "lines in flight, integrated over time",
                  static_cast<std::uint64_t>(flow_.area().ticks));
  collector.count("line latency", "ticks", "sum of the latencies of answered lines",
                  static_cast<std::uint64_t>(flow_.latencies().ticks));
  collector.count("queue full", "instructions", "instructions that found the queue full", stood_in_line_);
  constexpr std::array<const char*, shared_pipe> names{"load/store unit", "scalar unit", "texture unit",
                                                       BulkCopySpec::name};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (outlets_[i].function == nullptr) continue;
    collector.resource(names[i], "forms line requests, an instruction after the other", pipes_[i].lane.busy(),
                       pipes_[i].lane.served(), pipes_[i].lane.ahead(simulation_.now()));
  }
  if (spec_.return_width)
    collector.resource("register return", "brings what caches answer into the registers", return_lane_.busy(),
                       return_lane_.served(), return_lane_.ahead(simulation_.now()));
  collector.resource(shares_array_ ? "data banks" : "shared memory banks",
                     shares_array_ ? "the one array of L1 and shared memory" : "the banks of shared memory",
                     shared_.bank_lane().busy(), shared_.bank_lane().served(),
                     shared_.bank_lane().ahead(simulation_.now()));
  if (network_ != nullptr) network_->collect(core_, collector);
}

}  // namespace strata::compute
