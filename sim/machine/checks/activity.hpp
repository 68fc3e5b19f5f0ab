// SPDX-License-Identifier: Apache-2.0
// What a question makes a machine do, as far as it decides which settings are
// read: the spaces that are accessed, whether there are stores, whether kernels
// are launched. By default everything, which is what is known of any kernel.
#pragma once
#include <string>

namespace strata::machine {

struct Activity {
  bool global = true;   ///< accesses of the global space
  bool shared = true;   ///< of shared memory
  bool cluster = true;  ///< of another core's
  bool scalar = true;   ///< through the scalar cache
  bool texture = true;  ///< through the texture cache
  bool bulk = true;     ///< by the bulk copy unit
  bool code = true;     ///< instructions with a known program counter
  bool stores = true;
  bool atomics = true;
  bool bypasses = true;       ///< loads marked cg
  bool one_lane = true;       ///< accesses of one lane
  bool several_lanes = true;  ///< accesses of several lanes
  bool wide = true;           ///< accesses of more than 8 bytes a lane
  bool arithmetic = true;     ///< instructions that are no accesses
  bool kernels = true;        ///< blocks of threads, launched, with barriers, registers, shared memory
  bool several_warps = true;  ///< on one core
  bool host = true;           ///< accesses of the host's memory
  /// One load is under way at a time in the whole machine: nothing queues.
  bool one_at_a_time = false;
  bool several_cores = true;
  bool few_cores = true;  ///< cores are those that a grid of so many blocks gets
  std::string placement;  ///< the question's own order of cores; empty: the machine's

  /// Something leaves the core: an access of any space but shared memory.
  bool below_core() const { return global || scalar || texture || bulk; }
};

}  // namespace strata::machine
