// SPDX-License-Identifier: Apache-2.0
// The run: what time it is, what happens next, and a fingerprint of all that
// happened. Blocks schedule handlers; nothing else moves time forward. The
// fingerprint folds in every (time, priority) served and whatever blocks add
// with note(), never an address of memory, so that two runs are the same run
// exactly if their fingerprints agree.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "engine/event_queue.hpp"

namespace strata::engine {

struct HandlerTable {
  std::deque<Handler> all;  ///< stay where they are: events point to them
  std::vector<const Handler*> numbered;
};

class Simulation {
 public:
  /// grain: see EventQueue.
  explicit Simulation(Duration grain) : Simulation(grain, std::make_shared<HandlerTable>()) {}
  /// One of several that call each other's handlers by number.
  Simulation(Duration grain, std::shared_ptr<HandlerTable> handlers)
      : queue_(grain), handlers_(std::move(handlers)), numbered_(handlers_->numbered.data()) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// See EventQueue. Before the first event.
  void shuffle_ties(std::uint64_t seed) { queue_.shuffle_ties(seed); }

  Time now() const { return now_; }
  std::uint64_t events_served() const { return served_; }
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// t >= now(). The handler must outlive the event.
  void at(Time t, Priority priority, const Handler& handler, void* argument = nullptr) {
    queue_.push({Event::make_key(t, priority), &handler, argument});
  }
  void after(Duration d, Priority priority, const Handler& handler, void* argument = nullptr) {
    at(now_ + d, priority, handler, argument);
  }

  /// Enters a handler in the table. Throws std::length_error when it is full.
  HandlerNumber number(const Handler& handler) {
    if (handlers_->all.size() == most_handlers) throw std::length_error("too many handlers are numbered");
    handlers_->numbered.push_back(&handlers_->all.emplace_back(handler));
    find_handlers();
    return static_cast<HandlerNumber>(handlers_->numbered.size() - 1);
  }
  const Handler& numbered(HandlerNumber number) const { return *numbered_[static_cast<std::uint32_t>(number)]; }
  /// Once others have entered handlers in a table that is shared.
  void find_handlers() { numbered_ = handlers_->numbered.data(); }
  /// Fewer fit in the table: a number has 31 bits.
  static constexpr std::size_t most_handlers = std::size_t{1} << 31U;

  /// Folds a figure of the run into the fingerprint.
  void note(std::uint64_t figure) { fingerprint_ = (fingerprint_ ^ figure) * prime; }

  bool idle() const { return queue_.empty(); }

  /// Serves one event; the queue must not be empty.
  void step() { serve(queue_.pop()); }
  /// Serves events until none is left or stop() was called.
  void run() {
    stopped_ = false;
    while (!stopped_ && !queue_.empty()) step();
  }
  /// The same, but at most so many; false: stop() was called.
  bool run_some(std::uint64_t events) {
    stopped_ = false;
    for (; events > 0 && !stopped_ && !queue_.empty(); --events) step();
    return !stopped_;
  }
  /// Serves what falls due before `end`.
  void run_until(Time end) {
    const std::uint64_t bound = Event::make_key(end, Priority::completion);
    while (const Event* const event = queue_.pop_before(bound)) serve(*event);
  }
  /// Nothing falls due before `end`, so the present is that from now on: what is measured then is of one instant.
  void pass_until(Time end) { now_ = end; }
  /// When the next event falls due; there must be one.
  Time next_time() { return {static_cast<std::int64_t>(queue_.next_key() >> 2U)}; }
  /// Ends run() after the event being served; what is queued stays queued.
  void stop() { stopped_ = true; }

 private:
  void serve(const Event& event) {
    // Read before anything is pushed: what was popped is overwritten then.
    const std::uint64_t key = event.key;
    const Handler& handler = *event.handler;
    void* const argument = event.argument;
    now_ = {static_cast<std::int64_t>(key >> 2U)};
    note(key);
    ++served_;
    handler.function(handler.self, argument);
  }
  static constexpr std::uint64_t prime = 0x100000001B3U;  // FNV-1a
  EventQueue queue_;
  std::shared_ptr<HandlerTable> handlers_;
  const Handler* const* numbered_;
  Time now_{};
  std::uint64_t served_ = 0;
  std::uint64_t fingerprint_ = 0xCBF29CE484222325U;
  bool stopped_ = false;
};

/// A handler that calls a member function: handler<&Block::on_arrival>(block).
template <auto Member>
struct MemberHandler;
template <class Block, class Argument, void (Block::*Member)(Argument&)>
struct MemberHandler<Member> {
  static Handler of(Block& block) {
    return {[](void* self, void* argument) { (static_cast<Block*>(self)->*Member)(*static_cast<Argument*>(argument)); },
            &block};
  }
};
template <class Block, void (Block::*Member)()>
struct MemberHandler<Member> {
  static Handler of(Block& block) {
    return {[](void* self, void*) { (static_cast<Block*>(self)->*Member)(); }, &block};
  }
};

template <auto Member, class Block>
Handler handler(Block& block) {
  return MemberHandler<Member>::of(block);
}

}  // namespace strata::engine
