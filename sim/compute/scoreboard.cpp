// SPDX-License-Identifier: Apache-2.0
// What the next instruction of a warp waits for: registers of accesses under way, and results of arithmetic.
#include "compute/core.hpp"

namespace strata::compute {

bool Core::Warp::waits_for(std::uint8_t first, std::uint8_t count) const {
  if (count == 1) return waits_for(first);
  for (unsigned n = first, end = first + count; n < end && n < 256; ++n)
    if (waits_for(static_cast<std::uint8_t>(n))) return true;
  return false;
}

bool Core::Warp::must_wait() const {
  if (instruction.op_class == trace::OpClass::fence) return loads + stores > 0;
  if (loads == 0) return false;
  if (instruction.dependent && instruction.is_access()) return true;
  if (instruction.in_single_registers()) {
    std::uint64_t under_way = is_pending(instruction.destination);
    for (const std::uint8_t source : instruction.sources) under_way |= is_pending(source);
    return (under_way & 1U) != 0;
  }
  if (waits_for(instruction.destination, instruction.destination_count)) return true;
  for (std::size_t i = 0; i < trace::most_sources; ++i)
    if (waits_for(instruction.sources[i], instruction.source_counts[i])) return true;
  return false;
}

Time Core::Warp::results_there() const {
  Time latest{};
  if (result_at.empty()) return latest;
  if (instruction.in_single_registers()) {
    for (const std::uint8_t source : instruction.sources)
      if (source != 0) latest = later(latest, result_at[source]);
    return latest;
  }
  for (std::size_t i = 0; i < trace::most_sources; ++i)
    for (unsigned n = 0; n < instruction.source_counts[i] && instruction.sources[i] != 0; ++n)
      latest = later(latest, result_at[(instruction.sources[i] + n) & 0xFFU]);
  return latest;
}

}  // namespace strata::compute
