// SPDX-License-Identifier: Apache-2.0
// Where requests spend their time, by sample: every so many requests one is
// given a journey, and when it has been answered its stages are added up. A
// listener may look at each journey before it is used again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "memory/journey.hpp"

namespace strata::memory {

class JourneySampler {
 public:
  struct Listener {
    void (*function)(void* self, const Journey& journey, std::uint32_t core, std::uint32_t warp) = nullptr;
    void* self = nullptr;
  };

  /// every: 1 samples all.
  explicit JourneySampler(std::uint64_t every) : every_(every) {}

  void listen(const Listener& listener) { listener_ = listener; }

  /// A journey begun at issue for one request in so many, else nullptr.
  Journey* begin(Time issue) {
    if (--left_ != 0) return nullptr;
    left_ = every_;
    if (free_.empty()) {
      journeys_.push_back(std::make_unique<Journey>());
      free_.push_back(journeys_.back().get());
    }
    Journey* const journey = free_.back();
    free_.pop_back();
    journey->begin(issue);
    return journey;
  }
  /// The request has been answered.
  void end(Journey& journey, std::uint32_t core, std::uint32_t warp) {
    for (const Milestone& milestone : journey.milestones()) {
      make_room(milestone.stage + 1U);
      spent_[milestone.stage] += milestone.until - milestone.from;
      begun_[milestone.stage].after_issue += milestone.from - journey.milestones().front().from;
      ++begun_[milestone.stage].times;
    }
    ++sampled_;
    if (listener_.function != nullptr) listener_.function(listener_.self, journey, core, warp);
    free_.push_back(&journey);
  }

  /// What another has sampled counts here as well.
  void add(const JourneySampler& other) {
    make_room(other.spent_.size());
    for (std::size_t stage = 0; stage < other.spent_.size(); ++stage) {
      spent_[stage] += other.spent_[stage];
      begun_[stage].after_issue += other.begun_[stage].after_issue;
      begun_[stage].times += other.begun_[stage].times;
    }
    sampled_ += other.sampled_;
  }

  std::uint64_t sampled() const { return sampled_; }
  /// Time of all sampled requests, by stage; stages beyond the end had none.
  const std::vector<Duration>& spent() const { return spent_; }
  /// How often a stage began, and how long after issue, all times added up; as many as spent().
  struct Begun {
    Duration after_issue{};
    std::uint64_t times = 0;
  };
  const std::vector<Begun>& begun() const { return begun_; }

 private:
  void make_room(std::size_t stages) {
    if (stages <= spent_.size()) return;
    spent_.resize(stages);
    begun_.resize(stages);
  }

  std::uint64_t every_;
  std::uint64_t left_ = 1;
  std::uint64_t sampled_ = 0;
  std::vector<Duration> spent_;
  std::vector<Begun> begun_;
  std::vector<std::unique_ptr<Journey>> journeys_;
  std::vector<Journey*> free_;
  Listener listener_;
};

}  // namespace strata::memory
