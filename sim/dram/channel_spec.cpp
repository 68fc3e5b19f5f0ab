// SPDX-License-Identifier: Apache-2.0
#include "dram/channel_spec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dram/address_map.hpp"
#include "dram/page_policies.hpp"
#include "dram/scheduler/policy.hpp"
#include "dram/timing/bank.hpp"

namespace strata::dram {

using config::at_least;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<TimingSpec> TimingSpec::schema() {
  const auto clocks = range(0_clk, 100000_clk);
  const auto some = range(1_clk, 100000_clk);
  return Schema<TimingSpec>("DRAM timing", "distances between commands, in cycles of the memory clock CK")
      .required("data_rate", &TimingSpec::data_rate, "transfers per second of one data pin",
                range(100_MT_s, 100000_MT_s))
      .optional("transfers_per_clock", &TimingSpec::transfers_per_clock,
                "data beats of a pin per CK: 2 HBM2E, 4 HBM3, 8 GDDR6", range(1, 32))
      .optional("ticks_per_clock", &TimingSpec::ticks_per_clock,
                "command edges per CK; 2 lets PRE use the falling edge, as on HBM3", range(1, 2))
      .optional("burst", &TimingSpec::burst, "a burst on the data bus", some)
      .required("read_latency", &TimingSpec::read_latency, "CL: RD to the first beat", some)
      .required("write_latency", &TimingSpec::write_latency, "CWL: WR to the first beat", some)
      .required("t_rcd_read", &TimingSpec::t_rcd_read, "ACT to RD", some)
      .required("t_rcd_write", &TimingSpec::t_rcd_write, "ACT to WR", some)
      .required("t_rp", &TimingSpec::t_rp, "PRE to ACT", some)
      .required("t_ras", &TimingSpec::t_ras, "ACT to PRE", some)
      .required("t_rc", &TimingSpec::t_rc, "ACT to ACT of one bank", some)
      .optional("t_rc_r", &TimingSpec::t_rc_r,
                "ACT to ACT of the banks of one number in different stack ids, t_rc at most; 0: no bound", clocks)
      .required("t_ccd_s", &TimingSpec::t_ccd_s, "column command to column command in another bank group",
                range(1_clk, 32_clk))
      .required("t_ccd_l", &TimingSpec::t_ccd_l, "column command to column command in the same bank group", some)
      .optional("t_ccd_r", &TimingSpec::t_ccd_r, "column command to column command of another stack id; 0: as t_ccd_s",
                clocks)
      .required("t_rrd_s", &TimingSpec::t_rrd_s, "ACT to ACT in another bank group", some)
      .required("t_rrd_l", &TimingSpec::t_rrd_l, "ACT to ACT in the same bank group", some)
      .required("t_faw", &TimingSpec::t_faw, "window that holds at most four ACT", some)
      .required("t_wtr_s", &TimingSpec::t_wtr_s, "end of write data to RD in another bank group", clocks)
      .required("t_wtr_l", &TimingSpec::t_wtr_l, "end of write data to RD in the same bank group", clocks)
      .required("t_rtw", &TimingSpec::t_rtw, "RD to WR", some)
      .required("t_wr", &TimingSpec::t_wr, "end of write data to PRE", clocks)
      .required("t_rtp", &TimingSpec::t_rtp, "RD to PRE", some)
      .optional("t_ppd", &TimingSpec::t_ppd, "PRE to PRE", clocks)
      .required("t_refi", &TimingSpec::t_refi, "mean distance of all-bank refreshes", range(1_clk, 10000000_clk))
      .required("t_rfc_ab", &TimingSpec::t_rfc_ab, "all-bank refresh to ACT", some)
      .optional("t_rfc_pb", &TimingSpec::t_rfc_pb, "per-bank refresh to ACT in that bank", clocks)
      .optional("t_rrefd", &TimingSpec::t_rrefd, "per-bank refresh to refresh or ACT of another bank", clocks)
      .optional("activate_bus", &TimingSpec::activate_bus, "command bus time of ACT", range(0.5_clk, 8_clk))
      .optional("precharge_bus", &TimingSpec::precharge_bus, "command bus time of PRE and REF", range(0.5_clk, 8_clk))
      .optional("column_bus", &TimingSpec::column_bus, "command bus time of RD and WR", range(0.5_clk, 8_clk))
      .optional("one_command_bus", &TimingSpec::one_command_bus, "row and column commands share one bus, as on GDDR6")
      .check("data_rate", [](const TimingSpec& t) -> std::string {
        return t.data_rate.value * t.ticks_per_clock % t.transfers_per_clock == 0
                   ? ""
                   : "divided by transfers_per_clock is not a whole number of hertz";
      });
}

Schema<OrganisationSpec> OrganisationSpec::schema() {
  return Schema<OrganisationSpec>("DRAM organisation", "organisation of one channel")
      .optional("pseudo_channels", &OrganisationSpec::pseudo_channels,
                "pseudo-channels: share the command buses, each with its own data bus", range(1, 4))
      .optional("stack_ids", &OrganisationSpec::stack_ids, "dies of one channel, selected by stack id", range(1, 8))
      .optional("bank_groups", &OrganisationSpec::bank_groups, "bank groups of a stack id", range(1, 16))
      .optional("banks_per_group", &OrganisationSpec::banks_per_group, "banks of a bank group", range(1, 32))
      .optional("rows", &OrganisationSpec::rows, "rows of a bank", range(1, 4194304))
      .optional("page", &OrganisationSpec::page, "a row of one bank", range(128_B, 64_KiB), config::power_of_two())
      .optional("access", &OrganisationSpec::access, "moved by one burst of a pseudo-channel", range(32_B, 128_B),
                config::power_of_two())
      .check("stack_ids", [](const OrganisationSpec& o) -> std::string {
        return o.stack_ids * o.bank_groups * o.banks_per_group <= 64
                   ? ""
                   : "makes more than 64 banks of a pseudo-channel with organisation.bank_groups and "
                     "organisation.banks_per_group";
      });
}

Schema<ControllerSpec> ControllerSpec::schema() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) names.emplace_back(policy.name);
  std::vector<config::Named<PagePolicy>> page_choices;
  for (const PagePolicyRow& row : page_policies)
    page_choices.push_back({std::string(row.name), row.policy, std::string(row.meaning)});
  return Schema<ControllerSpec>("DRAM controller", "queues and policies of one channel")
      .optional("read_queue", &ControllerSpec::read_queue, "reads queued, all pseudo-channels together", range(1, 4096))
      .optional("write_queue", &ControllerSpec::write_queue, "writes queued, all pseudo-channels together",
                range(1, 4096))
      .optional("write_rows", &ControllerSpec::write_rows,
                "banks of a pseudo-channel that are written at once, from the ACT for a write until another ACT could "
                "follow it; if not set, all",
                range<std::uint32_t>(1, most_write_rows))
      .optional("input_buffer", &ControllerSpec::input_buffer,
                "requests that wait in order for an entry of their queue", range(1, 4096))
      .optional("scheduler", &ControllerSpec::scheduler, "priority of commands", config::one_of(names))
      .optional("page_policy", &ControllerSpec::page_policy, "when a row without queued hits is closed",
                config::choices<PagePolicy>(page_choices))
      .optional("row_timeout", &ControllerSpec::row_timeout,
                "under page_policy timeout, how long a row stays open after it could be closed", range(0_clk, 1e9_clk))
      .optional("refresh", &ControllerSpec::refresh, "how rows are refreshed",
                config::choices<Refresh>({{"none", Refresh::none, "no refresh"},
                                          {"all_bank", Refresh::all_bank, "all banks of a pseudo-channel at once"},
                                          {"per_bank", Refresh::per_bank, "one bank at a time"}}))
      .optional(
          "refresh_in_step", &ControllerSpec::refresh_in_step,
          "all channels refresh at the same time, the same bank if one at a time; otherwise each at a separate time")
      .optional("write_high", &ControllerSpec::write_high, "queued writes at which a drain begins", range(1, 4096))
      .optional("write_low", &ControllerSpec::write_low, "queued writes at which a drain ends if reads wait",
                range(0, 4096))
      .optional(
          "finish_drains", &ControllerSpec::finish_drains,
          "a drain that began because no read waited also continues to write_low; otherwise the next read ends it")
      .optional("open_ahead", &ControllerSpec::open_ahead,
                "shortly before a turnaround of the data bus, banks without requests of the current direction open "
                "rows for the other")
      .optional("hit_cap", &ControllerSpec::hit_cap,
                "row hits that may overtake a request of their bank under scheduler fr_fcfs_cap",
                range<std::uint64_t>(1, 4096))
      .optional("blacklist_after", &ControllerSpec::blacklist_after,
                "under scheduler bliss, reads of one core served in a row after which it is blacklisted",
                range<std::uint64_t>(1, 4096))
      .optional("blacklist_interval", &ControllerSpec::blacklist_interval,
                "under scheduler bliss, interval at which the blacklist is cleared", range(1_clk, 1e9_clk))
      .optional("starvation", &ControllerSpec::starvation,
                "a request that has waited longer is not overtaken by row hits of its bank, nor a write by reads",
                range(0_clk, 1e9_clk))
      .optional("latency", &ControllerSpec::latency, "fixed latency of controller and PHY, in CK",
                range(0_clk, 100000_clk))
      .check("write_high", [](const ControllerSpec& c) -> std::string {
        return c.write_high <= c.write_queue && c.write_low < c.write_high
                   ? ""
                   : fmt::format(
                         "= {} must lie above controller.write_low = {} and not above controller.write_queue = {}",
                         c.write_high, c.write_low, c.write_queue);
      });
}

