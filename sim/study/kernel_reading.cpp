// SPDX-License-Identifier: Apache-2.0
// A kernel of an expectation, run as `strata run` does.
#include "kernels/catalogue.hpp"
#include "study/evaluate.hpp"

namespace strata::study {

KernelRun measure_kernel(const machine::MachineSpec& spec, const KernelQuestion& question) {
  trace::LaunchList list;
  list.push_back(kernels::make_kernel(
      question.kernel, {static_cast<std::uint32_t>(spec.core.warp_width),
                        static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die)}));
  return measure_run(spec, list, {}).kernels.front();
}

}  // namespace strata::study
