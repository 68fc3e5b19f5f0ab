// SPDX-License-Identifier: Apache-2.0
// The command scheduler of one channel. It is not clocked: for each
// pseudo-channel and kind of command it keeps the one command that becomes
// legal first (the oldest request wins a tie), and forgets it only when a
// command or a request touches what it rests on. Bus and pseudo-channel say from
// when on any may go; the oldest that is ready by then is the one, and only where
// none is ready are they compared. advance() issues commands in order of their ticks.
// Commands that no one outside can see (ACT, PRE, REF) need no event at their
// tick: they are caught up with when the next column command or arrival comes,
// so an idle channel costs nothing, its refreshes included.
//
// Turns of the data bus: reads have priority, writes are drained. Shortly before a turn
// banks without a request of the present direction may open rows for the
// other, so that the bus does not wait for a row cycle at every turn.
//
// Refresh: when an all-bank refresh is due, no request is started; requests
// whose row was already opened are finished, then all banks are precharged and refreshed.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "dram/address_map.hpp"
#include "dram/channel_spec.hpp"
#include "dram/occupied.hpp"
#include "dram/scheduler/blacklist.hpp"
#include "dram/scheduler/policy.hpp"
#include "dram/scheduler/pseudo_channel.hpp"
#include "dram/scheduler/request_queue.hpp"
#include "dram/statistics.hpp"
#include "dram/timing/constraints.hpp"

namespace strata::dram {

class Scheduler {
 public:
  /// Called for each request at the tick of its last run of column commands; the
  /// request has left the queue; once others are added from within it is gone.
  struct Served {
    void (*function)(void* self, const Request& request, Tick run_begun);
    void* self;
  };
  struct Part {
    Place at;
    std::uint8_t bursts;
  };

  /// refresh_phase: the tick of the first refresh. parts: of a request at most.
  /// timing: of the spec.
  Scheduler(const ChannelSpec& spec, const Timing& timing, Tick refresh_phase, std::uint32_t parts, Served served);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  const Timing& timing() const { return timing_; }
  std::uint32_t queued(bool write) const { return queue_.size(write); }
  bool has_room(bool write) const { return queue_.size(write) < (write ? write_queue_ : read_queue_); }

  /// Takes in a request, a posted write without its transaction; the queue must not be full. The scheduler must have advanced
  /// to the present; the first command goes out after tick accepted.
  void add(memory::Transaction* transaction, bool write, const Part* parts, std::size_t count, Tick accepted);
  void add(memory::Transaction* transaction, bool write, const Part& part, Tick accepted) {
    add_part(open(transaction, write, 1, accepted), write, part, accepted);
    choose_direction();
  }
  /// Issues every command up to and including tick until.
  void advance(Tick until);
  /// No request is served before this tick unless one is added.
  Tick next_served();
  /// Opens a row without time passing; nothing may be queued.
  void touch(const Place& at);

  std::uint32_t most_activates() const;  ///< of one bank
  /// The open row of a bank, or closed_row.
  std::uint32_t open_row(const Place& at) const { return banks_[at.pseudo_channel * bank_places + at.bank].row; }

  void listen(CommandListener listener) { listener_ = listener; }
  /// The figures up to tick t.
  Statistics statistics(Tick t) {
    counted_until_ = t;
    return statistics_at(t);
  }
  /// The same, of what has been issued by tick t.
  Statistics statistics_at(Tick t) const {
    Statistics s = statistics_;
    s.queued_ticks = static_cast<double>(queued_ticks_ + t * in_queue());
    s.bytes_read = s.read_bursts * access_bytes_;
    s.bytes_written = s.write_bursts * access_bytes_;
    s.data_busy = timing_.burst * static_cast<Tick>(s.read_bursts + s.write_bursts);
    occupied_.tell(s, t);
    return s;
  }
  void reset_statistics() {
    statistics_ = {};
    queued_ticks_ = -counted_until_ * in_queue();
    occupied_.reset();
  }

 private:
  struct Choice {
    Tick tick;
    PseudoChannel* channel;
    Kind kind;
  };
  // Ranks of commands outside the order of arrival: those for refreshes come before all numbers of
  // entries, those of listed cores after, then those for the other direction of the bus, and rows
  // that nothing hits last.
  static constexpr std::uint64_t younger = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t listed = std::uint64_t{1} << 62U;  ///< reads of cores on the blacklist
  static constexpr std::uint64_t idle = std::uint64_t{3} << 62U;

