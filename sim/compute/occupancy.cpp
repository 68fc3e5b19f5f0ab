// SPDX-License-Identifier: Apache-2.0
#include "compute/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/invalid_request.hpp"
#include "base/rounding.hpp"

namespace strata::compute {
namespace {

/// The settings that decide a bound, the bound itself first.
std::vector<std::string> settings_of(std::string_view bound) {
  if (bound == "registers") return {"core.residency.registers", "core.residency.register_unit", "core.warp_width"};
  if (bound == "shared memory")
    return {"core.shared_memory.size", "core.residency.shared_reserved", "core.residency.shared_unit"};
  if (bound == "blocks") return {"core.residency.blocks"};
  return {"core.warps", "core.warp_width"};
}

}  // namespace

std::string Occupancy::explanation() const {
  const auto bound =
      std::find_if(bounds.begin(), bounds.end(), [&](const ResidencyBound& b) { return b.what == limited_by; });
  const auto plural = [](std::uint64_t count) { return count == 1 ? "" : "s"; };
  const std::uint64_t of_block = blocks == 0 ? 0 : warps / blocks;
  const bool by_grid = limited_by == grid;
  const std::uint64_t on_core = by_grid ? (grid_blocks + cores - 1) / cores : blocks;
  std::string text = fmt::format(
      "{} block{} of {} warp{} on a core, {:.0f} % of its warps", on_core, plural(on_core), of_block, plural(of_block),
      100 * share * (blocks == 0 ? 0 : static_cast<double>(on_core) / static_cast<double>(blocks)));
  if (by_grid)
    return text + fmt::format("; bound by the grid: {} block{} for {} core{}", grid_blocks, plural(grid_blocks), cores,
                              plural(cores));
  if (bound == bounds.end()) return text;
  return text +
         fmt::format("; bound by {}: a block takes {} of {} {}", bound->what, bound->needed, bound->held, bound->unit);
}

Occupancy occupancy(const CoreSpec& core, const trace::KernelInfo& kernel) {
  const ResidencySpec& r = core.residency;
  const std::uint64_t warps = kernel.warps_per_block();
  const std::uint64_t of_warp =
      round_up(std::uint64_t{kernel.registers_per_thread} * kernel.warp_width, r.register_unit);
  // Each scheduler has a share of the register file, which holds whole warps.
  const std::uint64_t usable =
      of_warp == 0 ? r.registers : r.registers / core.schedulers / of_warp * of_warp * core.schedulers;
  const std::uint64_t registers = warps * of_warp;
  const std::uint64_t shared = kernel.shared_bytes == 0
                                   ? r.shared_reserved.value
                                   : round_up(kernel.shared_bytes, r.shared_unit.value) + r.shared_reserved.value;
  Occupancy result;
  result.shared_bytes = shared;
  result.bounds = {{"warps", warps, core.warps, "warps"},
                   {"registers", registers, usable, "registers of 32 bits"},
                   {"shared memory", shared, core.shared_memory.size.value, "bytes of shared memory"},
                   {"blocks", 1, r.blocks, "block slots"}};
  for (const ResidencyBound& bound : result.bounds) {
    if (bound.needed <= bound.held) continue;
    // A block fits into the whole register file, but not into the shares of its schedulers.
    const bool by_shares = bound.what == std::string_view("registers") && bound.needed <= r.registers;
    const std::uint64_t there = bound.what == std::string_view("registers") && !by_shares ? r.registers : bound.held;
    throw InvalidRequest(
        fmt::format("kernel '{}': no block fits on a {}: it needs {} {}, {} more than the {} available{}", kernel.name,
                    core.name, bound.needed, bound.unit, bound.needed - there, there,
                    by_shares ? " for whole warps in the shares of the schedulers" : ""),
        settings_of(bound.what));
  }
  const auto least = std::min_element(result.bounds.begin(), result.bounds.end(),
                                      [](const ResidencyBound& a, const ResidencyBound& b) {
                                        const std::uint64_t of_a = a.needed == 0 ? ~std::uint64_t{0} : a.blocks();
                                        const std::uint64_t of_b = b.needed == 0 ? ~std::uint64_t{0} : b.blocks();
                                        return of_a < of_b;
                                      });
  result.blocks = least->blocks();
  result.limited_by = least->what;
  result.warps = result.blocks * warps;
  result.share = static_cast<double>(result.warps) / static_cast<double>(core.warps);
  return result;
}

}  // namespace strata::compute
