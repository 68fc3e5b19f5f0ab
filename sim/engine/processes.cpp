// SPDX-License-Identifier: Apache-2.0
#include "engine/processes.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

namespace strata::engine {

namespace {
constexpr Time never{std::numeric_limits<std::int64_t>::max()};
}

Processes::Processes(std::uint32_t count, Duration grain) : outboxes_(std::size_t{count} * count), next_(count) {
  if (count == 0) throw std::invalid_argument("a run has at least one process");
  const auto handlers = std::make_shared<HandlerTable>();
  for (std::uint32_t i = 0; i < count; ++i) all_.push_back(std::make_unique<Simulation>(grain, handlers));
}

// By receiver, then sender: the queue keeps the order of messages of one time and priority.
void Processes::deliver() {
  for (const std::unique_ptr<Simulation>& each : all_) each->find_handlers();  // some may be new
  for (const Exchange& each : exchanges_)
    if (*each.due) each.exchange->function(each.exchange->self, nullptr);
  const std::size_t count = all_.size();
  for (std::size_t to = 0; to < count; ++to) {
    for (std::size_t from = 0; from < count; ++from) {
      std::vector<Event>& box = outboxes_[from * count + to];
      for (const Event& event : box) {
        if (event.time() < window_end_)
          throw std::logic_error("a message between processes takes less than the lookahead");
        all_[to]->at(event.time(), static_cast<Priority>(event.key & 3U), *event.handler, event.argument);
      }
      box.clear();
    }
  }
}

// A single process has no windows: so many events are one.
bool Processes::serve_alone(Simulation& process, const AtWindow& at_window) {
  constexpr std::uint64_t events = 1U << 20U;
  while (process.run_some(events) && !process.idle())
    if (at_window && at_window(process.now())) return false;
  return process.idle();
}

bool Processes::run(Executor& executor, const AtWindow& at_window) {
  if (all_.size() == 1) return serve_alone(*all_.front(), at_window);
  if (lookahead_ <= Duration{}) throw std::logic_error("processes need a lookahead");
  for (;;) {
    deliver();
    Time first = never;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      next_[i] = all_[i]->idle() ? never : all_[i]->next_time();
      first = earlier(first, next_[i]);
    }
    if (first == never) {
      for (const Exchange& each : exchanges_) each.at_rest->function(each.at_rest->self, nullptr);
      return true;
    }
    const Time end = window_end_ = first + lookahead_;
    std::size_t busy = 0;
    Simulation* one = nullptr;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (next_[i] < end) {
        ++busy;
        one = all_[i].get();
      }
    if (busy == 1)
      one->run_until(end);  // nothing to execute in parallel
    else
      executor.each(all_.size(), [&](std::size_t process) { all_[process]->run_until(end); });
    if (at_window && at_window(end)) {
      reached_ = end;
      for (const std::unique_ptr<Simulation>& each : all_) each->pass_until(end);
      return false;
    }
  }
}

bool Processes::idle() const {
  return std::all_of(all_.begin(), all_.end(), [](const std::unique_ptr<Simulation>& each) { return each->idle(); }) &&
         std::all_of(outboxes_.begin(), outboxes_.end(), [](const auto& box) { return box.empty(); });
}

Time Processes::latest() const {
  Time latest{};
  for (const std::unique_ptr<Simulation>& each : all_) latest = later(latest, each->now());
  return latest;
}

std::uint64_t Processes::fingerprint() const {
  std::uint64_t all = all_.front()->fingerprint();
  for (std::size_t i = 1; i < all_.size(); ++i) all = mix(all, all_[i]->fingerprint());
  return all;
}

std::uint64_t Processes::events_served() const {
  std::uint64_t all = 0;
  for (const std::unique_ptr<Simulation>& each : all_) all += each->events_served();
  return all;
}

}  // namespace strata::engine
