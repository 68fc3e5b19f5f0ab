// SPDX-License-Identifier: Apache-2.0
// The timing sets that published DRAM simulators carry, in clock cycles: HBM3
// at 6.4 Gb/s, HBM2 at 2 Gb/s and GDDR6 at 14 Gb/s of Ramulator 2.1, and the
// cut to one pseudo-channel of the first.
#pragma once
#include "dram/channel_spec.hpp"

namespace strata::dram::test {

inline constexpr const char* stream_over_bank_groups = "pseudo_channel bank_group column bank stack row";
inline constexpr const char* row_linear = "column pseudo_channel stack bank_group bank row";
inline constexpr const char* bank_linear = "pseudo_channel stack bank_group bank column row";
inline constexpr const char* one_bank = "row column pseudo_channel stack bank_group bank";
inline constexpr const char* blocks_in_a_row = "column:2 pseudo_channel bank_group column bank stack row";

inline ChannelSpec common() {
  ChannelSpec spec;
  spec.organisation.bank_groups = 4;
  spec.organisation.banks_per_group = 4;
  spec.organisation.access = Bytes{32};
  spec.address_map.order = stream_over_bank_groups;
  spec.controller.refresh = Refresh::none;
  return spec;
}

inline ChannelSpec r_hbm3() {
  ChannelSpec spec = common();
  TimingSpec& t = spec.timing;
  t.data_rate = DataRate{6'400'000'000};
  t.transfers_per_clock = 4;
  t.ticks_per_clock = 2;
  t.read_latency = {20};
  t.write_latency = {10};
  t.t_rcd_read = {31};
  t.t_rcd_write = {15};
  t.t_rp = {26};
  t.t_ras = {45};
  t.t_rc = {72};
  t.t_ccd_s = {2};
  t.t_ccd_l = {4};
  t.t_ccd_r = {3};
  t.t_rrd_s = {4};
  t.t_rrd_l = {5};
  t.t_faw = {24};
  t.t_wtr_s = {7};
  t.t_wtr_l = {10};
  t.t_rtw = {20};
  t.t_wr = {33};
  t.t_rtp = {9};
  t.t_ppd = {2};
  t.t_refi = {6240};
  t.t_rfc_ab = {416};
  t.t_rfc_pb = {320};
  t.t_rrefd = {8};
  t.activate_bus = {1.5};
  t.precharge_bus = {0.5};
  t.column_bus = {1};
  spec.organisation.pseudo_channels = 2;
  spec.organisation.stack_ids = 2;
  spec.organisation.rows = 8192;
  spec.organisation.page = Bytes{1024};
  return spec;
}

inline ChannelSpec r_hbm2() {
  ChannelSpec spec = common();
  TimingSpec& t = spec.timing;
  t.data_rate = DataRate{2'000'000'000};
  t.transfers_per_clock = 2;
  t.read_latency = {14};
  t.write_latency = {5};
  t.t_rcd_read = {14};
  t.t_rcd_write = {12};
  t.t_rp = {14};
  t.t_ras = {34};
  t.t_rc = {48};
  t.t_ccd_s = {2};
  t.t_ccd_l = {4};
  t.t_rrd_s = {4};
  t.t_rrd_l = {4};
  t.t_faw = {15};
  t.t_wtr_s = {6};
  t.t_wtr_l = {8};
  t.t_rtw = {13};
  t.t_wr = {16};
  t.t_rtp = {5};
  t.t_refi = {3900};
  t.t_rfc_ab = {160};
  t.t_rfc_pb = {160};
  t.t_rrefd = {8};
  t.activate_bus = {2};
  spec.organisation.pseudo_channels = 2;
  spec.organisation.rows = 16384;
  spec.organisation.page = Bytes{1024};
  return spec;
}

inline ChannelSpec r_gddr6() {
  ChannelSpec spec = common();
  TimingSpec& t = spec.timing;
  t.data_rate = DataRate{14'000'000'000};
  t.transfers_per_clock = 8;
  t.read_latency = {24};
  t.write_latency = {6};
  t.t_rcd_read = {27};
  t.t_rcd_write = {16};
  t.t_rp = {27};
  t.t_ras = {53};
  t.t_rc = {79};
  t.t_ccd_s = {2};
  t.t_ccd_l = {4};
  t.t_rrd_s = {8};
  t.t_rrd_l = {8};
  t.t_faw = {29};
  t.t_wtr_s = {9};
  t.t_wtr_l = {11};
  t.t_rtw = {25};
  t.t_wr = {27};
  t.t_rtp = {4};
  t.t_ppd = {1};
  t.t_refi = {3333};
  t.t_rfc_ab = {211};
  t.t_rfc_pb = {106};
  t.t_rrefd = {15};
  t.one_command_bus = true;
  spec.organisation.rows = 16384;
  spec.organisation.page = Bytes{2048};
  return spec;
}

/// R-HBM3 cut to one pseudo-channel and one stack id.
inline ChannelSpec x_hbm3() {
  ChannelSpec spec = r_hbm3();
  spec.timing.t_rc = {71};
  spec.organisation.pseudo_channels = 1;
  spec.organisation.stack_ids = 1;
  spec.organisation.rows = 16384;
  return spec;
}

inline ChannelSpec with_refresh(ChannelSpec spec, Refresh refresh = Refresh::all_bank) {
  spec.controller.refresh = refresh;
  return spec;
}

inline ChannelSpec with_map(ChannelSpec spec, const char* order) {
  spec.address_map.order = order;
  return spec;
}

}  // namespace strata::dram::test
