// SPDX-License-Identifier: Apache-2.0
#include "dram/timing/timing.hpp"

#include <algorithm>
#include <cmath>

namespace strata::dram {

Timing::Timing(const TimingSpec& spec) {
  const auto ticks = [&](Cycles c) {
    return static_cast<Tick>(std::llround(c.value * static_cast<double>(spec.ticks_per_clock)));
  };
  per_clock = spec.ticks_per_clock;
  edge_round = per_clock - 1;
  edge_mask = -per_clock;
  activate_length = ticks(spec.activate_bus);
  precharge_length = ticks(spec.precharge_bus);
  column_length = ticks(spec.column_bus);
  const Tick act = activate_length - 1;
  const Tick pre = precharge_length - 1;
  const Tick col = column_length - 1;
  burst = ticks(spec.burst);
  const std::array<Tick, 2> latency{ticks(spec.read_latency), ticks(spec.write_latency)};

  activate_to_column = {ticks(spec.t_rcd_read) + act - col, ticks(spec.t_rcd_write) + act - col};
  activate_to_precharge = ticks(spec.t_ras) + act - pre;
  activate_to_activate = ticks(spec.t_rc);
  activate_to_other_activate = ticks(spec.t_rc_r);
  precharge_to_activate = ticks(spec.t_rp) + pre - act;
  precharge_to_refresh = ticks(spec.t_rp);
  column_to_precharge = {ticks(spec.t_rtp) + col - pre, latency[1] + burst + ticks(spec.t_wr) + col - pre};
  column_to_data_end = {latency[0] + burst, latency[1] + burst};
  rrd_s = ticks(spec.t_rrd_s);
  rrd_l = ticks(spec.t_rrd_l);
  faw = ticks(spec.t_faw);
  ppd = ticks(spec.t_ppd);
  activate_to_refresh = rrd_s + act - pre;
  refresh_all_to_activate = ticks(spec.t_rfc_ab) + pre - act;
  refresh_all_to_refresh = ticks(spec.t_rfc_ab);
  refresh_bank_to_activate = ticks(spec.t_rfc_pb) + pre - act;
  refresh_bank_to_refresh = ticks(spec.t_rfc_pb);
  refresh_to_other_activate = std::max<Tick>(0, ticks(spec.t_rrefd) + pre - act);
  refresh_to_other_refresh = ticks(spec.t_rrefd);
  refi = ticks(spec.t_refi);

  const Tick same = ticks(spec.t_ccd_l);
  const Tick group = ticks(spec.t_ccd_s);
  const Tick stack = spec.t_ccd_r.value > 0 ? ticks(spec.t_ccd_r) : group;
  const Tick longest = static_cast<Tick>(longest_run - 1) * same + group;
  column_runs = same % group == 0 && same / group <= most_runs && longest <= column_horizon;
  const Tick turn = ticks(spec.t_rtw);
  column[0][0] = column[1][1] = {same, group, stack};
  column[0][1] = {turn, turn, turn};
  const Tick written = latency[1] + burst;
  column[1][0] = {written + ticks(spec.t_wtr_l), written + ticks(spec.t_wtr_s), written + ticks(spec.t_wtr_s)};
}

}  // namespace strata::dram