Schema<AddressMapSpec> AddressMapSpec::schema() {
  return Schema<AddressMapSpec>("DRAM address map", "mapping of addresses within a channel")
      .optional("order", &AddressMapSpec::order,
                "fields, least significant first, separated by blanks: pseudo_channel, stack, bank_group, bank, "
                "column, row; `column:2` takes two bits of a field")
      .optional("hash_banks", &AddressMapSpec::hash_banks, "XOR bank and bank group with all digits of the row")
      .optional("random_banks", &AddressMapSpec::random_banks,
                "instead of hash_banks, XOR bank, bank group and stack id with a random number of the row (a stack id "
                "of three is "
                "rotated by it): consecutive rows of the order are in banks without order");
}

Schema<ChannelSpec> ChannelSpec::schema() {
  return Schema<ChannelSpec>("DRAM channel", "one channel of a memory stack or chip, with its controller")
      .required("timing", &ChannelSpec::timing, "distances between commands")
      .optional("organisation", &ChannelSpec::organisation, "organisation of the channel")
      .optional("controller", &ChannelSpec::controller, "queues and policies")
      .optional("address_map", &ChannelSpec::address_map, "mapping of addresses")
      .check("timing", [](const ChannelSpec& c) -> std::string {
        const std::vector<std::string> wrong = problems(c);
        return wrong.empty() ? "" : fmt::format("cannot be built: {}", fmt::join(wrong, "; "));
      });
}

