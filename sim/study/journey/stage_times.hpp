// SPDX-License-Identifier: Apache-2.0
// Where the sampled requests of a machine spent their time.
#pragma once
#include <vector>

#include "memory/journey_sampler.hpp"
#include "stats/kernel_figures.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

/// Each stage's mean over all sampled requests, in ns, and its share of their latency; the longest
/// first. Empty where none was sampled.
std::vector<stats::NamedShare> stage_times(const memory::JourneySampler& sampler, const machine::Machine& machine);

}  // namespace strata::study
