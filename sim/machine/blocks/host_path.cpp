// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/host_path.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "machine/layout/numa.hpp"

namespace strata::machine {

namespace {

fabric::DieNetworkSpec link_of(const HostSpec& host) {
  fabric::DieNetworkSpec spec;
  fabric::LinkSpec& link = spec.links.emplace_back();
  link.name = host.name;
  link.from = 0;
  link.to = 1;
  link.bandwidth = host.bandwidth;
  link.latency = host.latency;
  spec.request_header = host.request_header;
  spec.response_header = host.response_header;
  return spec;
}

// Whatever memory die a block would belong to, its home is the host.
std::vector<std::uint32_t> all_at_host(const MachineSpec& spec) {
  return std::vector<std::uint32_t>(std::max<std::uint64_t>(spec.dies.memory, 2), 1);
}

}  // namespace

std::uint64_t host_memory_begin(const MachineSpec& spec) { return std::bit_ceil(address_space(spec).value); }

HostPath::HostPath(engine::Processes& processes, const engine::Timebase& timebase, engine::Clock clock,
                   const MachineSpec& spec, memory::StageNames& stages)
    : simulation_(processes[0]),
      divided_(processes.count() > 1),
      first_block_(host_memory_begin(spec) / memory::block_bytes),
      latency_(timebase.nanoseconds(spec.host->memory_latency.value)),
      stage_(stages.add("host memory")),
      link_(processes, timebase, clock, link_of(*spec.host), 2, all_at_host(spec), stages) {
  link_.attach(host, memory::sink<&HostPath::at_host>(*this));
}

void HostPath::take(memory::Transaction& transaction, Time ready) {
  if (divided_) throw std::logic_error("the host's memory is accessed from several processes");
  link_.send(transaction, gpu, ready);
}

void HostPath::at_host(memory::Transaction& transaction, Time ready) {
  arrivals_.count(transaction);
  transaction.release();
  transaction.mark(stage_, ready + latency_);
  transaction.answer(simulation_, ready + latency_);
}

}  // namespace strata::machine
