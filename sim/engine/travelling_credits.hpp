// SPDX-License-Identifier: Apache-2.0
// The credits of a port whose receiver runs in another process. They come back with a latency, so the
// sender learns of a free place that much later. A credit costs no event: the sender collects
// those that have arrived when it is about to send, and is woken for the next one only while messages
// wait for it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/port.hpp"
#include "engine/processes.hpp"

namespace strata::engine {

class TravellingCredits {
 public:
  /// latency: the processes' lookahead or more. All outlive it.
  TravellingCredits(Processes& processes, std::uint32_t sender, std::uint32_t receiver, Port& port, Duration latency)
      : sender_(processes[sender]), receiver_(processes[receiver]), port_(port), latency_(latency) {
    port.credits_travel(leave_);
    processes.between_windows(exchange_, due_, settle_);
  }
  TravellingCredits(const TravellingCredits&) = delete;
  TravellingCredits& operator=(const TravellingCredits&) = delete;

  /// The sender is about to ask the port for capacity.
  void collect() {
    const Time now = sender_.now();
    while (next_ < coming_.size() && coming_[next_] <= now) take();
    forget_taken();
  }
  /// A message waits at the port.
  void await() {
    if (awaited_ || next_ == coming_.size() || port_.waiting().empty()) return;
    awaited_ = true;
    sender_.at(coming_[next_], Priority::completion, arrive_);
  }

 private:
  // In the receiver's process.
  void leave(Port&) {
    leaving_.push_back(receiver_.now() + latency_);
    due_ = true;
  }
  // While neither runs.
  void exchange() {
    coming_.insert(coming_.end(), leaving_.begin(), leaving_.end());
    leaving_.clear();
    due_ = next_ < coming_.size();
    await();
  }
  // Nothing is left to happen before they arrive.
  void settle() {
    while (next_ < coming_.size()) take();
    forget_taken();
  }
  void take() {
    ++next_;
    port_.credit_arrived();
  }
  void forget_taken() {
    if (next_ < coming_.size()) return;
    coming_.clear();
    next_ = 0;
  }
  void arrive() {
    awaited_ = false;
    collect();
    await();
  }

  Simulation& sender_;
  Simulation& receiver_;
  Port& port_;
  Duration latency_;
  std::vector<Time> coming_;  ///< rising, from next_ on
  std::size_t next_ = 0;
  bool awaited_ = false;
  Handler arrive_ = handler<&TravellingCredits::arrive>(*this);
  Handler exchange_ = handler<&TravellingCredits::exchange>(*this);
  Handler settle_ = handler<&TravellingCredits::settle>(*this);
  alignas(64) Handler leave_ = handler<&TravellingCredits::leave>(*this);
  std::vector<Time> leaving_;
  bool due_ = false;  ///< credits leave, or some are on their way
};

}  // namespace strata::engine
