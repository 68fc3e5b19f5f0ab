// SPDX-License-Identifier: Apache-2.0
// Description of a pointer chase: the options of every verb that runs one.
#pragma once
#include "options.hpp"
#include "study/latency/latency.hpp"

namespace strata::cli {

/// Adds --lanes, --space, --cache-op and all that makes the ring and its threads.
void describe_chase(po::options_description& description);
/// Throws InputError.
study::LatencyQuestion read_chase(const Options& options);
/// A value of --footprint in whole strides. Throws InputError where it is shorter than a stride.
std::uint64_t footprint_of_chase(std::uint64_t bytes, const study::LatencyQuestion& chase);

}  // namespace strata::cli
