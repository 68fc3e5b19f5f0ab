// SPDX-License-Identifier: Apache-2.0
// Description of a streaming load: the options of every verb that runs one, and the default
// footprints that show the levels of a machine.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"
#include "report/data.hpp"
#include "study/bandwidth/bandwidth.hpp"

namespace strata::cli {

/// The load as typed. Bytes in flight become warps and unrolling on a machine.
struct StreamOptions {
  study::BandwidthQuestion question;
  bool warps_given = false;
  bool unroll_given = false;
  std::optional<Bytes> in_flight;  ///< of each core

  /// Throws InputError where the bytes in flight cannot be had there.
  study::BandwidthQuestion on(const machine::MachineSpec& spec) const;
  /// The effective --in-flight, if it differs from the requested one.
  std::vector<report::Setting> notes(const machine::MachineSpec& spec) const;
};

/// Adds --op, --cores and all that makes the load, but no footprint.
void describe_stream(po::options_description& description);
/// Throws InputError.
StreamOptions read_stream(const Options& options);

/// "read"
std::string name(trace::StreamOperation operation);
/// "read by all cores, split among them, 64 warps of 32 lanes of 16 B, unrolled 4 times, global space, ca"
std::string in_words(const study::BandwidthQuestion& question, const machine::MachineSpec& spec);

/// Bytes of the smallest footprint of which each core gets an access.
std::uint64_t least_footprint(const machine::MachineSpec& spec, const study::BandwidthQuestion& question);

struct FootprintRange {
  Bytes from;
  Bytes to;
};
/// From well inside the L1s to two to four times the last cache, bounded by the memory; in
/// shared space only its whole size.
FootprintRange telling_footprints(const machine::MachineSpec& spec, const study::BandwidthQuestion& question);

/// The ends of the levels on the footprint axis of that question: all L1s, or L2s that serve
/// one die alone, together hold the divided footprint.
std::vector<report::CapacityMarker> capacities(const machine::MachineSpec& spec,
                                               const study::BandwidthQuestion& question);

/// A list of sizes, "1MiB,4MiB". Throws InputError.
std::vector<std::uint64_t> sizes(const std::string& option, const std::string& text);
/// A list of rates, "0,500GB/s,max"; max is infinite. Throws InputError.
std::vector<double> rates(const std::string& option, const std::string& text);

}  // namespace strata::cli
