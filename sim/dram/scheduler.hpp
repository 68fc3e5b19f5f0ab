// SPDX-License-Identifier: Apache-2.0
// The command scheduler of one channel. It is not clocked: for each
// pseudo-channel and kind of command it keeps the one command that becomes
// legal first (the oldest request wins a tie), and forgets it only when a
// command or a request touches what it rests on. The banks that want such a
// command stand in order of age, so the search ends at the first whose command
// nothing but bus and pseudo-channel holds back, usually one of the oldest
// three. advance() issues commands in order of their ticks.
// Commands that no one outside can see (ACT, PRE, REF) need no event at their
// tick: they are caught up with when the next column command or arrival comes,
// so an idle channel costs nothing, its refreshes included.
//
// Turns of the data bus: reads go first, writes in drains. Shortly before a turn
// banks that nothing of the present direction wants may open rows for the
// other, so that the bus does not wait for a row cycle at every turn.
//
// Refresh: when an all-bank refresh is due, no request is started; requests
// whose row was already opened for them are finished, then all banks are
// precharged and refreshed.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "dram/channel_spec.hpp"
#include "dram/constraints.hpp"
#include "dram/policy.hpp"
#include "dram/request_queue.hpp"
#include "dram/statistics.hpp"

namespace strata::dram {

class Scheduler {
 public:
  /// Told of each request at the tick of its last run of column commands; the
  /// request has left the queue, and others may be added from within.
  struct Served {
    void (*function)(void* self, const Request& request);
    void* self;
  };
  struct Part {
    std::uint32_t pseudo_channel;
    std::uint32_t bank;  ///< within the pseudo-channel
    std::uint32_t row;
    std::uint8_t bursts;
  };

  /// refresh_phase: the tick of the first refresh.
  Scheduler(const ChannelSpec& spec, Tick refresh_phase, Served served);

  const Timing& timing() const { return timing_; }
  std::uint32_t queued(bool write) const { return queue_.size(write); }
  bool has_room(bool write) const { return queue_.size(write) < (write ? write_queue_ : read_queue_); }

  /// Takes in a request, a posted write without its transaction; there must be room. The scheduler must have advanced
  /// to the present; the first command goes out after tick accepted.
  void add(memory::Transaction* transaction, bool write, const Part* parts, std::size_t count, Tick accepted);
  /// Issues every command up to and including tick until.
  void advance(Tick until);
  /// No request is served before this tick unless one is added.
  Tick next_served();
  /// Opens a row without time passing; nothing may be queued.
  void touch(std::uint32_t pseudo_channel, std::uint32_t bank, std::uint32_t row);

  void listen(CommandListener listener) { listener_ = listener; }
  /// The figures up to tick t.
  const Statistics& statistics(Tick t) {
    count_queue(t);
    return statistics_;
  }
  /// The same up to the last command or arrival.
  const Statistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

 private:
  enum Kind : std::uint8_t { refresh, column, activate, precharge };  // by priority at equal ticks
  static constexpr std::size_t kinds = 4;
  static constexpr std::uint32_t every_kind = (1U << kinds) - 1;
  static constexpr std::uint32_t bit_of(std::size_t kind) { return 1U << kind; }
  struct Candidate {
    std::uint64_t age = 0;
    std::uint32_t bank = 0;
  };
  /// Banks in order of the age of what they want.
  struct Order {
    std::array<std::uint8_t, 64> banks{};
    std::uint32_t size = 0;
  };
  /// One pseudo-channel: which banks (a bit each) want what.
  struct PseudoChannel {
    std::array<std::uint64_t, kinds> wants{};
    std::array<Order, kinds> order;
    std::uint64_t open = 0;      ///< have an open row
    std::uint64_t promised = 0;  ///< their row was opened for a request not yet served
    std::uint64_t due = 0;       ///< wait for a refresh of their own
    std::uint32_t refreshing = 0;  ///< all-bank refreshes that are due
    std::array<Tick, kinds> tick{never, never, never, never};  ///< when first goes out
    std::array<Candidate, kinds> first;
    std::uint32_t stale = every_kind;  ///< a bit each: first says nothing, look again
    std::uint32_t overtaken = 0;       ///< tick is a lower bound: look again before it goes out
  };
  struct Wish {
    Tick ready = 0;
    std::uint64_t age = 0;
  };
  struct Choice {
    Tick tick = never;
    std::uint32_t channel = 0;
    Kind kind = refresh;
  };

