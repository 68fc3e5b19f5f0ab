// SPDX-License-Identifier: Apache-2.0
#include "study/latency/chase_home.hpp"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/invalid_request.hpp"
#include "machine/layout/numa.hpp"
#include "machine/machine.hpp"

namespace strata::study {

namespace {

const char* name_of(ChaseHome home) { return home == ChaseHome::near ? "near" : "far"; }

InvalidRequest too_little(const machine::MachineSpec& spec, ChaseHome home, const trace::ChaseRing& ring) {
  return InvalidRequest(fmt::format("{} nodes {} bytes apart with a {} home do not fit in the memory of {}", ring.nodes,
                                    ring.stride, name_of(home), spec.name),
                        {"memory.size"}, "take a smaller footprint");
}

}  // namespace

void keep_home(const machine::Machine& machine, ChaseHome home, std::uint32_t core, trace::ChaseRing& ring) {
  if (home == ChaseHome::any) return;
  if (home == ChaseHome::host) {
    ring.first += machine.atlas().host_memory();
    return;
  }
  const machine::MachineSpec& spec = machine.spec();
  if (spec.dies.memory == 1)
    throw InvalidRequest(fmt::format("{} has no near and far lines: all are at home on its one memory die", spec.name),
                         {"dies.memory"});
  const auto [nearest, farthest] = machine.atlas().homes_by_distance(core);
  if (machine.atlas().pages_by_access())
    throw InvalidRequest(
        "pages are placed in the memory die nearest to the core that accesses them first, so no line of them is far "
        "from it",
        {"pages.placement"}, "remove --home, or set pages.placement=contiguous");
  if (const std::uint64_t domain = machine::domain_bytes(spec); domain != 0 && spec.pages.placement == "contiguous") {
    if (ring.nodes * ring.stride > machine::memory_of_die(spec).value) throw too_little(spec, home, ring);
    ring.first = (home == ChaseHome::near ? nearest : farthest) * domain;
    return;
  }
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 26U;
  if (ring.nodes > most_nodes)
    throw InvalidRequest(
        fmt::format("a chase over {} lines has at most {} nodes, not {}", name_of(home), most_nodes, ring.nodes), {},
        "take a smaller footprint or a longer stride");
  auto places = std::make_shared<std::vector<std::uint32_t>>();
  places->reserve(ring.nodes);
  for (std::uint32_t place = 0; places->size() < ring.nodes; ++place) {
    const std::uint64_t address = ring.first + place * ring.stride;
    if (address + ring.stride > spec.memory.size.value) throw too_little(spec, home, ring);
    if ((machine.atlas().whereabouts(core, address).home_die == nearest) == (home == ChaseHome::near))
      places->push_back(place);
  }
  ring.places = std::move(places);
}

}  // namespace strata::study
