// SPDX-License-Identifier: Apache-2.0
// The host's memory behind its link, in time and in bytes.
#include <stdexcept>

#include "catch.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

MachineSpec with_host(MachineSpec spec) {
  HostSpec host;
  host.size = 1_MiB;
  host.bandwidth = BytesPerSecond{1e9};
  host.latency = 300_ns;
  host.memory_latency = 100_ns;
  spec.host = host;
  return spec;
}

std::uint64_t bytes_over(Machine& machine, const char* direction) {
  const stats::Snapshot snapshot = machine.meter().snapshot();
  const stats::Figure* figure = snapshot.find(std::string("host/PCIe ") + direction + "/bytes");
  return figure == nullptr ? 0 : figure->value;
}

}  // namespace

TEST_CASE("a_load_of_host_memory_takes_the_link_there_and_back") {
  Prober prober(with_host(monolithic()));
  Machine& machine = prober.machine();
  const Way way(machine);
  const HostSpec& host = *machine.spec().host;
  const Served served = prober.load(0, machine.atlas().host_memory());
  const Duration there_and_back =
      way.nanoseconds(Nanoseconds{2 * host.latency.value}) + way.nanoseconds(host.memory_latency);
  CHECK(served.latency == way.to_l2() + way.l2_tag() + there_and_back + way.l2_fill() + way.from_l2());
  THEN("it crossed as a request and an answer with a sector, with their headers") {
    CHECK(bytes_over(machine, "0>1") == host.request_header.value);
    CHECK(bytes_over(machine, "1>0") == host.response_header.value + memory::sector_bytes);
  }
  THEN("the caches of the GPU keep it") {
    CHECK(prober.load(0, machine.atlas().host_memory()).latency == way.l1_hit());
    CHECK(prober.load(3, machine.atlas().host_memory()).latency == way.l2_hit());
  }
}

TEST_CASE("host_memory_lies_above_the_memory_of_the_machine_and_passes_its_last_cache_by") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    CAPTURE(spec.name);
    Prober prober(with_host(spec));
    Machine& machine = prober.machine();
    CHECK(machine.atlas().host_memory() >= spec.memory.size.value);
    prober.load(0, machine.atlas().host_memory() + 4096);
    CHECK(bytes_over(machine, "1>0") > 0);
    const std::vector<LevelTraffic> levels = machine.meter().traffic();
    CHECK(levels.back().requests == 0);
    if (spec.memory_side_cache) CHECK(levels[levels.size() - 2].requests == 0);
    prober.load(0, 0);
    CHECK(machine.meter().traffic().back().requests > 0);
  }
}

TEST_CASE("host_memory_of_a_machine_without_a_host_is_refused") {
  const Machine machine(monolithic());
  CHECK_THROWS_WITH(machine.atlas().host_memory(),
                    "tiny has no link to a host's memory: host is none (give host in a file on this base, as "
                    "configs/vendors/mi300x.yaml does)");
}

}  // namespace strata::machine::test
