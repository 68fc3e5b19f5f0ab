// SPDX-License-Identifier: Apache-2.0
// Options that a question or its machine does not read, together with others or at all:
// reported like settings, on stderr and in the documents.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "machine/spec.hpp"
#include "options.hpp"
#include "report/data.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/handoff.hpp"
#include "study/latency/latency.hpp"
#include "study/run/run.hpp"

namespace strata::cli {

/// Whether the user gave that option.
using Given = std::function<bool(const std::string& option)>;
inline Given given_in(const Options& options) {
  return [&options](const std::string& option) { return options.has(option); };
}

std::vector<report::Setting> unread_options(const Given& given, const study::LatencyQuestion& question,
                                            const machine::MachineSpec& spec);
/// of_one: --cores names the pair.
std::vector<report::Setting> unread_options(const Given& given, const study::HandoffDraw& draw, bool of_one);
std::vector<report::Setting> unread_options(const Given& given, const study::BandwidthQuestion& question,
                                            const machine::MachineSpec& spec, bool loaded);
std::vector<report::Setting> unread_options(const Given& given, const study::RunQuestion& question,
                                            std::size_t kernels);

}  // namespace strata::cli
