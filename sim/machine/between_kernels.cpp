// SPDX-License-Identifier: Apache-2.0
// Caches between one kernel and the next.
#include <algorithm>

#include "machine/machine.hpp"

namespace strata::machine {

void Machine::forget_first_levels() {
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->forget();
  for (ComputeDie& die : compute_dies_)
    for (CacheLevels& group : die.groups()) group.visit([](cache::Cache& cache) { cache.drop_all(); });
}

void Machine::write_back_dies(Time t) {
  if (plan_.count == 1) return of_process_.front().write_back.begin();
  for (std::uint32_t p = 0; p < plan_.count; ++p)
    if (std::ranges::count(plan_.of_compute_die, p) != 0)  // a memory die may have no cores beside it
      processes_[p].at(t, engine::Priority::decision, of_process_[p].write_back.beginning());
}

void Machine::forget(DieLevels levels) {
  for (ComputeDie& die : compute_dies_) {
    for (std::uint32_t slice = 0; slice < die.slices().size(); ++slice) die.slice(slice).drop_all();
    if (levels == DieLevels::all) die.behind_l2().visit([](cache::Cache& cache) { cache.drop_all(); });
    if (die.master() != nullptr) die.master()->forget();
  }
  for (MemoryDie& die : memory_dies_)
    for (cache::CoherentSlave& slave : die.slaves()) slave.forget();
}

void Machine::split_arrays(const std::string& carve_out) {
  if (carve_out == spec_.l1.carve_out) return forget_first_levels();
  spec_.l1.carve_out = carve_out;
  for (OfProcess& each : of_process_) each.core_designs = CoreDesigns(stages_, spec_, core_clock_);
  // Built again at the next use. Their requests are still part of the balance; those for code are among the requests
  // of the cores' own levels where there are any.
  SectorFlow of_core_levels;
  SectorFlow& code = of_process_.front().of_core.empty() ? of_former_cores_ : of_core_levels;
  for (OfProcess& each : of_process_)
    if (each.instruction_caches) each.instruction_caches->drop(code);
  for (std::unique_ptr<CoreFront>& core : cores_) {
    if (!core) continue;
    core->leaves(of_former_cores_);
    core.reset();
  }
}

}  // namespace strata::machine
