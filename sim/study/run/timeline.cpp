// SPDX-License-Identifier: Apache-2.0
#include "study/run/timeline.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "machine/blocks/dispatcher.hpp"
#include "machine/machine.hpp"

namespace strata::study {

// Half of the events are reserved for arrows.
TimelineRecorder::TimelineRecorder(std::uint64_t most_events, std::uint64_t sample, std::uint64_t blocks)
    : most_blocks_(most_events / 3), most_request_events_(most_events / 2), sample_(sample) {
  timeline_.most_events = most_events;
  for (std::uint64_t left = blocks; left > most_blocks_; left /= 2) timeline_.one_core_in *= 2;
}

double TimelineRecorder::since_first_launch(Time t) const {
  return offset_ns_ + machine_->timebase().to_nanoseconds(t - launched_);
}

void TimelineRecorder::begin(machine::Machine& machine, machine::Dispatcher& dispatcher,
                             std::span<memory::JourneySampler> samplers, const std::string& kernel, double from_ns) {
  machine_ = &machine;
  launched_ = machine.processes().now();
  offset_ns_ = from_ns;
  timeline_.kernels.push_back({kernel, from_ns, from_ns});
  timeline_.cores = machine.spec().dies.compute * machine.spec().dies.cores_per_die;
  places_.assign(timeline_.cores, {});
  dispatcher.watch({[](void* self, std::uint64_t block, std::uint32_t core, Time t) {
                      static_cast<TimelineRecorder*>(self)->block_begins(block, core, t);
                    },
                    [](void* self, std::uint64_t block, std::uint32_t core, Time t) {
                      static_cast<TimelineRecorder*>(self)->block_ended(block, core, t);
                    },
                    this});
  for (memory::JourneySampler& sampler : samplers)
    sampler.listen({[](void* self, const memory::Journey& journey, std::uint32_t core, std::uint32_t warp) {
                      static_cast<TimelineRecorder*>(self)->answered(journey, core, warp);
                    },
                    this});
}

void TimelineRecorder::end(double until_ns) { timeline_.kernels.back().until_ns = until_ns; }

void TimelineRecorder::block_begins(std::uint64_t block, std::uint32_t core, Time t) {
  std::vector<Resident>& places = places_[core];
  auto free = std::find_if(places.begin(), places.end(), [](const Resident& r) { return !r.taken; });
  if (free == places.end()) free = places.insert(free, Resident{});
  *free = {true, block, since_first_launch(t)};
}

void TimelineRecorder::block_ended(std::uint64_t block, std::uint32_t core, Time t) {
  std::vector<Resident>& places = places_[core];
  const auto own =
      std::find_if(places.begin(), places.end(), [block](const Resident& r) { return r.taken && r.block == block; });
  own->taken = false;
  ++timeline_.blocks_run;
  if (!shown(core)) return;
  // One core alone may have more blocks than fit: then its first ones are kept.
  if (timeline_.blocks.size() >= most_blocks_) {
    if (timeline_.one_core_in >= timeline_.cores) return;
    thin_cores();
    if (!shown(core)) return;
  }
  timeline_.blocks.push_back({static_cast<std::uint32_t>(timeline_.kernels.size() - 1), core,
                              static_cast<std::uint32_t>(own - places.begin()), block, own->from_ns,
                              since_first_launch(t)});
}

void TimelineRecorder::answered(const memory::Journey& journey, std::uint32_t core, std::uint32_t warp) {
  const std::uint64_t ordinal = sampled_++;
  if (ordinal % keep_every_ != 0 || !shown(core) || journey.milestones().empty()) return;
  // Stores may outlive their block; then its slot no longer identifies them.
  const std::uint64_t block = machine_->meter().block_of(core, warp);
  const std::vector<Resident>& places = places_[core];
  const double from = since_first_launch(journey.milestones().front().from);
  if (std::none_of(places.begin(), places.end(),
                   [&](const Resident& r) { return r.taken && r.block == block && r.from_ns <= from; }))
    return;
  Request request{static_cast<std::uint32_t>(timeline_.kernels.size() - 1), core, block, ordinal, {}};
  for (const memory::Milestone& milestone : journey.milestones())
    request.steps.push_back(
        {stage(milestone.stage), since_first_launch(milestone.from), since_first_launch(milestone.until)});
  request_events_ += stats::Timeline::events_of_request(request.steps.size());
  requests_.push_back(std::move(request));
  while (request_events_ > most_request_events_ && requests_.size() > 1) thin_requests();
}

void TimelineRecorder::thin_cores() {
  timeline_.one_core_in *= 2;
  std::erase_if(timeline_.blocks, [this](const stats::TimelineBlock& b) { return !shown(b.core); });
  std::erase_if(requests_, [this](const Request& r) { return !shown(r.core); });
  request_events_ = 0;
  for (const Request& request : requests_) request_events_ += stats::Timeline::events_of_request(request.steps.size());
}

void TimelineRecorder::thin_requests() {
  keep_every_ *= 2;
  std::erase_if(requests_, [this](const Request& r) { return r.ordinal % keep_every_ != 0; });
  request_events_ = 0;
  for (const Request& request : requests_) request_events_ += stats::Timeline::events_of_request(request.steps.size());
}

// Machines number their stages as they build their blocks; the timeline has one
// numbering for all kernels.
std::uint32_t TimelineRecorder::stage(memory::Stage stage) {
  const std::string& name = machine_->stages()[stage];
  const auto known = std::find(timeline_.stages.begin(), timeline_.stages.end(), name);
  const auto number = static_cast<std::uint32_t>(known - timeline_.stages.begin());
  if (known == timeline_.stages.end()) timeline_.stages.push_back(name);
  return number;
}

stats::Timeline TimelineRecorder::take() {
  const auto key = [](const stats::TimelineBlock& b) { return std::tuple(b.kernel, b.number); };
  std::sort(timeline_.blocks.begin(), timeline_.blocks.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (const Request& request : requests_) {
    const std::tuple wanted(request.kernel, request.block);
    const auto block = std::lower_bound(timeline_.blocks.begin(), timeline_.blocks.end(), wanted,
                                        [&](const stats::TimelineBlock& b, const auto& k) { return key(b) < k; });
    // An omitted block has no slice at which an arrow could start.
    if (block == timeline_.blocks.end() || key(*block) != wanted) continue;
    timeline_.requests.push_back(
        {static_cast<std::size_t>(block - timeline_.blocks.begin()), timeline_.steps.size(), request.steps.size()});
    timeline_.steps.insert(timeline_.steps.end(), request.steps.begin(), request.steps.end());
  }
  timeline_.one_request_in = sample_ * keep_every_;
  requests_.clear();
  return std::move(timeline_);
}

}  // namespace strata::study
