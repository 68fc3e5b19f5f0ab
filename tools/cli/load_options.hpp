// SPDX-License-Identifier: Apache-2.0
// Description of a load, for every verb that issues one: its options, and the text of a
// question.
#pragma once
#include <string>

#include "options.hpp"
#include "study/latency/latency.hpp"

namespace strata::cli {

/// Adds --space and --cache-op.
void describe_path(po::options_description& description);
/// Throw InputError.
trace::Space space_of(const Options& options);
memory::CacheOperator cache_operator_of(const Options& options);
/// "global space, ca"
const std::string& operator_name(memory::CacheOperator cache_operator);
std::string in_words(trace::Space space, memory::CacheOperator cache_operator);

/// --width: bytes that a lane accesses. Throws InputError.
std::uint64_t width_of(const Options& options, std::uint64_t most = 16);

/// Adds --lanes, --space and --cache-op.
void describe_load(po::options_description& description);
/// Reads them into the question. Throws InputError.
void read_load(const Options& options, study::LatencyQuestion& question);

/// "random cycle, 128 B stride, 1 thread, global space, ca"
std::string in_words(const study::LatencyQuestion& question);

}  // namespace strata::cli
