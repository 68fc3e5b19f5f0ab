// SPDX-License-Identifier: Apache-2.0
// How long the things that a pseudo-channel has one of were occupied: its data bus,
// the window of its activates, the bus as it turns, its banks in refresh. Each is
// reckoned as a server, first come first served, of the commands as they go out, so
// that between two instants none is busy for longer than the time between them. It
// decides nothing: Constraints does.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dram/channel_spec.hpp"
#include "dram/statistics.hpp"
#include "dram/timing/timing.hpp"

namespace strata::dram {

class Occupied {
 public:
  Occupied(const Timing& timing, const OrganisationSpec& organisation, bool refresh_of_a_bank)
      : burst_(timing.burst * parts),
        // Four activates in tFAW, each tRRD_S behind the one before.
        activate_(std::max(timing.faw * parts / 4, timing.rrd_s * parts)),
        turn_{turn_time(timing, true), turn_time(timing, false)},
        refresh_(refresh_of_a_bank ? timing.refresh_bank_to_activate * parts /
                                         static_cast<Tick>(organisation.stack_ids * organisation.bank_groups *
                                                           organisation.banks_per_group)
                                   : timing.refresh_all_to_activate * parts),
        channels_(organisation.pseudo_channels) {}

  void column(std::uint32_t channel, bool write, Tick t, std::uint32_t bursts) {
    Channel& c = channels_[channel];
    if (write != c.writing) c.turnaround.book(t, turn_[c.writing]);
    c.writing = write;
    c.bus.book(t, burst_ * static_cast<Tick>(bursts));
  }
  void activate(std::uint32_t channel, Tick t) { channels_[channel].activate.book(t, activate_); }
  void refresh(std::uint32_t channel, Tick t) { channels_[channel].refresh.book(t, refresh_); }

  /// Sums over the pseudo-channels.
  void tell(Statistics& s, Tick now) const {
    s.bus = sum(&Channel::bus, now);
    s.activate_window = sum(&Channel::activate, now);
    s.turnaround = sum(&Channel::turnaround, now);
    s.refresh = sum(&Channel::refresh, now);
  }
  void reset() {
    for (Channel& c : channels_)
      for (Server* server : {&c.bus, &c.activate, &c.turnaround, &c.refresh}) server->busy = 0;
  }

 private:
  static constexpr Tick parts = 64;  ///< of a tick, so that shares of one add up
  struct Server {
    Tick busy = 0;
    Tick free = 0;
    void book(Tick t, Tick occupancy) {
      free = std::max(free, t * parts) + occupancy;
      busy += occupancy;
    }
  };
  struct Channel {
    Server bus, activate, turnaround, refresh;
    bool writing = false;
  };
  /// Of both turns together the bus stands still for as long as the distances of the
  /// commands are longer than a burst.
  static Tick turn_time(const Timing& timing, bool to_write) {
    return parts * std::max<Tick>(0, timing.column_gap(!to_write, to_write, Relation::other_group) - timing.burst);
  }
  ResourceTicks sum(Server Channel::* which, Tick now) const {
    Tick busy = 0;
    Tick ahead = 0;
    for (const Channel& c : channels_) {
      busy += (c.*which).busy;
      ahead += std::max<Tick>(0, (c.*which).free - now * parts);
    }
    return {busy / parts, (ahead + parts - 1) / parts};
  }

  Tick burst_, activate_;
  std::array<Tick, 2> turn_;  ///< from reads, from writes
  Tick refresh_;
  std::vector<Channel> channels_;
};

}  // namespace strata::dram
