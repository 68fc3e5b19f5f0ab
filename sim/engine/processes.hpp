// SPDX-License-Identifier: Apache-2.0
// A run that is divided into processes, each with events and a time of its own, which exchange
// messages and nothing else. No message takes less than the lookahead, so all processes may serve
// what falls due within a window of that length without waiting for each other (conservative
// synchronisation: Fujimoto, Parallel Discrete Event Simulation, CACM 1990). Messages are delivered
// between two windows, ordered by time, priority, sender and sequence, so a run is the same with
// any executor of the processes of a window, on any number of threads.
//
// A single process has no windows: it runs as its Simulation does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/simulation.hpp"

namespace strata::engine {

/// Executes the processes of a window.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;
  /// Calls one(0) to one(count - 1) in any order, or at once on several threads, and returns when
  /// all have returned. An exception of one of them comes back from here.
  virtual void each(std::size_t count, const std::function<void(std::size_t)>& one) = 0;
};

/// One after the other.
class InTurn final : public Executor {
 public:
  void each(std::size_t count, const std::function<void(std::size_t)>& one) override {
    for (std::size_t i = 0; i < count; ++i) one(i);
  }
};

class Processes {
 public:
  /// count >= 1. grain: see EventQueue.
  Processes(std::uint32_t count, Duration grain);

  std::uint32_t count() const { return static_cast<std::uint32_t>(all_.size()); }
  Simulation& operator[](std::uint32_t process) { return *all_[process]; }
  const Simulation& operator[](std::uint32_t process) const { return *all_[process]; }

  /// The least time that a message takes, > 0. Before the first run of several processes.
  void look_ahead(Duration lookahead) { lookahead_ = lookahead; }
  Duration lookahead() const { return lookahead_; }

  /// Has the handler called in process `to` at t, sent by what runs in process `from`; where they
  /// are not the same, t is the lookahead after its present or later.
  void post(std::uint32_t from, std::uint32_t to, Time t, Priority priority, const Handler& handler, void* argument) {
    if (from == to) return all_[to]->at(t, priority, handler, argument);
    outboxes_[from * all_.size() + to].push_back({Event::make_key(t, priority), &handler, argument});
  }

  /// Has the first handler called between two windows, while no process runs, before messages are delivered,
  /// if `due` is true then, and the second when nothing is left to do. All three outlive the run.
  void between_windows(const Handler& exchange, const bool& due, const Handler& at_rest) {
    exchanges_.push_back({&exchange, &due, &at_rest});
  }
  /// Called between two windows with the time that all processes have reached; true: pause there.
  /// What it schedules is not earlier.
  using AtWindow = std::function<bool(Time reached)>;
  /// Runs until nothing is left (true), or until at_window pauses (false). Of a single process a million events are a
  /// window, and Simulation::stop() pauses it as well.
  bool run(Executor& executor, const AtWindow& at_window = {});
  bool idle() const;
  /// The time that all processes have reached, while none runs.
  Time now() const { return all_.size() == 1 ? all_.front()->now() : later(reached_, latest()); }
  std::uint64_t fingerprint() const;
  std::uint64_t events_served() const;

 private:
  struct Exchange {
    const Handler* exchange;
    const bool* due;
    const Handler* at_rest;
  };
  static bool serve_alone(Simulation& process, const AtWindow& at_window);
  Time latest() const;
  void deliver();

  std::vector<std::unique_ptr<Simulation>> all_;
  std::vector<std::vector<Event>> outboxes_;  ///< by sender, then receiver
  std::vector<Exchange> exchanges_;
  std::vector<Time> next_;  ///< event of each process, as the window began
  Duration lookahead_{};
  Time window_end_{};
  Time reached_{};  ///< at the last pause
};

}  // namespace strata::engine