  std::uint16_t open(memory::Transaction* transaction, bool write, std::size_t parts, Tick accepted) {
    queued_ticks_ -= accepted;
    if (queue_.size(write) == 0) (write ? writes_wait_since_ : reads_wait_since_) = accepted;
    return queue_.open_request(transaction, write, static_cast<std::uint8_t>(parts));
  }
  void add_part(std::uint16_t request, bool write, const Part& part, Tick accepted);

  // The next command of each bank: commands.cpp.
  void classify(PseudoChannel& channel, std::uint32_t bank);
  void classify_all(PseudoChannel& channel);
  void unwant_all(PseudoChannel& channel, std::uint32_t bank);
  template <Kind kind>
  void request(PseudoChannel& channel, std::uint32_t bank, Tick ready, const Entry& entry);
  template <Kind kind>
  void request_maintenance(PseudoChannel& channel, std::uint32_t bank, Tick ready, std::uint64_t stamp);
  template <Kind kind>
  void offer(PseudoChannel& channel, std::uint32_t bank, Tick ready, std::uint64_t age);
  bool starving(const Entry& entry) const { return floor_ - entry.eligible > starvation_; }
  bool overtaken_enough(std::uint32_t bank) const { return !overtaken_.empty() && overtaken_[bank] >= hit_cap_; }

  // Which of the wanted commands is legal first: choice.cpp.
  /// What pseudo-channel and bus demand of a kind of command.
  template <Kind kind>
  Tick gate(const PseudoChannel& channel) const {
    switch (kind) {
      case column:
        return std::max(floor_, constraints_.column_gate(writing_, channel.number));
      case activate:
        return std::max(floor_, constraints_.activate_gate(channel.number, writing_));
      case precharge:
        return std::max(floor_, constraints_.precharge_gate(channel.number));
      case refresh:
        return std::max(floor_, constraints_.refresh_gate(channel.number));
    }
  }
  /// What bank group and stack id demand besides.
  template <Kind kind>
  Tick scope(std::uint32_t bank) const {
    if (kind == activate) return constraints_.activate_group(group_of_[bank]);
    if (kind != column) return 0;
    return constraints_.column_scope(writing_, channel_of(bank), within(bank), group_of_[bank]);
  }
  /// The first tick at or after t that clock edge, command bus and data bus allow.
  template <Kind kind>
  Tick slot(const PseudoChannel& channel, Tick t) const {
    switch (kind) {
      case column:
        return constraints_.bus().column_slot(channel.number, t);
      case activate:
        return constraints_.bus().activate_slot(t);
      default:
        return constraints_.bus().row_slot(t, timing_.precharge_length);
    }
  }
  /// Arbitration among pseudo-channels at equal ticks; the kind of entry that a PRE serves makes no difference.
  template <Kind kind>
  static std::uint64_t age(std::uint64_t rank) {
    if (kind != precharge) return rank;
    return rank < RequestQueue::first_number ? 0 : rank >= idle ? ~std::uint64_t{0} : rank;
  }
  void settle(PseudoChannel& channel) {
    if ((channel.stale & every_kind) != 0) look_again(channel);
    channel.stale = 0;
    channel.next = std::min(std::min(channel.key[0], channel.key[1]), std::min(channel.key[2], channel.key[3]));
  }
  void look_again(PseudoChannel& channel);
  template <Kind kind>
  void find(PseudoChannel& channel);
  /// Whether one may go as soon as bus and pseudo-channel allow any.
  template <Kind kind>
  void compare(PseudoChannel& channel, std::uint64_t banks, Tick open);
  template <Kind kind>
  bool find_first(PseudoChannel& channel, std::uint64_t banks);
  Tick find_refresh(PseudoChannel& channel);
  std::uint64_t in_order(const PseudoChannel& channel) const;
  void choose();

