// SPDX-License-Identifier: Apache-2.0
#include "trace/streaming.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/invalid_request.hpp"

namespace strata::trace {

void StreamPattern::check() const {
  if (lanes == 0 || lanes > most_lanes)
    throw InvalidRequest(fmt::format("a streaming kernel of {} lanes: a warp has 1 to {}", lanes, most_lanes));
  if (bytes_per_lane == 0 || bytes_per_lane > most_bytes_per_lane)
    throw InvalidRequest(fmt::format("a streaming kernel of {} bytes a lane: an access takes 1 to {}", bytes_per_lane,
                                     most_bytes_per_lane));
  const unsigned registers = loads_of(operation) > 1 ? 2 : 1;
  if (unroll == 0 || unroll * registers > 255)
    throw InvalidRequest(
        fmt::format("a streaming kernel unrolled {} times: this operation takes 1 to {}", unroll, 255 / registers));
  if (elements() == 0)
    throw InvalidRequest(fmt::format("a streaming kernel over arrays of {} bytes: give at least one element of {}",
                                     bytes_per_array, stride()));
}

StreamingWarp::StreamingWarp(const StreamPattern& kernel, std::uint64_t warp, std::uint64_t warps)
    : kernel_((kernel.check(), kernel)),
      elements_(kernel.elements()),
      chunks_(kernel.chunks()),
      chunk_bytes_(kernel.lanes * kernel.stride()),
      loads_(loads_of(kernel.operation)),
      stores_(stores_of(kernel.operation)) {
  if (kernel.blocked) {
    // The first positions of the parts of warps are distributed evenly; no product overflows
    // for the largest possible number of chunks and warps.
    first_ = chunks_ * warp / warps;
    end_ = chunks_ * (warp + 1) / warps;
    step_ = 1;
  } else {
    first_ = warp;
    end_ = chunks_;
    step_ = warps;
  }
  kernel_.shift_per_pass %= chunks_;
  const bool empty = first_ >= end_;
  loading_ = {first_, kernel.start % chunks_, empty ? 0 : kernel.passes, 0};
  storing_ = loading_;
}

void StreamingWarp::advance(Walk& walk) const {
  if (++walk.slot == kernel_.unroll) walk.slot = 0;
  walk.place += step_;
  if (walk.place < end_) return;
  walk.place = first_;
  walk.rotation += kernel_.shift_per_pass;
  if (walk.rotation >= chunks_) walk.rotation -= chunks_;
  --walk.passes_left;
}

bool StreamingWarp::next(Instruction& instruction) {
  if (!begun_) {
    // Constant fields are written once: the caller keeps the instruction.
    instruction = {};
    instruction.cache_operator = kernel_.cache_operator;
    instruction.space = kernel_.space;
    instruction.dependent = false;
    instruction.bytes_per_lane = static_cast<std::uint8_t>(kernel_.bytes_per_lane);
    instruction.strided = true;
    instruction.lane_stride = static_cast<std::uint32_t>(kernel_.stride());
    begun_ = true;
  }
  instruction.work = kernel_.work_per_access;
  if (stores_ == 0) {
    if (loading_.ended()) return false;
    // A batch is waited for by the first load of the next.
    instruction.dependent = kernel_.batch && loading_.slot == 0 && held_ > 0;
    held_ = 1;  // something was loaded before
    load(instruction);
    return true;
  }
  if (loads_ == 0) {
    if (storing_.ended()) return false;
    store(instruction);
    return true;
  }
  const bool all_loaded = held_ == kernel_.unroll || loading_.ended();
  if (kernel_.batch && all_loaded) draining_ = true;
  if (held_ == 0) draining_ = false;
  if (part_ == 0 && (draining_ || all_loaded)) {
    if (held_ == 0) return false;
    --held_;
    store(instruction);
  } else {
    load(instruction);
    held_ += part_ == 0 ? 1 : 0;
  }
  return true;
}

void StreamingWarp::load(Instruction& instruction) {
  instruction.operation = memory::Operation::load;
  if (kernel_.batch && loading_.slot == 0 && part_ == 0) instruction.work += kernel_.work_per_batch;
  instruction.destination = register_of(loading_.slot, part_);
  instruction.sources = {};
  access(instruction, part_, chunk(loading_));
  if (++part_ < loads_) return;
  part_ = 0;
  advance(loading_);
}

void StreamingWarp::store(Instruction& instruction) {
  instruction.operation = memory::Operation::store;
  instruction.destination = 0;
  instruction.sources = {};
  for (unsigned array = 0; array < loads_; ++array) instruction.sources[array] = register_of(storing_.slot, array);
  access(instruction, loads_, chunk(storing_));
  advance(storing_);
}

void StreamingWarp::access(Instruction& instruction, unsigned array, std::uint64_t chunk) const {
  const std::uint64_t left = elements_ - chunk * kernel_.lanes;
  instruction.lanes = static_cast<std::uint8_t>(left < kernel_.lanes ? left : kernel_.lanes);
  instruction.addresses[0] = kernel_.arrays[array] + chunk * chunk_bytes_;
}

}  // namespace strata::trace