std::vector<std::string> problems(const ChannelSpec& spec) {
  std::vector<std::string> wrong;
  const TimingSpec& t = spec.timing;
  const OrganisationSpec& o = spec.organisation;
  const ControllerSpec& c = spec.controller;
  const auto require = [&](bool holds, std::string text) {
    if (!holds) wrong.push_back(std::move(text));
  };
  require(t.data_rate.value > 0 && t.transfers_per_clock > 0 && t.ticks_per_clock > 0,
          "timing.data_rate, timing.transfers_per_clock and timing.ticks_per_clock must be positive");
  const std::pair<const char*, Cycles> buses[] = {{"activate_bus", t.activate_bus},
                                                  {"precharge_bus", t.precharge_bus},
                                                  {"column_bus", t.column_bus},
                                                  {"burst", t.burst}};
  for (const auto& [name, bus] : buses) {
    const double ticks = bus.value * t.ticks_per_clock;
    require(ticks >= 1 && ticks == std::floor(ticks),
            fmt::format("timing.{} = {} clk is not a whole number of command edges, timing.ticks_per_clock = {}", name,
                        bus.value, t.ticks_per_clock));
  }
  const double beats = t.burst.value * t.transfers_per_clock;
  require(beats > 0 && std::fmod(static_cast<double>(o.access.value) * 8, beats) == 0,
          fmt::format("timing.burst = {} clk of timing.transfers_per_clock = {} has {} beats, which cannot carry "
                      "organisation.access = {} B",
                      t.burst.value, t.transfers_per_clock, beats, o.access.value));
  require(t.t_ccd_s >= t.burst && t.t_ccd_l >= t.t_ccd_s,
          fmt::format("timing.t_ccd_l = {} >= timing.t_ccd_s = {} >= timing.burst = {} must hold", t.t_ccd_l.value,
                      t.t_ccd_s.value, t.burst.value));
  require(t.t_rrd_l >= t.t_rrd_s,
          fmt::format("timing.t_rrd_l = {} is below timing.t_rrd_s = {}", t.t_rrd_l.value, t.t_rrd_s.value));
  require(t.t_rc_r <= t.t_rc,
          fmt::format("timing.t_rc_r = {} is above timing.t_rc = {}: banks of one number in two stack "
                      "ids wait for each other as one bank does, not longer",
                      t.t_rc_r.value, t.t_rc.value));
  require(t.t_rc >= t.t_ras, fmt::format("timing.t_rc = {} is below timing.t_ras = {}", t.t_rc.value, t.t_ras.value));
  require(
      t.t_rtw + t.write_latency >= t.read_latency + t.burst,
      fmt::format("timing.t_rtw = {} + timing.write_latency = {} is below timing.read_latency = {} + timing.burst = "
                  "{}: write data "
                  "would meet read data on the bus",
                  t.t_rtw.value, t.write_latency.value, t.read_latency.value, t.burst.value));
  require(c.refresh == Refresh::none || t.t_refi > t.t_rfc_ab + t.t_rp + t.t_ras,
          fmt::format("timing.t_refi = {} leaves no time between refreshes: timing.t_rfc_ab = {}, timing.t_rp = {}, "
                      "timing.t_ras = {}",
                      t.t_refi.value, t.t_rfc_ab.value, t.t_rp.value, t.t_ras.value));
  require(c.refresh != Refresh::per_bank || t.t_rfc_pb.value > 0,
          "controller.refresh = per_bank needs timing.t_rfc_pb above 0");
  require(
      c.refresh != Refresh::per_bank || t.t_refi > t.t_rfc_pb + t.t_rp + t.t_ras,
      fmt::format("timing.t_refi = {} leaves a bank no time between refreshes: timing.t_rfc_pb = {}, timing.t_rp = {}, "
                  "timing.t_ras = {}",
                  t.t_refi.value, t.t_rfc_pb.value, t.t_rp.value, t.t_ras.value));
  const std::uint64_t banks = std::uint64_t{o.stack_ids} * o.bank_groups * o.banks_per_group;
  const double in_turn = static_cast<double>(banks) * std::max(t.t_rrefd, t.precharge_bus).value;
  require(
      c.refresh != Refresh::per_bank || in_turn < t.t_refi.value,
      fmt::format("timing.t_refi = {} leaves no time between the refreshes of {} banks, one at a time: timing.t_rrefd "
                  "= {}, so {} "
                  "in all",
                  t.t_refi.value, banks, t.t_rrefd.value, in_turn));
  require(banks <= 64,
          "organisation.stack_ids x organisation.bank_groups x organisation.banks_per_group are more than 64 banks");
  require(o.access.value == 32 || o.access.value == 64 || o.access.value == 128,
          "organisation.access must be 32, 64 or 128 bytes");
  require(find_policy(c.scheduler) != nullptr, fmt::format("there is no controller.scheduler '{}'", c.scheduler));
  require(c.read_queue > 0 && c.write_queue > 0 && c.input_buffer > 0,
          "controller.read_queue, controller.write_queue and controller.input_buffer must be 1 or more");
  require(c.write_low < c.write_high && c.write_high <= c.write_queue,
          fmt::format("controller.write_low = {} < controller.write_high = {} <= controller.write_queue = {} must hold",
                      c.write_low, c.write_high, c.write_queue));
  if (wrong.empty()) {
    try {
      const AddressMap map(spec.address_map, o);
    } catch (const std::invalid_argument& error) {
      wrong.emplace_back(error.what());
    }
  }
  return wrong;
}

Peaks peaks(const ChannelSpec& spec) {
  const TimingSpec& t = spec.timing;
  const OrganisationSpec& o = spec.organisation;
  const double channels = o.pseudo_channels;
  const double clock = static_cast<double>(t.clock().value);
  const double access = static_cast<double>(o.access.value);
  const Cycles hit = t.read_latency + t.burst + Cycles{1};
  const Cycles closed = t.t_rcd_read + hit + (t.activate_bus.value > 1 ? Cycles{1} : Cycles{0});
  const std::uint64_t banks = std::uint64_t{o.stack_ids} * o.bank_groups * o.banks_per_group;
  return {{channels * access * clock / t.burst.value},
          o.page * (banks * o.rows * o.pseudo_channels),
          channels * access * 8 / (t.burst.value * t.transfers_per_clock),
          hit,
          closed,
          t.t_rp + t.t_rcd_read + hit};
}

}  // namespace strata::dram
