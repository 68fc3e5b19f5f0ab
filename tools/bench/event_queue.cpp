// SPDX-License-Identifier: Apache-2.0
// Push and pop in the hold model (Jones: An Empirical Comparison of
// Priority-Queue Implementations, 1986): a number of events outstanding, each pop pushes one.
// The same run also measures the floor: a bare bucketed wheel of 16-byte events that keeps the
// order of pushes within a bucket and sorts nothing.
#include <fmt/format.h>

#include "base/random.hpp"
#include "bench.hpp"
#include "engine/event_queue.hpp"

namespace strata::bench {

namespace {

constexpr std::uint64_t operations = 4'000'000;
constexpr std::int64_t cycle = 2520;        // ticks of a core cycle
constexpr std::uint64_t most_delay = 1000;  // cycles

std::int64_t delay(RandomSequence& random) { return static_cast<std::int64_t>(1 + random.below(most_delay)) * cycle; }

double strata_queue(std::uint64_t outstanding, int repetitions) {
  engine::EventQueue queue{Duration{cycle / 2}};
  RandomSequence random{1};
  const auto push = [&](std::int64_t now) {
    queue.push({engine::Event::make_key(Time{now + delay(random)}, engine::Priority::arrival), nullptr, nullptr});
  };
  for (std::uint64_t i = 0; i < outstanding; ++i) push(0);
  return best_seconds(repetitions, [&] {
    for (std::uint64_t i = 0; i < operations; ++i) push(queue.pop().time().ticks);
  });
}

// First in, first out within a bucket, which is the least a simulator needs.
class BareWheel {
 public:
  struct Event {
    std::uint64_t time;
    std::uint64_t payload;
  };
  void push(const Event& event) { slots_[event.time / cycle % slots_.size()].push_back(event); }
  Event pop() {
    while (next_ == slots_[at_].size()) {
      slots_[at_].clear();
      next_ = 0;
      at_ = at_ + 1 == slots_.size() ? 0 : at_ + 1;
    }
    return slots_[at_][next_++];
  }

 private:
  std::vector<std::vector<Event>> slots_{2048};
  std::size_t at_ = 0;
  std::size_t next_ = 0;
};

double bare_wheel(std::uint64_t outstanding, int repetitions) {
  BareWheel wheel;
  RandomSequence random{1};
  for (std::uint64_t i = 0; i < outstanding; ++i) wheel.push({static_cast<std::uint64_t>(delay(random)), i});
  return best_seconds(repetitions, [&] {
    for (std::uint64_t i = 0; i < operations; ++i) {
      BareWheel::Event event = wheel.pop();
      event.time += static_cast<std::uint64_t>(delay(random));
      wheel.push(event);
    }
  });
}

}  // namespace

std::vector<Figure> event_queue_figures(int repetitions) {
  std::vector<Figure> figures;
  for (const std::uint64_t outstanding : {1'000U, 100'000U, 1'000'000U}) {
    const double ours = strata_queue(outstanding, repetitions) / operations * 1e9;
    const double floor = bare_wheel(outstanding, repetitions) / operations * 1e9;
    figures.push_back({fmt::format("event push and pop, {} outstanding", outstanding), ours, "ns"});
    figures.push_back({fmt::format("bare wheel, {} outstanding", outstanding), floor, "ns"});
    figures.push_back({fmt::format("ratio, {} outstanding", outstanding), ours / floor, ""});
  }
  return figures;
}

}  // namespace strata::bench
