// SPDX-License-Identifier: Apache-2.0
#include "compute/tensor_memory/tensor_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/invalid_request.hpp"
#include "stats/collect_counters.hpp"

namespace strata::compute {

using trace::TensorWork;

std::uint64_t columns_of(const TensorAllocations& held) {
  return std::accumulate(held.begin(), held.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const TensorColumns& columns) { return sum + columns.count; });
}

TensorMemory::TensorMemory(const TensorMemorySpec& spec, std::uint64_t partitions, std::uint64_t warp_width,
                           const engine::Clock& clock)
    : spec_(spec),
      rows_(warp_width),
      ticks_(static_cast<double>(clock.period().ticks) / spec.width.value),
      clock_(clock.period()),
      latency_(clock.cycles(spec.latency.value)),
      product_latency_(clock.cycles(spec.product_latency.value)),
      taken_(spec.columns / spec.unit),
      partitions_(partitions) {}

void TensorMemory::mark(const TensorColumns& columns, bool taken) {
  for (std::uint64_t unit = 0; unit < columns.count / spec_.unit; ++unit)
    taken_[columns.first / spec_.unit + unit] = taken;
}

// Allocations are powers of two and lie at multiples of their size, so that a freed one fits the next of its size.
bool TensorMemory::allocate(TensorAllocations& held, std::uint64_t columns) {
  if (!std::has_single_bit(columns) || columns < spec_.unit || columns > spec_.columns)
    throw InvalidRequest(fmt::format("allocates {} columns of Tensor Memory", columns),
                         {"core.tensor_memory.columns", "core.tensor_memory.unit"},
                         fmt::format("allocate a power of two from {} to {}", spec_.unit, spec_.columns));
  for (TensorColumns place{0, columns}; place.first < spec_.columns; place.first += columns) {
    const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(place.first / spec_.unit);
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(columns / spec_.unit), true) !=
        begin + static_cast<std::ptrdiff_t>(columns / spec_.unit))
      continue;
    mark(place, true);
    held.push_back(place);
    ++statistics_.got;
    return true;
  }
  return false;
}

void TensorMemory::free(TensorAllocations& held, std::uint64_t columns) {
  const auto found =
      std::find_if(held.begin(), held.end(), [&](const TensorColumns& one) { return one.count == columns; });
  if (found == held.end())
    throw InvalidRequest(
        fmt::format("frees {} columns of Tensor Memory, and its block has no allocation of that size", columns), {},
        "free what was allocated, once");
  mark(*found, false);
  held.erase(found);
}

void TensorMemory::check(const trace::Instruction& instruction, const TensorAllocations& held,
                         std::uint32_t warp) const {
  const std::uint64_t partition = warp % partitions_.size();
  const std::uint64_t columns = (instruction.bytes_per_lane + TensorMemorySpec::word - 1) / TensorMemorySpec::word;
  const std::uint64_t allocated = columns_of(held);
  for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
    const std::uint64_t row = instruction.address(lane) / TensorWork::row;
    const std::uint64_t column = instruction.address(lane) % TensorWork::row;
    if (row / rows_ != partition)
      throw InvalidRequest(
          fmt::format("accesses row {} of Tensor Memory; warp {} of a block reaches the rows {} to {} only", row, warp,
                      partition * rows_, (partition + 1) * rows_ - 1),
          {}, fmt::format("address row {} x (warp modulo {}) + lane", rows_, partitions_.size()));
    if (column + columns > allocated)
      throw InvalidRequest(fmt::format("accesses columns {} to {} of Tensor Memory; its block has allocated {}", column,
                                       column + columns - 1, allocated),
                           {}, "allocate them first (tensor_allocate)");
  }
}

Time TensorMemory::access(const trace::Instruction& instruction, const TensorAllocations& held, std::uint32_t warp,
                          Time now) {
  if (instruction.operation == memory::Operation::atomic)
    throw InvalidRequest("changes Tensor Memory by an atomic", {}, "it has loads, stores and products only");
  check(instruction, held, warp);
  Partition& partition = partitions_[warp % partitions_.size()];
  const bool load = instruction.operation == memory::Operation::load;
  // A port serves a whole row of lanes at a time, whatever lanes are active.
  const double bytes = static_cast<double>(rows_ * instruction.bytes_per_lane);
  const Duration occupancy{std::llround(bytes * ticks_)};
  const Time start = (load ? partition.reads : partition.writes).reserve(now, occupancy);
  return load ? start + longer(occupancy, latency_) : start + occupancy;
}

Duration TensorMemory::product_time(const TensorWork& product, const TensorAllocations& held) const {
  const std::uint64_t rows = rows_ * partitions_.size();
  if (product.m == 0 || product.n == 0 || product.k == 0 || product.bits == 0 || product.m > rows)
    throw InvalidRequest(fmt::format("multiplies {} x {} by {} x {} of {} bits", product.m, product.k, product.k,
                                     product.n, product.bits),
                         {}, fmt::format("use at least 1 of each, and at most {} rows", rows));
  const std::uint64_t operand =
      product.a_from_tensor_memory ? (std::uint64_t{product.k} * product.bits + 31) / 32 : std::uint64_t{0};
  if (const std::uint64_t allocated = columns_of(held); product.n + operand > allocated)
    throw InvalidRequest(fmt::format("multiplies into {} columns of Tensor Memory; its block has allocated {}",
                                     product.n + operand, allocated),
                         {}, "allocate them first (tensor_allocate)");
  // Fewer rows than a partition has take as long as all of them.
  const double products = static_cast<double>(rows_) * product.n * product.k * product.bits / 16;
  return {std::llround(products / static_cast<double>(spec_.products_per_clock) * static_cast<double>(clock_.ticks))};
}

std::uint64_t TensorMemory::shared_bytes(const TensorWork& product) {
  const std::uint64_t rows = (product.a_from_tensor_memory ? 0U : product.m) + std::uint64_t{product.n};
  return rows * product.k * product.bits / 8;
}

void TensorMemory::collect(stats::Collector& collector, Time now) const {
  stats::collect_counters(collector, statistics_);
  for (std::size_t i = 0; i < partitions_.size(); ++i)
    for (const auto& [port, lane] : {std::pair{"read", &partitions_[i].reads}, {"write", &partitions_[i].writes}})
      collector.resource(fmt::format("partition {} {} port", i, port), "loads or stores of warps", lane->busy(),
                         lane->served(), lane->ahead(now));
}

}  // namespace strata::compute
