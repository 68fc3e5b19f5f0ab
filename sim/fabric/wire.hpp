// SPDX-License-Identifier: Apache-2.0
// Wires: what carries messages one after the other at a finite width. Asking
// costs no event; the answer is when the message's head leaves.
//
// A Wire is asked in the order of time and then serves first come first
// served, exactly. Networks ask it at the present instant. Where a message
// becomes ready a little later than it is announced (a tag is still being
// looked up), its turn is booked now and the rest of the preparation is added
// to its departure: messages pass in the order of asking, each exactly as much
// later as its wire was behind. Width and unloaded latency stay exact, what
// shifts is the instant at which a message counts, by that preparation, and no
// message holds the wire idle until it is ready.
//
// A BackfillWire may be asked for later instants out of order, as a slice does
// that announces answers of different latency: what it leaves idle before a
// booking it gives to a later asker who is ready for it (the history list of
// Carlson, Heirman and Eeckhout: Sniper, SC 2011). It remembers the eight
// latest idle spans; a slice's latencies differ by some ten cycles and a block
// takes one or two, so more are not needed, and a wire in demand has none. The
// mean wait of equal messages does not depend on their order (Kleinrock:
// Queueing Systems 2, 1976), and the number passed in a span stays that of the
// width.
#pragma once
#include <array>
#include <cstdint>

#include "engine/lane.hpp"
#include "fabric/traffic.hpp"

namespace strata::fabric {

/// What a wire has carried.
class WireUse {
 public:
  Duration busy() const { return busy_; }
  std::uint64_t served() const { return served_; }
  std::uint64_t bytes() const { return bytes_; }

 protected:
  /// The whole ticks of the message, counted in.
  Duration enter(const WireTime& time, unsigned sectors) {
    const Duration occupancy = carry_.whole(time(sectors));
    busy_ += occupancy;
    bytes_ += time.bytes(sectors).value;
    ++served_;
    return occupancy;
  }

 private:
  Duration busy_{};
  std::uint64_t served_ = 0;
  std::uint64_t bytes_ = 0;
  Carry carry_;
};

class Wire : public WireUse {
 public:
  /// When a message of so many sectors leaves, not before ready, which never
  /// falls from call to call. Nothing waits that weighs nothing.
  Time pass(Time ready, const WireTime& time, unsigned sectors) {
    if (!time.takes(sectors)) return ready;
    const Time start = later(ready, free_at_);
    free_at_ = start + enter(time, sectors);
    return start;
  }
  Time free_at() const { return free_at_; }
  /// What is booked beyond now, as Lane::ahead().
  Duration ahead(Time now) const { return longer(free_at_ - now, Duration{}); }

 private:
  Time free_at_{};
};

class BackfillWire : public WireUse {
 public:
  /// The same for a ready that may fall.
  Time pass(Time ready, const WireTime& time, unsigned sectors) {
    if (!time.takes(sectors)) return ready;
    const Duration occupancy = enter(time, sectors);
    if (ready < free_at_) return pass_before(ready, occupancy);
    if (ready - free_at_ >= occupancy) remember({free_at_, ready});
    free_at_ = ready + occupancy;
    return ready;
  }
  /// What is booked beyond now: idle spans that may still be given away are not.
  Duration ahead(Time now) const {
    Duration booked = longer(free_at_ - now, Duration{});
    for (unsigned i = 0; i < count_; ++i) {
      const Idle& span = idle_[(first_ + i) % most];
      booked -= longer(span.until - later(span.from, now), Duration{});
    }
    return longer(booked, Duration{});
  }

 private:
  struct Idle {
    Time from;
    Time until;
  };
  static constexpr unsigned most = 8;

  Idle& idle(unsigned i) { return idle_[(first_ + i) % most]; }
  void remember(const Idle& span) {
    if (count_ < most) {
      idle(count_++) = span;
    } else {  // the oldest is overwritten
      idle(0) = span;
      first_ = (first_ + 1) % most;
    }
  }
  /// In the earliest idle span that is long enough, or after everything.
  Time pass_before(Time ready, Duration occupancy) {
    unsigned chosen = most;
    for (unsigned i = count_; i-- > 0 && idle(i).until - ready >= occupancy;) {
      if (idle(i).until - idle(i).from >= occupancy) chosen = i;
    }
    if (chosen == most) {
      const Time start = free_at_;
      free_at_ = start + occupancy;
      return start;
    }
    Idle& span = idle(chosen);
    const Time start = later(ready, span.from);
    // Of the two that are left the later one stays: time runs that way.
    if (span.until - start > occupancy) {
      span.from = start + occupancy;
    } else {
      span.until = start;
    }
    return start;
  }

  Time free_at_{};
  unsigned first_ = 0;
  unsigned count_ = 0;
  std::array<Idle, most> idle_{};
};

/// A wire's use under the name by which reports call it.
struct NamedWire {
  std::string name;
  const WireUse* use;
  Duration ahead;          ///< booked beyond the instant of asking
  bool of_source = false;  ///< of a crossbar: on the side of the cores
};

}  // namespace strata::fabric
