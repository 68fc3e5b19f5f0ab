// SPDX-License-Identifier: Apache-2.0
// An independent checker of command streams: it has the timing table as a list of rules (first
// command, second command, scope, distance) and the state of the banks, and reports the rules
// that a stream violates. It shares no code with the scheduler; it computes distances
// separately from the TimingSpec.
#pragma once
#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dram/channel_spec.hpp"
#include "dram/timing/command.hpp"

namespace strata::dram::test {

class TimingChecker {
 public:
  explicit TimingChecker(const ChannelSpec& spec) : spec_(spec) { make_rules(); }

  CommandListener listener() {
    return {[](void* self, const Command& command) { static_cast<TimingChecker*>(self)->hear(command); }, this};
  }
  /// Checks commands that are still held back; call once at the end.
  void finish() {
    while (!held_.empty()) release();
  }
  std::uint64_t commands() const { return commands_; }
  std::uint64_t violations() const { return violations_; }
  const std::string& first_violation() const { return first_; }
  std::uint64_t count(CommandKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  using Kinds = std::set<CommandKind>;
  enum class Scope { bank, same_number, same_group, other_group, other_stack, channel };
  struct Rule {
    Kinds first, second;
    Scope scope;
    Tick distance;
    std::size_t window;  ///< the distance holds to the window-th command before
    std::string name;
  };
  struct Later {
    bool operator()(const Command& a, const Command& b) const { return a.tick > b.tick; }
  };

  Tick ticks(Cycles c) const { return static_cast<Tick>(c.value * spec_.timing.ticks_per_clock + 0.5); }
  Tick length(CommandKind kind) const {
    switch (kind) {
      case CommandKind::activate:
        return ticks(spec_.timing.activate_bus);
      case CommandKind::read:
      case CommandKind::write:
        return ticks(spec_.timing.column_bus);
      default:
        return ticks(spec_.timing.precharge_bus);
    }
  }

  void rule(Kinds first, Kinds second, Scope scope, Tick between_ends, std::string name, std::size_t window = 1) {
    if (between_ends <= 0) return;
    const Tick distance = between_ends + length(*first.begin()) - length(*second.begin());
    if (distance > 0) rules_.push_back({std::move(first), std::move(second), scope, distance, window, std::move(name)});
  }

  void make_rules() {
    const TimingSpec& t = spec_.timing;
    using K = CommandKind;
    const Kinds act{K::activate}, pre{K::precharge, K::precharge_all}, rd{K::read}, wr{K::write};
    const Kinds all{K::refresh_all}, one{K::refresh_bank};
    const Tick written = ticks(t.write_latency) + ticks(t.burst);
    const Tick stack = ticks(t.t_ccd_r.value > 0 ? t.t_ccd_r : t.t_ccd_s);
    rule(act, rd, Scope::bank, ticks(t.t_rcd_read), "tRCDRD");
    rule(act, wr, Scope::bank, ticks(t.t_rcd_write), "tRCDWR");
    rule(act, pre, Scope::bank, ticks(t.t_ras), "tRAS");
    rule(act, act, Scope::bank, ticks(t.t_rc), "tRC");
    rule(act, act, Scope::same_number, ticks(t.t_rc_r), "tRC_R");
    rule(pre, act, Scope::bank, ticks(t.t_rp), "tRP");
    rule(pre, all, Scope::bank, ticks(t.t_rp), "tRP to REFab");
    rule(pre, one, Scope::bank, ticks(t.t_rp), "tRP to REFpb");
    rule(rd, pre, Scope::bank, ticks(t.t_rtp), "tRTP");
    rule(wr, pre, Scope::bank, written + ticks(t.t_wr), "tWR");
    for (const Kinds& kind : {rd, wr}) {
      rule(kind, kind, Scope::same_group, ticks(t.t_ccd_l), "tCCD_L");
      rule(kind, kind, Scope::other_group, ticks(t.t_ccd_s), "tCCD_S");
      rule(kind, kind, Scope::other_stack, stack, "tCCD_R");
    }
    rule(wr, rd, Scope::same_group, written + ticks(t.t_wtr_l), "tWTR_L");
    rule(wr, rd, Scope::other_group, written + ticks(t.t_wtr_s), "tWTR_S");
    rule(wr, rd, Scope::other_stack, written + ticks(t.t_wtr_s), "tWTR_S");
    rule(rd, wr, Scope::channel, ticks(t.t_rtw), "tRTW");
    rule(act, act, Scope::same_group, ticks(t.t_rrd_l), "tRRD_L");
    rule(act, act, Scope::channel, ticks(t.t_rrd_s), "tRRD_S");
    rule(act, act, Scope::channel, ticks(t.t_faw), "tFAW", 4);
    rule(pre, pre, Scope::channel, ticks(t.t_ppd), "tPPD");
    rule(all, act, Scope::bank, ticks(t.t_rfc_ab), "tRFCab");
    rule(all, all, Scope::bank, ticks(t.t_rfc_ab), "tRFCab");
    rule(one, act, Scope::bank, ticks(t.t_rfc_pb), "tRFCpb");
    rule(one, one, Scope::bank, ticks(t.t_rfc_pb), "tRFCpb");
    rule(act, one, Scope::channel, ticks(t.t_rrd_s), "tRRD_S to REFpb");
    rule(one, one, Scope::channel, ticks(t.t_rrefd), "tRREFD");
    rule(one, act, Scope::channel, ticks(t.t_rrefd), "tRREFD to ACT");
  }

  // Refreshes of idle times are reported late, so commands are held until no earlier one can
  // follow.
  void hear(const Command& command) {
    held_.push(command);
    latest_ = std::max(latest_, command.tick);
    while (!held_.empty() && held_.top().tick + 4096 < latest_) release();
  }
  void release() {
    const Command command = held_.top();
    held_.pop();
    judge(command);
  }
  void violated(const Command& c, const std::string& what) {
    if (violations_++ == 0) {
      first_ = fmt::format("tick {}: command {} of pseudo-channel {}, bank {}: {}", c.tick, static_cast<int>(c.kind),
                           c.pseudo_channel, c.bank, what);
    }
  }
  /// Numbers that are equal exactly if two banks share the scope.
  std::uint32_t place(Scope scope, std::uint32_t channel, std::uint32_t bank) const {
    const std::uint32_t per_group = spec_.organisation.banks_per_group;
    const std::uint32_t per_stack = per_group * spec_.organisation.bank_groups;
    switch (scope) {
      case Scope::bank:
        return channel * 4096 + bank;
      case Scope::same_number:
        return channel * 4096 + bank % per_stack;
      case Scope::same_group:
        return channel * 4096 + bank / per_group;
      case Scope::other_group:
        return channel * 4096 + bank / per_stack;
      case Scope::other_stack:
        return channel * 4096 + bank / per_stack;
      case Scope::channel:
        return channel;
    }
    return 0;
  }

  void judge(const Command& c) {
    ++commands_;
    ++counts_[static_cast<std::size_t>(c.kind)];
    using K = CommandKind;
    const std::uint32_t banks =
        spec_.organisation.stack_ids * spec_.organisation.bank_groups * spec_.organisation.banks_per_group;
    const bool whole = c.kind == K::precharge_all || c.kind == K::refresh_all;
    // Buses: a command keeps its bus for its length; ACT, RD and WR rise with CK.
    const bool column = c.kind == K::read || c.kind == K::write;
    Tick& bus = bus_free_[column && !spec_.timing.one_command_bus];
    if (c.tick < bus) violated(c, "the command bus is taken");
    bus = c.tick + length(c.kind);
    if ((column || c.kind == K::activate) && c.tick % spec_.timing.ticks_per_clock != 0)
      violated(c, "not on a rising edge");
    // State of the banks.
    for (std::uint32_t bank = whole ? 0 : c.bank; bank < (whole ? banks : c.bank + 1); ++bank) {
      std::int64_t& row = rows_.try_emplace({c.pseudo_channel, bank}, -1).first->second;
      if (c.kind == K::activate && row >= 0) violated(c, "ACT of an open bank");
      if (column && row != static_cast<std::int64_t>(c.row)) violated(c, "the row is not open");
      if ((c.kind == K::refresh_all || c.kind == K::refresh_bank) && row >= 0) violated(c, "REF of an open bank");
      if (c.kind == K::activate) row = c.row;
      if (c.kind == K::precharge || c.kind == K::precharge_all) row = -1;
    }
    // Data bus.
    if (column) {
      const Tick begin = c.tick + ticks(c.kind == K::read ? spec_.timing.read_latency : spec_.timing.write_latency);
      Tick& data = data_free_[c.pseudo_channel];
      if (begin < data) violated(c, "data meet on the bus");
      data = begin + ticks(spec_.timing.burst);
    }
    // Distances.
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const Rule& rule = rules_[r];
      if (rule.second.count(c.kind) != 0) {
        // Whole-channel commands are bound by every bank, others by the places of their scope.
        std::vector<std::uint32_t> bound{c.bank};
        if (whole && rule.scope == Scope::bank) {
          for (std::uint32_t bank = 1; bank < banks; ++bank) bound.push_back(bank);
        } else if (rule.scope == Scope::other_stack) {
          const std::uint32_t own = c.bank * spec_.organisation.stack_ids / banks;
          bound.clear();
          for (std::uint32_t s = 0; s < spec_.organisation.stack_ids; ++s) {
            if (s != own) bound.push_back(s * banks / spec_.organisation.stack_ids);
          }
        }
        for (const std::uint32_t bank : bound) {
          const std::vector<Tick>& past = past_[r][place(rule.scope, c.pseudo_channel, bank)];
          if (past.size() >= rule.window && c.tick - past[past.size() - rule.window] < rule.distance) {
            violated(c, fmt::format("{}: {} ticks after, {} wanted", rule.name,
                                    c.tick - past[past.size() - rule.window], rule.distance));
          }
        }
      }
    }
    if (past_.size() < rules_.size()) past_.resize(rules_.size());
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const Rule& rule = rules_[r];
      if (rule.first.count(c.kind) == 0) continue;
      for (std::uint32_t bank = whole ? 0 : c.bank; bank < (whole ? banks : c.bank + 1); ++bank) {
        std::vector<Tick>& past = past_[r][place(rule.scope, c.pseudo_channel, bank)];
        if (!past.empty() && past.back() == c.tick) continue;
        past.push_back(c.tick);
        if (past.size() > 8) past.erase(past.begin(), past.begin() + 4);
      }
    }
  }

  ChannelSpec spec_;
  std::vector<Rule> rules_;
  std::vector<std::map<std::uint32_t, std::vector<Tick>>> past_ =
      std::vector<std::map<std::uint32_t, std::vector<Tick>>>(64);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> rows_;
  std::map<std::uint32_t, Tick> data_free_;
  std::array<Tick, 2> bus_free_{};
  std::priority_queue<Command, std::vector<Command>, Later> held_;
  Tick latest_ = 0;
  std::uint64_t commands_ = 0;
  std::uint64_t violations_ = 0;
  std::array<std::uint64_t, 7> counts_{};
  std::string first_;
};

}  // namespace strata::dram::test
