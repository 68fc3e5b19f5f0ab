// SPDX-License-Identifier: Apache-2.0
// What warps do with Tensor Memory: allocation, for which a warp may have to wait, loads, stores and products of a block.
#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "compute/core.hpp"

namespace strata::compute {

// Calls use(tensor memory, what the warp's block has allocated); faults name block and warp.
template <class Use>
auto Core::with_tensor_memory(const Warp& warp, Use use) {
  if (!tensor_)
    throw InvalidRequest(
        fmt::format("{} has no {}, and a warp uses it: core.tensor_memory is none", name_, TensorMemorySpec::name),
        {"core.tensor_memory"},
        "give core.tensor_memory in a file on this base, as configs/parts/blackwell-sm.yaml does");
  if (warp.block == nullptr) throw InvalidRequest("a warp that belongs to no block uses Tensor Memory");
  try {
    return use(*tensor_, warp.block->tensor);
  } catch (const InvalidRequest& error) {
    RequestFault fault = error.faults().front();
    fault.message = fmt::format("block {}, warp {} {}", warp.block->listener.block, warp.number, fault.message);
    throw InvalidRequest({std::move(fault)});
  }
}

// The result of a load is in its registers, that of a store is its completion, at a time that is known.
void Core::access_tensor_memory(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  const Time done = with_tensor_memory(warp, [&](TensorMemory& memory, const TensorAllocations& held) {
    return memory.access(instruction, held, warp.number, simulation_.now());
  });
  warp.block->tensor_until = later(warp.block->tensor_until, done);
  if (instruction.destination != 0) warp.registers.result(instruction.destination, instruction.destination_count, done);
  advance(warp);
}

// A product takes the tensor units of all schedulers, and the banks of shared memory for its operands: it runs as long
// as the slower of both.
Duration Core::product_occupancy(const Warp& warp) {
  const trace::TensorWork& product = warp.instruction.tensor;
  const Duration units = with_tensor_memory(warp, [&](const TensorMemory& memory, const TensorAllocations& held) {
    return memory.product_time(product, held);
  });
  return longer(units, unit_.bank_time(TensorMemory::shared_bytes(product)));
}

Time Core::reserve_tensor_units(const Warp& warp) {
  const Duration occupancy = product_occupancy(warp);
  const std::uint8_t lane = pipes_[static_cast<std::size_t>(trace::OpClass::tensor16)].lane;
  Time start = simulation_.now();
  const bool piped = pipes_[static_cast<std::size_t>(trace::OpClass::tensor16)].occupancy > Duration{};
  if (!piped) return product_lane_.reserve(start, occupancy);
  for (const Scheduler& scheduler : schedulers_) start = later(start, scheduler.pipes[lane].free_at());
  for (Scheduler& scheduler : schedulers_) scheduler.pipes[lane].reserve(start, occupancy);
  return start;
}

// A product waits for the tensor units, and columns are freed when all that the block does with them is done.
Duration Core::tensor_delay(const Warp& warp) {
  if (warp.instruction.op_class == trace::OpClass::tensor_product)
    return reserve_tensor_units(warp) - simulation_.now();
  if (warp.instruction.op_class != trace::OpClass::tensor_free || warp.block == nullptr) return {};
  return longer(warp.block->tensor_until - simulation_.now(), Duration{});
}

void Core::use_tensor_memory(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  const std::uint64_t columns = instruction.tensor.columns;
  if (instruction.op_class == trace::OpClass::tensor_allocate) {
    with_tensor_memory(warp, [](TensorMemory& memory, const TensorAllocations&) { memory.ask(); });
    // Requests are served in order of arrival.
    const bool served =
        awaiting_columns_.empty() && with_tensor_memory(warp, [&](TensorMemory& memory, TensorAllocations& held) {
          return memory.allocate(held, columns);
        });
    if (!served) {
      wait_for(warp, Stall::columns);
      awaiting_columns_.push_back(&warp);
      return;
    }
  } else if (instruction.op_class == trace::OpClass::tensor_free) {
    with_tensor_memory(warp, [&](TensorMemory& memory, TensorAllocations& held) { memory.free(held, columns); });
    serve_awaiting_columns();
  } else {
    unit_.move_rows(TensorMemory::shared_bytes(instruction.tensor));
    const Time done = simulation_.now() + product_occupancy(warp) + tensor_->product_latency();
    warp.block->tensor_until = later(warp.block->tensor_until, done);
    if (instruction.destination != 0)
      warp.registers.result(instruction.destination, instruction.destination_count, done);
  }
  advance(warp);
}

void Core::serve_awaiting_columns() {
  while (!awaiting_columns_.empty()) {
    Warp& first = *awaiting_columns_.front();
    const bool served = with_tensor_memory(first, [&](TensorMemory& memory, TensorAllocations& held) {
      return memory.allocate(held, first.instruction.tensor.columns);
    });
    if (!served) return;
    awaiting_columns_.pop_front();
    simulation_.at(simulation_.now(), engine::Priority::decision, begin_, &first);
  }
}

void Core::require_columns_freed(const ResidentBlock& block) const {
  if (block.tensor.empty()) return;
  throw InvalidRequest(fmt::format("block {} ends with {} columns of Tensor Memory allocated", block.listener.block,
                                   columns_of(block.tensor)),
                       {}, "free them before its last warp exits (tensor_free)");
}

}  // namespace strata::compute
