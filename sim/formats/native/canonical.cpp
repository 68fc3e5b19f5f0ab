// SPDX-License-Identifier: Apache-2.0
// When two instructions say the same.
#include "formats/native/record.hpp"
#include "formats/native/record_lanes.hpp"

namespace strata::formats {

using trace::Instruction;

Instruction canonical(const Instruction& instruction) {
  Instruction i = instruction;
  set_lanes(i, instruction.active());
  if (i.destination == 0) i.destination_count = 1;
  for (unsigned s = 0; s < trace::most_sources; ++s)
    if (i.sources[s] == 0) i.source_counts[s] = 1;
  i.not_before = {};
  i.work = {};
  const Instruction plain;
  std::uint32_t stride = 0;
  const bool access = i.is_access() && i.lanes > 0;
  const bool strided = !access || stride_of(instruction, stride);
  i.addresses = {};
  if (access) i.addresses[0] = instruction.addresses[0];
  for (unsigned lane = 1; !strided && lane < i.lanes; ++lane) i.addresses[lane] = instruction.address(lane);
  i.strided = strided;
  i.lane_stride = strided ? stride : 0;
  if (!trace::uses_tensor_memory(i.op_class)) i.tensor = plain.tensor;
  if (!trace::may_multicast(i)) i.multicast = 0;
  if (i.op_class != trace::OpClass::barrier) {
    i.barrier = plain.barrier;
    i.barrier_warps = plain.barrier_warps;
    i.barrier_part = plain.barrier_part;
    i.of_cluster = plain.of_cluster;
  }
  if (!i.is_access()) {
    i.operation = plain.operation;
    i.cache_operator = plain.cache_operator;
    i.space = plain.space;
    i.bytes_per_lane = plain.bytes_per_lane;
  }
  if (i.operation != memory::Operation::atomic) i.compares = false;
  return i;
}

bool same(const Instruction& one, const Instruction& other) {
  const Instruction a = canonical(one);
  const Instruction b = canonical(other);
  return a.op_class == b.op_class && a.operation == b.operation && a.compares == b.compares &&
         a.cache_operator == b.cache_operator && a.space == b.space && a.dependent == b.dependent &&
         a.destination == b.destination && a.destination_count == b.destination_count && a.sources == b.sources &&
         a.source_counts == b.source_counts && a.scope == b.scope && a.barrier == b.barrier &&
         a.barrier_warps == b.barrier_warps && a.barrier_part == b.barrier_part && a.of_cluster == b.of_cluster &&
         a.multicast == b.multicast && a.repeat == b.repeat && a.flops == b.flops && a.pc == b.pc &&
         a.not_before_cycle == b.not_before_cycle && a.bytes_per_lane == b.bytes_per_lane && a.lanes == b.lanes &&
         a.mask == b.mask && a.strided == b.strided && a.lane_stride == b.lane_stride && a.addresses == b.addresses &&
         a.tensor == b.tensor;
}

}  // namespace strata::formats
