// SPDX-License-Identifier: Apache-2.0
#include "study/journey/stage_times.hpp"

#include <algorithm>

#include "machine/machine.hpp"

namespace strata::study {

std::vector<stats::NamedShare> stage_times(const memory::JourneySampler& sampler, const machine::Machine& machine) {
  std::vector<stats::NamedShare> stages;
  Duration all{};
  for (const Duration spent : sampler.spent()) all += spent;
  for (std::size_t i = 0; i < sampler.spent().size(); ++i) {
    const Duration spent = sampler.spent()[i];
    const memory::JourneySampler::Begun& begun = sampler.begun()[i];
    if (spent == Duration{}) continue;
    stages.push_back({machine.stages()[static_cast<memory::Stage>(i)],
                      static_cast<double>(spent.ticks) / static_cast<double>(all.ticks),
                      machine.timebase().to_nanoseconds(spent) / static_cast<double>(sampler.sampled()),
                      {},
                      machine.timebase().to_nanoseconds(begun.after_issue) / static_cast<double>(begun.times)});
  }
  std::stable_sort(stages.begin(), stages.end(),
                   [](const stats::NamedShare& a, const stats::NamedShare& b) { return a.share > b.share; });
  return stages;
}

}  // namespace strata::study
