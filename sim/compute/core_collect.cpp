// SPDX-License-Identifier: Apache-2.0
// The statistics of a core.
#include <fmt/format.h>

#include "compute/core.hpp"
#include "stats/collect_counters.hpp"

namespace strata::compute {

void Core::collect(stats::Collector& collector) const {
  stats::collect_counters(collector, statistics_);
  using Scope = stats::Collector::Scope;
  for (std::size_t i = 0; i < stalls; ++i) {
    const Scope scope(collector, stats::Block::warp_stall, stall_names[i].name);
    collector.count(fmt::format("stalled for {}", stall_names[i].name), "warp x ticks", stall_names[i].meaning,
                    static_cast<std::uint64_t>(statistics_.stalled[i].ticks));
  }
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    for (std::size_t p = 0; p < port_names_.size(); ++p) {
      const std::string port = several_ports() ? issue_port_label(port_names_[p]) : std::string("issue");
      const Scope scope(collector, stats::Block::issue_port, port);
      const std::vector<engine::Lane>& lanes = schedulers_[i].ports[p].lanes;
      for (std::size_t n = 0; n < lanes.size(); ++n) {
        std::string name = fmt::format("scheduler {}", i);
        if (several_ports()) name += fmt::format("/{}", port);
        if (lanes.size() > 1) name += fmt::format(" {}", n);
        collector.resource(name, "issues one instruction per interval", lanes[n].busy(), lanes[n].served(),
                           lanes[n].ahead(simulation_.now()));
      }
    }
    for (std::size_t p = 0; p < pipe_names_.size(); ++p) {
      const Scope scope(collector, stats::Block::pipe, pipe_names_[p]);
      collector.resource(fmt::format("scheduler {}/{} pipe", i, pipe_names_[p]), "executes a class of arithmetic",
                         schedulers_[i].pipes[p].busy(), schedulers_[i].pipes[p].served(),
                         schedulers_[i].pipes[p].ahead(simulation_.now()));
    }
  }
  if (tensor_) {
    const Scope scope(collector, TensorMemorySpec::name);
    tensor_->collect(collector, simulation_.now());
  }
  unit_.collect(collector);
}

}  // namespace strata::compute
