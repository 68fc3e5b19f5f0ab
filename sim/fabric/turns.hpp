// SPDX-License-Identifier: Apache-2.0
// Fair queueing in front of a full slice (Nagle: On Packet Switches With Infinite Storage, IEEE Transactions on
// Communications, 1987): what waits is served in rounds, each with so many requests of a party at most, in the order in
// which they came. The requests stay in one list, that of the port, in the order of their rounds, so the front is
// always next; what is kept here is where each round ends.
//
// A request that takes no turn joins the last round there is: only those that join these rounds later pass it, none of
// its own source among them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/port.hpp"

namespace strata::fabric {

class Turns {
 public:
  Turns(std::uint32_t parties, std::uint32_t sources, std::uint32_t grants)
      : grants_(grants), parties_(parties), sources_(sources) {}

  /// Where a request of a party goes in the list of a port: behind the one returned; nullptr: at its end.
  /// left: how many have left the front of the list since the beginning.
  engine::Message* in_turn(engine::Message& request, std::uint32_t party, std::uint32_t source, std::uint64_t left) {
    forget(left);
    const std::uint64_t place = std::max(next_[party], first_ * grants_);
    next_[party] = place + 1;
    return join(std::max(place / grants_, earliest_[source]), request);
  }
  /// The same for a request that takes no turn.
  engine::Message* at_end(engine::Message& request, std::uint32_t source, std::uint64_t left) {
    forget(left);
    earliest_[source] = first_ + (rounds_.empty() ? 0 : rounds_.size() - 1);
    return join(earliest_[source], request);
  }

 private:
  struct Round {
    engine::Message* end;
    std::uint64_t waiting;
  };
  engine::Message* join(std::uint64_t number, engine::Message& request) {
    if (number == first_ + rounds_.size()) {
      rounds_.push_back({&request, 1});
      return nullptr;
    }
    Round& round = rounds_[number - first_];
    engine::Message* const place = round.end;
    round.end = &request;
    ++round.waiting;
    return place;
  }
  // Rounds whose requests have all left.
  void forget(std::uint64_t left) {
    if (next_.empty()) {  // nothing is kept for a slice at which nothing has waited yet
      next_.resize(parties_);
      earliest_.resize(sources_);
    }
    std::uint64_t gone = left - left_;
    left_ = left;
    while (gone != 0 && gone >= rounds_.front().waiting) {
      gone -= rounds_.front().waiting;
      rounds_.pop_front();
      ++first_;
    }
    if (gone != 0) rounds_.front().waiting -= gone;
  }

  std::uint64_t grants_;  ///< requests of a party in a round
  std::uint32_t parties_, sources_;
  std::vector<std::uint64_t> next_{};      ///< by party: its next place, counted over the rounds of all times
  std::vector<std::uint64_t> earliest_{};  ///< by source: the round of the last of its requests that took no turn
  std::deque<Round> rounds_{};
  std::uint64_t first_ = 0;  ///< number of the first of them
  std::uint64_t left_ = 0;
};

}  // namespace strata::fabric
