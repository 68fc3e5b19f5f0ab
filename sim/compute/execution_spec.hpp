// SPDX-License-Identifier: Apache-2.0
// What a core does with instructions that are no accesses. Arithmetic is timed,
// not computed: its class says which pipe it takes, the pipe how many lanes of
// it the core does a clock and when its result can be used. What no pipe claims
// takes an issue slot and the common latency. Where a scheduler has several issue ports,
// instructions of different classes leave it in the same interval.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::compute {

struct PipeSpec {
  std::string name;                   ///< the vendor's name
  std::string classes;                ///< names of trace::op_classes, separated by blanks
  std::uint64_t lanes_per_clock = 0;  ///< of the whole core; its schedulers have equal shares
  Cycles latency{4};                  ///< from issue until a dependent instruction may issue

  static config::Schema<PipeSpec> schema();
};

/// A scheduler issues to each of its ports by itself, from warps of its own choice; a warp
/// issues one instruction an interval.
struct IssuePortSpec {
  std::string name;
  /// Names of trace::op_classes, and of the spaces of accesses (trace::Space), separated by blanks.
  std::string classes;
  std::uint64_t width = 1;  ///< instructions an interval, each of another warp

  static config::Schema<IssuePortSpec> schema();
};
/// By which statistics and reports call the port of that name.
inline std::string issue_port_label(const std::string& name) { return name + " port"; }

struct ExecutionSpec {
  std::vector<PipeSpec> pipes;
  std::vector<IssuePortSpec> issue_ports;  ///< what none names has one more; none: one for all
  Cycles latency{4};                       ///< of classes without a pipe
  Cycles barrier{0};                       ///< from the last arrival until warps may continue
  Cycles barrier_arrival{0};               ///< warps of a core arrive one after the other, each taking this

  static config::Schema<ExecutionSpec> schema();
};

/// What bounds the blocks resident on a core, beside its warps (CUDA C++
/// Programming Guide, occupancy): block slots, registers, shared memory.
struct ResidencySpec {
  std::uint64_t blocks = 32;
  std::uint64_t registers = 65536;    ///< of 32 bits, for all lanes of all warps
  std::uint64_t register_unit = 256;  ///< a warp's registers are rounded up to a multiple
  Bytes shared_unit{128};             ///< a block's shared memory is rounded up to a multiple
  Bytes shared_reserved{0};           ///< taken of shared memory by each block besides its own

  static config::Schema<ResidencySpec> schema();
};

}  // namespace strata::compute
