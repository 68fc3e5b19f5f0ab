// SPDX-License-Identifier: Apache-2.0
// The statistics of a core.
#include <fmt/format.h>

#include "compute/core.hpp"

namespace strata::compute {

void Core::collect(stats::Collector& collector) const {
  collector.count("instructions", "instructions", "memory instructions completed", statistics_.instructions);
  collector.count("bytes loaded", "bytes", "by instructions completed, through the caches", statistics_.bytes_loaded);
  collector.count("bytes stored", "bytes", "by instructions completed, through the caches", statistics_.bytes_stored);
  collector.count("shared bytes loaded", "bytes", "by instructions completed, from shared memory",
                  statistics_.shared_bytes_loaded);
  collector.count("shared bytes stored", "bytes", "by instructions completed, to shared memory",
                  statistics_.shared_bytes_stored);
  collector.count("waits", "instructions", "instructions that waited for a load of their warp", statistics_.waits);
  collector.count("issued", "instructions", "instructions of every class issued by warps", statistics_.issued);
  collector.count("flops", "operations", "floating-point operations of all lanes", statistics_.flops);
  for (std::size_t i = 0; i < stalls; ++i)
    collector.count(fmt::format("stalled for {}", stall_names[i].name), "warp x ticks", stall_names[i].meaning,
                    static_cast<std::uint64_t>(statistics_.stalled[i].ticks));
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    for (std::size_t p = 0; p < port_names_.size(); ++p) {
      const std::vector<engine::Lane>& lanes = schedulers_[i].ports[p].lanes;
      for (std::size_t n = 0; n < lanes.size(); ++n) {
        std::string name = fmt::format("scheduler {}", i);
        if (several_ports()) name += fmt::format("/{} port", port_names_[p]);
        if (lanes.size() > 1) name += fmt::format(" {}", n);
        collector.resource(name, "issues an instruction an interval", lanes[n].busy(), lanes[n].served(),
                           lanes[n].ahead(simulation_.now()));
      }
    }
    for (std::size_t p = 0; p < pipe_names_.size(); ++p)
      collector.resource(fmt::format("scheduler {}/{} pipe", i, pipe_names_[p]), "does a class of arithmetic",
                         schedulers_[i].pipes[p].busy(), schedulers_[i].pipes[p].served(),
                         schedulers_[i].pipes[p].ahead(simulation_.now()));
  }
  unit_.collect(collector);
}

}  // namespace strata::compute