  void classify(std::uint32_t bank);
  void classify_all(std::uint32_t channel);
  void want(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, std::uint64_t age);
  void unwant(PseudoChannel& channel, Kind kind, std::uint32_t bank);
  bool starving(const Entry& entry) const { return floor_ - entry.eligible > starvation_; }
  /// What pseudo-channel and bus demand of a kind of command.
  Tick gate(Kind kind, std::uint32_t channel) const {
    switch (kind) {
      case column: return constraints_.column_gate();
      case activate: return constraints_.activate_gate(channel);
      case precharge: return constraints_.precharge_gate(channel);
      case refresh: return constraints_.refresh_gate(channel);
    }
    return never;
  }
  /// What bank group and stack id demand besides.
  Tick scoped(Kind kind, std::uint32_t bank, Tick t) const {
    switch (kind) {
      case column: return std::max(t, constraints_.column_scope(writing_, bank));
      case activate: return std::max(t, constraints_.activate_group(bank));
      default: return t;
    }
  }
  /// The first tick at or after t that clock edge, command bus and data bus allow.
  Tick slot(Kind kind, std::uint32_t channel, Tick t) const {
    switch (kind) {
      case column: return constraints_.column_slot(channel, timing_.rising_edge(t));
      case activate: return activate_slot(t);
      default: return constraints_.row_slot(t, timing_.precharge_length);
    }
  }
  Tick activate_slot(Tick t) const {
    t = timing_.rising_edge(t);
    while (constraints_.row_slot(t, timing_.activate_length) != t) {
      t = timing_.rising_edge(constraints_.row_slot(t, timing_.activate_length));
    }
    return t;
  }
  Tick legal(Kind kind, std::uint32_t bank, Tick t) const {
    return slot(kind, channel_of(bank), scoped(kind, bank, t));
  }
  /// The first tick at which legal() can let anything of the kind go out.
  Tick opens(Kind kind, std::uint32_t channel) const {
    const Tick open = std::max(gate(kind, channel), floor_);
    return slot(kind, channel,
                kind == column ? std::max(open, constraints_.column_channel(writing_, channel)) : open);
  }
  void find(std::uint32_t channel, Kind kind);
  template <Kind kind>
  Tick scan(std::uint32_t channel, std::uint64_t banks, Candidate& best) const;
  Tick find_refresh(std::uint32_t channel, Candidate& candidate);
  std::uint64_t in_order(std::uint32_t channel) const;
  Choice choose();
  void issue(const Choice& choice);
  void issue_column(std::uint32_t channel, std::uint32_t bank, Tick t);
  void issue_activate(std::uint32_t channel, std::uint32_t bank, Tick t);
  void issue_precharge(std::uint32_t channel, std::uint32_t bank, Tick t);
  void issue_refresh(std::uint32_t channel, std::uint32_t bank, Tick t);
  void set_row(std::uint32_t bank, std::int64_t row);
  void forget_overtaken_columns();
  void forget_overtaken_rows();
  void overtake(PseudoChannel& channel, std::size_t kind, Tick free);
  void forget(std::uint32_t channel);
  void choose_direction();
  void look_ahead();
  /// The entry that ACT or PRE of a bank is for, or no_entry.
  std::uint16_t opens_for(std::uint32_t bank) const {
    const std::uint16_t head = queue_.head(writing_, bank);
    return head == no_entry && ahead_ ? queue_.head(!writing_, bank) : head;
  }
  void begin_refresh();
  void skip_idle_refreshes(Tick until);
  Tick refresh_tick(std::uint64_t number) const;
  void count_queue(Tick t);
  Tick row_length(std::size_t kind) const { return kind == activate ? timing_.activate_length : timing_.precharge_length; }
  void tell_run(Tick first, Tick last, std::uint32_t channel, std::uint32_t bank, std::int64_t row, std::uint32_t bursts);
  void tell(Tick t, CommandKind kind, std::uint32_t channel, std::uint32_t bank, std::int64_t row);
  std::uint64_t bit(std::uint32_t bank) const { return std::uint64_t{1} << within(bank); }
  std::uint32_t channel_of(std::uint32_t bank) const { return bank_shift_ >= 0 ? bank >> bank_shift_ : bank / banks_; }
  /// The bank's number in its pseudo-channel.
  std::uint32_t within(std::uint32_t bank) const { return bank - channel_of(bank) * banks_; }

  const Timing timing_;
  const Policy policy_;
  const bool close_idle_rows_;
  const bool finish_drains_;
  const std::uint32_t turn_near_;  ///< requests before a turn at which rows are opened ahead; 0: never
  const Refresh refresh_;
  const std::uint32_t read_queue_, write_queue_, write_high_, write_low_;
  const Tick starvation_;
  const std::uint64_t access_bytes_;
  const std::uint32_t banks_;  ///< of a pseudo-channel
  const int bank_shift_;       ///< log2 of it, or -1
  const Tick refresh_phase_;
  Served served_;
  CommandListener listener_{};
  Constraints constraints_;
  RequestQueue queue_;
  std::vector<PseudoChannel> channels_;
  std::vector<std::int64_t> row_;                  ///< open row, by bank
  std::vector<std::array<Wish, kinds>> wish_;      ///< by bank, then kind
  std::vector<std::uint16_t> column_entry_;        ///< whose column command, by bank
  Tick floor_ = 0;                                 ///< all before has happened
  std::uint64_t arrivals_ = 0;
  std::uint64_t refreshes_begun_ = 0;
  Tick refresh_due_ = never;
  bool writing_ = false;                           ///< direction of the data bus
  bool ahead_ = false;                             ///< rows are opened for the other direction
  bool draining_ = false;                          ///< until drain_to_, even if reads wait
  std::uint32_t drain_to_ = 0;
  Tick writes_wait_since_ = 0;
  Tick counted_until_ = 0;
  Statistics statistics_;
};

}  // namespace strata::dram