  // The effect of an issued command: issue.cpp.
  void issue();
  void issue_column(PseudoChannel& channel, std::uint32_t bank, Tick t);
  void issue_activate(PseudoChannel& channel, std::uint32_t bank, Tick t);
  void hold_other_stacks(PseudoChannel& channel, std::uint32_t bank, Tick t);
  void issue_precharge(PseudoChannel& channel, std::uint32_t bank, Tick t);
  void issue_refresh(PseudoChannel& channel, std::uint32_t bank, Tick t);
  void set_row(PseudoChannel& channel, std::uint32_t bank, std::uint32_t row);
  void forget_overtaken_columns();
  void forget_overtaken_rows();
  void forget(PseudoChannel& channel) {
    channel.stale = every_kind;
    settled_ = false;
  }
  void choose_direction() {
    // Among reads alone there is nothing to choose.
    if (queue_.size(true) != 0 || writing_ || ahead_) weigh_directions();
  }
  void weigh_directions();
  void look_ahead();
  /// The entry that ACT or PRE of a bank is for, or no_entry.
  std::uint16_t opens_for(std::uint32_t bank) const {
    const std::uint16_t head = first_of(banks_[bank]);
    return head == no_entry && ahead_ ? banks_[bank].lists[!writing_].head : head;
  }
  /// The entry of a bank that is served first where no row decides: the oldest, of a core that is not listed if there is one.
  std::uint16_t first_of(const Bank& bank) const {
    const std::uint16_t head = bank.lists[writing_].head;
    return !policy_.blacklists || head == no_entry ? head : first_unlisted(bank, false);
  }
  bool is_listed(const Entry& entry) const;
  std::uint16_t first_unlisted(const Bank& bank, bool hits) const;
  std::uint64_t rank_of(const Entry& entry) const {
    return entry.number | (policy_.blacklists && is_listed(entry) ? listed : 0);
  }
  void note_served(const Request& request, Tick t);
  void begin_refresh();
  void skip_idle_refreshes(Tick until);
  void refresh_idle_banks(Tick until);
  void refresh_in_time(Tick until);
  /// What a per-bank refresh changes, whichever way it was chosen.
  void refresh_bank(PseudoChannel& channel, std::uint32_t bank, Tick t);
  Tick refresh_tick(std::uint64_t number) const;
  Tick in_queue() const { return Tick{queue_.size(false) + queue_.size(true)}; }
  Tick row_length(std::size_t kind) const {
    return kind == activate ? timing_.activate_length : timing_.precharge_length;
  }
  void tell_run(Tick first, Tick last, std::uint32_t bank, std::uint32_t row, std::uint32_t bursts);
  void tell(Tick t, CommandKind kind, std::uint32_t bank, std::uint32_t row) {
    if (listener_.function == nullptr) return;
    listener_.function(listener_.self, {t, kind, channel_of(bank), within(bank), row});
  }

  const Timing& timing_;
  const Policy policy_;
  const bool close_idle_rows_;
  const Tick row_timeout_;  ///< from when they could be closed until they are
  const bool finish_drains_;
  const std::uint32_t turn_near_;  ///< requests before a turn at which rows are opened ahead; 0: never
  const Refresh refresh_;
  const std::uint32_t read_queue_, write_queue_, write_high_, write_low_;
  const Tick starvation_;
  const std::uint64_t hit_cap_;
  const std::uint64_t access_bytes_;
  const std::uint32_t bank_count_;  ///< of a pseudo-channel
  const Tick refresh_phase_;
  Served served_;
  CommandListener listener_{};
  Constraints constraints_;
  std::vector<Bank> banks_;               ///< bank_places for each pseudo-channel
  std::vector<std::uint32_t> activates_;  ///< by bank
  std::vector<std::uint8_t> group_of_;    ///< by bank
  Blacklist blacklist_;                   ///< not read but under a policy that has one
  std::vector<std::uint16_t> overtaken_;  ///< hits that overtook the oldest request of a bank; empty: not counted
  RequestQueue queue_;
  std::vector<PseudoChannel> channels_;
  Tick floor_ = 0;            ///< all before has happened
  std::uint64_t stamps_ = 0;  ///< handed out to commands outside the order of arrival
  bool settled_ = false;      ///< nothing happened since the last choice
  Choice choice_{never, nullptr, refresh};
  std::uint64_t refreshes_begun_ = 0;
  Tick refresh_due_ = never;
  bool writing_ = false;   ///< direction of the data bus
  bool ahead_ = false;     ///< rows are opened for the other direction
  bool draining_ = false;  ///< until drain_to_, even if reads wait
  std::uint32_t drain_to_ = 0;
  Tick writes_wait_since_ = 0;
  Tick reads_wait_since_ = 0;
  std::uint32_t starved_reads_ = 0;  ///< that go before any drain
  Tick counted_until_ = 0;
  Tick queued_ticks_ = 0;  ///< of the statistics: ticks of leaving, less those of coming
  Statistics statistics_;
  Occupied occupied_;
};

}  // namespace strata::dram
