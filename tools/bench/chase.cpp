// SPDX-License-Identifier: Apache-2.0
// Dependent loads a second: all in the L1, all in the L2, all to DRAM, on the
// B200 configuration, warm-up not counted.
#include <fmt/format.h>

#include "bench.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/machine.hpp"
#include "machine/warm_up.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::bench {

namespace {

struct Ignore {
  static void on_completion(void*, std::uint32_t, Duration, unsigned) {}
};

double loads_per_second(const machine::MachineSpec& spec, std::uint64_t footprint, std::uint64_t loads,
                        int repetitions) {
  machine::Machine machine(spec);
  const trace::ChaseRing ring{0, footprint / 128, 128, trace::ChaseOrder::random, 1};
  const trace::ChasePath path(ring);
  const std::uint64_t warm = std::min(ring.nodes, machine::warm_up_touches(machine.spec()));
  for (std::uint64_t step = ring.nodes - warm; step < ring.nodes; ++step)
    machine.touch(0, path.address(step), 8, trace::Space::global, memory::CacheOperator::ca);
  std::uint64_t begun = 0;
  const double seconds = best_seconds(repetitions, [&] {
    trace::PointerChase chase(ring, {}, begun, loads);
    machine.start(0, chase, {&Ignore::on_completion, nullptr});
    machine.run();
    begun += loads;
  });
  return static_cast<double>(loads) / seconds;
}

}  // namespace

std::vector<Figure> chase_figures(int repetitions) {
  const tools::Library library = tools::Library::beside_program();
  const auto spec = config::load<machine::MachineSpec>(library.gpu("b200"), library.configurations()).spec;
  return {
      {"b200 chase in L1", loads_per_second(spec, 64U << 10U, 4'000'000, repetitions), "loads/s"},
      {"b200 chase in near L2", loads_per_second(spec, 8U << 20U, 1'000'000, repetitions), "loads/s"},
      {"b200 chase to DRAM", loads_per_second(spec, std::uint64_t{1} << 30U, 500'000, repetitions), "loads/s"},
  };
}

}  // namespace strata::bench
