// SPDX-License-Identifier: Apache-2.0
// A streaming load whose thread blocks take parts of the footprint in turn.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "study/bandwidth/streaming_load.hpp"

namespace strata::study {

namespace {

// Rounds over all positions until the contents of the two sides of an L2 are steady.
constexpr std::uint64_t rounds_to_settle = 4;

}  // namespace

void StreamingLoad::form_turns() {
  const machine::MachineSpec& spec = machine_.spec();
  if (question_.operation != trace::StreamOperation::read || question_.home != Home::any || question_.lockstep ||
      question_.lane_stride != 0 || question_.space != trace::Space::global)
    throw InvalidRequest(
        "parts in turn support only reads by adjacent lanes, without a home, in global space and in steady state: "
        "remove the other options");
  const std::uint64_t most = question_.warps == 0 ? spec.core.warps : question_.warps;
  trace::TurnKernel& kernel = turn_kernel_;
  kernel.warps = static_cast<std::uint32_t>(std::min(question_.block_warps, most));
  kernel.lanes = static_cast<std::uint32_t>(lanes_);
  kernel.bytes_per_lane = static_cast<std::uint32_t>(question_.bytes_per_lane);
  kernel.unroll = static_cast<std::uint32_t>(question_.unroll);
  kernel.batch = question_.batch;
  kernel.work_per_access = machine_.core_clock().cycles(question_.work_per_access.value);
  kernel.work_per_batch = machine_.core_clock().cycles(question_.work_per_batch.value);
  kernel.cache_operator = question_.cache_operator;
  kernel.array = machine_.atlas().local_memory(cores_.front());
  kernel.rows = question_.part_bytes / kernel.row_bytes();
  kernel.parts = footprint_ / question_.part_bytes;
  if (kernel.rows == 0 || kernel.parts == 0)
    throw InvalidRequest(
        fmt::format("a footprint of {} bytes in parts of {}, each at least {} for one access of a "
                    "block's warps: "
                    "take a larger footprint, or other parts",
                    footprint_, question_.part_bytes, kernel.row_bytes()));
  warps_ = most / kernel.warps * kernel.warps;
  footprint_ = kernel.parts * kernel.rows * kernel.row_bytes();
  // Blocks are at different rows, as after many turns.
  RandomSequence rows{mix(question_.seed, kernel.parts)};
  for (std::uint64_t p = 0; p < cores_.size() * (warps_ / kernel.warps); ++p)
    places_.push_back({{turns_.take(kernel)}, rows.below(kernel.rows)});
  // The part of one block for each slot, or the requested size.
  const std::uint64_t round = places_.size() * kernel.rows * kernel.row_bytes();
  const std::uint64_t timed = question_.timed_bytes > 0 ? question_.timed_bytes : round;
  instructions_ = std::max<std::uint64_t>(timed / kernel.access_bytes(), 4 * places_.size() * kernel.warps);
  bytes_per_instruction_ = static_cast<double>(chunk_);
  turns_.accesses_left = most_instructions_ = instructions_ * times_of(instructions_ * chunk_);
}

void StreamingLoad::warm_turns() {
  const trace::TurnKernel& kernel = turn_kernel_;
  const std::uint64_t per_core = warps_ / kernel.warps;
  RandomSequence turns{mix(question_.seed, places_.size())};
  for (std::uint64_t k = rounds_to_settle * places_.size() * kernel.rows; k > 0; --k) {
    const std::uint64_t p = turns.below(places_.size());
    trace::TurnPlace& place = places_[p];
    machine_.touch(cores_[p / per_core], kernel.row(place.parts[0], place.row), kernel.row_bytes(), question_.space,
                   question_.cache_operator, machine::Reach::every_level, memory::Operation::load);
    if (++place.row < kernel.rows) continue;
    place.row = 0;
    place.parts[0] = turns_.take(kernel);
  }
}

void StreamingLoad::start_turns(const compute::CompletionListener& listener) {
  const trace::TurnKernel& kernel = turn_kernel_;
  const std::uint64_t per_core = warps_ / kernel.warps;
  for (std::uint64_t w = 0; w < warps_; ++w)
    for (std::uint64_t c = 0; c < cores_.size(); ++c) {
      trace::TurnPlace& place = places_[c * per_core + w / kernel.warps];
      streams_.push_back(
          std::make_unique<trace::TurnWarp>(kernel, turns_, place, static_cast<std::uint32_t>(w % kernel.warps)));
      machine_.start(cores_[c], *streams_.back(), listener);
    }
}

}  // namespace strata::study
