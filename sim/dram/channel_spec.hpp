// SPDX-License-Identifier: Apache-2.0
// All that describes one DRAM channel: how fast it is (TimingSpec), how it is
// laid out (OrganisationSpec), how its controller behaves (ControllerSpec) and
// where addresses go (AddressMapSpec). The constraints are data under the names
// of the JEDEC standards (JESD235 HBM2, JESD238 HBM3, JESD250 GDDR6), counted
// in cycles of the memory clock CK, so that HBM2E, HBM3, HBM3E and GDDR6 differ
// in numbers alone. Nothing here depends on temperature or voltage.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::dram {

/// The page policy: when a row that no queued request hits is closed.
enum class PagePolicy : std::uint8_t { open, closed, timeout };
enum class Refresh : std::uint8_t { none, all_bank, per_bank };

/// Distances between commands. All Cycles count the memory clock CK.
struct TimingSpec {
  DataRate data_rate{};                   ///< of one data pin
  std::uint32_t transfers_per_clock = 2;  ///< data beats of a pin per CK: 2 HBM2E, 4 HBM3, 8 GDDR6
  std::uint32_t ticks_per_clock = 1;      ///< command edges per CK; 2 lets PRE use the falling edge (HBM3)
  Cycles burst{2};                        ///< a burst on the data bus
  Cycles read_latency{};                  ///< CL: RD to first beat
  Cycles write_latency{};                 ///< CWL: WR to first beat
  Cycles t_rcd_read{};                    ///< ACT to RD
  Cycles t_rcd_write{};                   ///< ACT to WR
  Cycles t_rp{};                          ///< PRE to ACT
  Cycles t_ras{};                         ///< ACT to PRE
  Cycles t_rc{};                          ///< ACT to ACT, same bank
  Cycles t_rc_r{};                        ///< ACT to ACT, same number of bank in another stack id; 0: no bound
  Cycles t_ccd_s{};                       ///< column to column, other bank group
  Cycles t_ccd_l{};                       ///< column to column, same bank group
  Cycles t_ccd_r{};                       ///< column to column, other stack id; 0: as t_ccd_s
  Cycles t_rrd_s{};                       ///< ACT to ACT, other bank group
  Cycles t_rrd_l{};                       ///< ACT to ACT, same bank group
  Cycles t_faw{};                         ///< window that holds at most four ACT
  Cycles t_wtr_s{};                       ///< end of write data to RD, other bank group
  Cycles t_wtr_l{};                       ///< end of write data to RD, same bank group
  Cycles t_rtw{};                         ///< RD to WR
  Cycles t_wr{};                          ///< end of write data to PRE
  Cycles t_rtp{};                         ///< RD to PRE
  Cycles t_ppd{};                         ///< PRE to PRE
  Cycles t_refi{};                        ///< mean distance of all-bank refreshes
  Cycles t_rfc_ab{};                      ///< all-bank refresh to ACT
  Cycles t_rfc_pb{};                      ///< per-bank refresh to ACT in that bank
  Cycles t_rrefd{};                       ///< per-bank refresh to refresh or ACT in another bank
  Cycles activate_bus{1};                 ///< command bus time of ACT
  Cycles precharge_bus{1};                ///< command bus time of PRE and REF
  Cycles column_bus{1};                   ///< command bus time of RD and WR
  bool one_command_bus = false;           ///< row and column commands share one bus (GDDR6)

  /// CK in hertz.
  Frequency clock() const { return {data_rate.value / transfers_per_clock}; }
  /// The rate of command edges: the clock that a Channel is given.
  Frequency tick_rate() const { return {data_rate.value * ticks_per_clock / transfers_per_clock}; }

  static config::Schema<TimingSpec> schema();
};

struct OrganisationSpec {
  std::uint32_t pseudo_channels = 1;  ///< share the command buses; each has its own data bus
  std::uint32_t stack_ids = 1;        ///< dies behind one channel that answer by stack id
  std::uint32_t bank_groups = 4;      ///< per stack id
  std::uint32_t banks_per_group = 4;
  std::uint32_t rows = 16384;  ///< per bank
  Bytes page{1024};            ///< a row of one bank
  Bytes access{32};            ///< moved by one burst of a pseudo-channel: 32, 64 or 128

  static config::Schema<OrganisationSpec> schema();
};

struct ControllerSpec {
  std::uint32_t read_queue = 64;  ///< requests, all pseudo-channels together
  std::uint32_t write_queue = 64;
  std::optional<std::uint32_t> write_rows;    ///< of a pseudo-channel, opened for writes and not ready for another row
  std::uint32_t input_buffer = 8;             ///< requests that wait in order for a place in their queue
  std::string scheduler = "fr_fcfs_row_hit";  ///< a name of policies()
  PagePolicy page_policy = PagePolicy::open;
  Cycles row_timeout{200};  ///< under the policy timeout: from when a row could be closed until it is
  Refresh refresh = Refresh::all_bank;
  bool refresh_in_step = false;       ///< all channels refresh the same bank at the same time
  std::uint32_t write_high = 52;      ///< queued writes at which a drain begins
  std::uint32_t write_low = 12;       ///< queued writes at which it ends if reads wait
  bool finish_drains = false;         ///< writes begun because no read waited also continue to write_low
  bool open_ahead = true;             ///< before the bus turns, rows are opened for what waits for the turn
  std::uint64_t hit_cap = 4;          ///< row hits that overtake one request of their bank, under fr_fcfs_cap
  std::uint64_t blacklist_after = 4;  ///< reads of one core in a row that put it on the list, under bliss
  Cycles blacklist_interval{10000};   ///< between two emptyings of that list
  Cycles starvation{
      2000};         ///< a request that waited longer is not overtaken by row hits of its bank, nor writes by reads
  Cycles latency{};  ///< fixed, of controller and PHY: added after the last data beat

  static config::Schema<ControllerSpec> schema();
};

/// order: fields, least significant first, separated by blanks: pseudo_channel,
/// stack, bank_group, bank, column, row. A field may be cut: `column:2` takes
/// its next two bits, and a later `column` the rest.
struct AddressMapSpec {
  std::string order = "column:2 pseudo_channel bank_group column bank stack row";
  bool hash_banks = false;    ///< XOR bank and bank group with the row (Zhang et al., MICRO 2000)
  bool random_banks = false;  ///< instead of hash_banks, XOR stack id, group and bank with a random number of the row

  static config::Schema<AddressMapSpec> schema();
};

struct ChannelSpec {
  TimingSpec timing;
  OrganisationSpec organisation;
  ControllerSpec controller;
  AddressMapSpec address_map;

  static config::Schema<ChannelSpec> schema();
};

/// What a channel can do at most, by arithmetic over its spec.
struct Peaks {
  BytesPerSecond bandwidth;  ///< of the pins: all pseudo-channels together
  Bytes capacity;
  double bus_bits;  ///< data pins, all pseudo-channels together
  Cycles row_hit;   ///< unloaded latency to the last beat, without ControllerSpec::latency
  Cycles row_closed;
  Cycles row_conflict;
};
Peaks peaks(const ChannelSpec& spec);

/// All that is impossible in a spec, one sentence each; empty when it can be built.
std::vector<std::string> problems(const ChannelSpec& spec);

}  // namespace strata::dram
