// SPDX-License-Identifier: Apache-2.0
// The two answers of the verb `bandwidth`, of one machine and one streaming load.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "bandwidth_options.hpp"
#include "base/diagnostic.hpp"
#include "gpu.hpp"
#include "stats_file.hpp"
#include "version.hpp"

namespace strata::cli {

struct BandwidthRun {
  const Options& options;
  const Outputs& outputs;
  const Gpu& gpu;
  study::BandwidthQuestion question;
  std::uint64_t jobs = 0;
  std::vector<report::Setting> settings;

  report::Heading heading(std::uint64_t fingerprint) const { return {version, gpu.name, hexadecimal(fingerprint)}; }
};

/// Adds --loaded and --inject.
void describe_loaded(po::options_description& description);
/// Throws InputError if --inject is given without --loaded, or --loaded with options of a
/// curve.
void refuse_without_loaded(const Options& options);
/// Options of the streaming load, if --inject gives none.
std::vector<report::Setting> unread_without_load(const Options& options);
/// A chaser's latency against the rate that the other cores inject.
int bandwidth_loaded(const BandwidthRun& run, StatsFile& statistics);

}  // namespace strata::cli
