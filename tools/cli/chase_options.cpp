// SPDX-License-Identifier: Apache-2.0
#include "chase_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "curve_options.hpp"
#include "load_options.hpp"

namespace strata::cli {

void describe_chase(po::options_description& description) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  describe_load(description);
  description.add_options()("stride", text("SIZE", "128B"), "distance of the nodes of the chase")(
      "threads", text("N", "1"), "one-thread blocks that chase at once")(
      "segmented", "one segment of the array for each thread; default: all threads walk the whole ring")(
      "width", text("BYTES", "8"), "bytes a lane reads: 1, 2, 4, 8 or 16")("order", text("random|ascending", "random"),
                                                                           "order in which the chain visits the nodes")(
      "home", text("any|near|far|host", "any"),
      "any; only lines whose home is near the core, or far from it, if memory is spread over several dies; or the "
      "host's memory")("placement", po::value<std::string>()->value_name("P"),
                       "block placement, a name of `strata list policies`; default: the machine's")(
      "seed", text("N", "1"), "of the random cycle")("timed-loads", text("N", "16384"),
                                                     "loads timed at each point, over all threads")(
      "whole-warm-up", "touch every line before timing, however large the footprint")(
      "warm-laps", text("N", "0"),
      "traversals before timing; 0: one for one thread, twelve for several whose data fit in the caches");
}

study::LatencyQuestion read_chase(const Options& options) {
  study::LatencyQuestion q;
  q.stride = options.size("stride");
  q.threads = options.count("threads", 1, 1U << 20U);
  q.segmented = options.has("segmented");
  read_load(options, q);
  q.bytes_per_lane = width_of(options);
  if (q.stride.value % q.bytes_per_lane != 0)
    throw InputError(
        Diagnostic{"--stride",
                   0,
                   0,
                   fmt::format("{} bytes are not a whole number of loads of {}: nodes would {}; use a multiple of {} "
                               "B, or a --width of {}",
                               q.stride.value, q.bytes_per_lane,
                               q.stride.value < q.bytes_per_lane ? "overlap" : "lie across each other's alignment",
                               q.bytes_per_lane, std::min<std::uint64_t>(q.stride.value & (~q.stride.value + 1), 16)),
                   {}});
  q.order = static_cast<trace::ChaseOrder>(options.choice("order", {"random", "ascending"}));
  q.home = static_cast<study::ChaseHome>(options.choice("home", {"any", "near", "far", "host"}));
  q.placement = options.text("placement").value_or("");
  q.seed = options.count("seed", 0, ~std::uint64_t{0});
  q.timed_loads = options.count("timed-loads", 1, 1U << 30U);
  q.whole_warm_up = options.has("whole-warm-up");
  q.warm_laps = options.count("warm-laps", 0, 1000);
  return q;
}

std::uint64_t footprint_of_chase(std::uint64_t bytes, const study::LatencyQuestion& chase) {
  if (bytes < chase.stride.value)
    refuse_option("footprint", fmt::format("{} B is less than the stride of {} B: a ring has a node at least; take a "
                                           "larger footprint or a shorter --stride",
                                           bytes, chase.stride.value));
  return study::whole_strides(bytes, chase.stride);
}

}  // namespace strata::cli
