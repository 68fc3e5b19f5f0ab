// SPDX-License-Identifier: Apache-2.0
// A TimingSpec resolved into whole ticks between the first edges of two
// commands. A constraint holds between the last edges of two commands, so
// where their lengths on the bus differ the distance of their first edges is
// corrected by the difference (as in Ramulator 2.1's HBM models): ACT to RD is
// longer, PRE to ACT shorter than the table by the length of ACT less one.
#pragma once
#include <array>
#include <cstddef>

#include "dram/channel_spec.hpp"
#include "dram/timing/command.hpp"

namespace strata::dram {

/// Where the later of two column commands goes, seen from the earlier.
enum class Relation : std::uint8_t { same_group, other_group, other_stack };

/// So many runs of column commands share a pseudo-channel's data bus at most.
inline constexpr Tick most_runs = 4;
/// The longest run: a block of 128 B in bursts of 32 B.
inline constexpr std::size_t longest_run = 4;
/// A run, and the distance to the next one, last no longer than this.
inline constexpr Tick column_horizon = 64;

struct Timing {
  /// The spec must have no problems().
  explicit Timing(const TimingSpec& spec);

  /// Ticks between two column commands, by [first is write][second is write][relation].
  Tick column_gap(bool first, bool second, Relation relation) const {
    return column[first][second][static_cast<std::size_t>(relation)];
  }
  /// The first tick at or after t at which ACT, RD and WR may go out; per_clock is 1 or 2.
  Tick rising_edge(Tick t) const { return (t + edge_round) & edge_mask; }

  Tick per_clock;
  Tick edge_round, edge_mask;
  Tick activate_length;
  Tick precharge_length;
  Tick column_length;
  std::array<Tick, 2> activate_to_column;  ///< read, write
  Tick activate_to_precharge;
  Tick activate_to_activate;        ///< same bank
  Tick activate_to_other_activate;  ///< same number of bank, another stack id; 0: no bound
  Tick precharge_to_activate;
  Tick precharge_to_refresh;
  std::array<Tick, 2> column_to_precharge;  ///< read, write
  std::array<Tick, 2> column_to_data_end;   ///< read, write
  Tick rrd_s, rrd_l, faw, ppd;
  Tick activate_to_refresh;  ///< another bank's refresh
  Tick refresh_all_to_activate;
  Tick refresh_all_to_refresh;
  Tick refresh_bank_to_activate;  ///< same bank
  Tick refresh_bank_to_refresh;   ///< same bank
  Tick refresh_to_other_activate;
  Tick refresh_to_other_refresh;
  Tick refi;
  Tick burst;
  /// Whether the bursts of a request go out as one run at the pace of their bank
  /// group: the slots between are then those of other groups, none is lost. Else
  /// each burst is a request of its own to the scheduler.
  bool column_runs;
  std::array<std::array<std::array<Tick, 3>, 2>, 2> column;
};

}  // namespace strata::dram
