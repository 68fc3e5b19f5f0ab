// SPDX-License-Identifier: Apache-2.0
// A kernel of an expectation, run as `strata run` does.
#include "kernels/catalogue.hpp"
#include "study/expectation/evaluate.hpp"

namespace strata::study {

KernelRun measure_kernel(const machine::MachineSpec& spec, const KernelQuestion& question, engine::Executor* executor) {
  trace::LaunchList list;
  RunQuestion run;
  if (!question.after.empty()) {
    list.push_back(kernels::make_kernel(question.after, target_of(spec)));
    run.caches = Caches::warm;
  }
  list.push_back(kernels::make_kernel(question.kernel, target_of(spec)));
  if (question.sampled) run.sampled = 0;
  run.executor = executor;
  run.statistics = question.statistics;
  return measure_run(spec, list, run).kernels.back();
}

}  // namespace strata::study
