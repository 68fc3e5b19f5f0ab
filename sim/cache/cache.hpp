// SPDX-License-Identifier: Apache-2.0
// A cache in time: an input served in order, tags that take a request every so
// often, MSHRs that let hits pass misses, a data array of finite width and an
// answer for every request. A request that finds no MSHR, no line that may go
// or no room in a merge list stops the input, in order, until something comes
// back; what it holds upstream it keeps holding, so the pressure climbs.
// Lines are allocated at the miss and held until their fill, so the fetches
// in flight also live in the ways of their set. A streaming cache is not stopped
// by that: a miss that finds all of them held goes on without, and takes a line
// when its data come, if one may go (Khairy, Shen, Aamodt and Rogers: Accel-Sim,
// ISCA 2020, on the L1 of Volta).
//
// A request whose turn at the tags is near (a few look-ups away, within the tag
// latency) is looked up at once, for the time of its turn: what the tags say
// could change by then only through a fill of these very clocks. Its place in
// the input counts as free from then on, as it stands in the tag pipeline,
// unless the data array is behind.
//
// Two dies whose caches ask each other must not wait for each other. A cache
// that knows its home keeps what another die must serve, the far side, from
// stopping what it can serve itself, the home side, on which the other die
// waits: each side stops alone, far fetches hold at most half of the MSHRs
// (and lines), rounded up but never all, and none takes the last way of a set that fetches have left. What
// the home side needs is then held by the home side alone, which waits for
// nothing but memory. Among several that may go, the first come goes first;
// where both sides were stopped, they take turns.
//
// A store that leaves words of its sectors alone changes those sectors where they are
// valid. Elsewhere a write-back cache keeps the words that are written. It does so for a
// bounded number of lines, and keeps a bounded number dirty of which sectors are not
// valid (IncompleteLines): for one more the oldest is completed from below and cleaned.
// A store to a line that is being completed stops its side until the data have come.
// A cache that passes stores on may keep their words too, to drop them when it likes:
// they tell when a sector is whole.
//
// Beside the timed way stands touch(), which changes the same tags by the same
// calls and takes no time: warming up with it changes no answer. Its stores
// write their sectors whole. Requests keep to one line: no level has shorter lines than the level above asks for.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cache/cache_counts.hpp"
#include "cache/cache_design.hpp"
#include "cache/cache_spec.hpp"
#include "cache/cache_statistics.hpp"
#include "cache/completions.hpp"
#include "cache/held_set.hpp"
#include "cache/incomplete_lines.hpp"
#include "cache/input_queue.hpp"
#include "cache/mshr_table.hpp"
#include "cache/prefetching.hpp"
#include "cache/tag_store.hpp"
#include "cache/touch.hpp"
#include "engine/lane.hpp"
#include "engine/pool.hpp"
#include "memory/atomic_listener.hpp"
#include "memory/values.hpp"
#include "stats/collector.hpp"

namespace strata::cache {

/// How much one of its parts has served.
struct LaneUse {
  Duration busy{};
  std::uint64_t served = 0;
  Duration ahead{};  ///< of the busy time, what lies beyond now
};

class Cache {
 public:
  /// home_die: if given, this cache is the point of coherence only for
  /// transactions of that home: it passes stores of others on (a copy takes them
  /// too, and comes about where stores allocate) and their atomics as well (a copy goes). It then
  /// needs two MSHRs, two ways and two lines or more.
  /// The spec must have passed its schema; seed feeds random replacement.
  Cache(engine::Simulation& simulation, memory::StageNames& stages, const CacheSpec& spec, engine::Clock clock,
        IndexFunction index, std::uint64_t seed = 0, std::optional<std::uint8_t> home_die = std::nullopt);
  /// One of several of a design.
  Cache(engine::Simulation& simulation, SharedDesign design, std::uint64_t seed,
        std::optional<std::uint8_t> home_die = std::nullopt);
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// Where misses, stores passed on and write-backs go. Before the first request.
  void connect(memory::Sink downstream) { downstream_ = downstream; }
  /// Receives the atomics performed here, in their order; nullptr: none does.
  void watch_atomics(const memory::AtomicListener* listener) { atomic_listener_ = listener; }
  /// Reports how words move; nullptr: to none. Before the first request.
  void keep_values(memory::Values* values) {
    values_ = values;
    keeps_values_ = values != nullptr;
  }
  /// Called with each line that is evicted: its block and its valid sectors.
  using Evicted = void (*)(void* self, std::uint64_t block, memory::SectorMask valid);
  void on_eviction(Evicted function, void* self) {
    evicted_ = function;
    evicted_self_ = self;
    reports_evictions_ = true;
  }
  /// The receiver of the port in front; its depth is spec().input_depth.
  const engine::Handler& input() const { return arrival_; }
  /// The same by direct call; ready >= now.
  void take(memory::Transaction& transaction, Time ready);
  memory::Sink as_sink() { return memory::sink<&Cache::take>(*this); }

  /// One request without time or statistics. For the time between runs.
  Touch touch(const TouchRequest& request);
  /// What a load that misses these sectors asks from the next level.
  SectorMask fetched_for(SectorMask sectors) const { return design_.fill_groups.touched(sectors); }
  /// Says that touch() will soon be asked for the block: hides the host's memory
  /// latency in a warm-up loop that knows its next blocks. Changes nothing.
  void expect(std::uint64_t block) const;
  /// Drops a block; a fetch of it under way still answers but leaves nothing
  /// behind. Returns the dirty sectors that were lost with it.
  SectorMask invalidate(std::uint64_t block);
  /// All of these sectors are valid here.
  bool contains(std::uint64_t block, SectorMask sectors) const;
  /// What the set of a physical byte address holds now, and which lines are being fetched.
  HeldSet held(std::uint64_t address) const;
  /// Drops everything, dirty or not, as invalidate() does.
  void drop_all();
  /// Writes a block back, from now on, if it is dirty; it stays, clean. False: it cannot go yet.
  bool write_back(std::uint64_t block);
  /// Writes back, from now on, every line that is dirty now and that no fetch holds; it
  /// stays, clean. While no request comes.
  void write_back_all();
  /// When the last write-back of that was answered.
  Time flushed() const { return flushed_; }

  /// The set of a line where no hash spreads lines over sets.
  std::uint64_t natural_set(LineNumber line) const { return design_.natural_index(line); }

  const CacheSpec& spec() const { return design_.spec; }
  CacheStatistics statistics() const;
  LaneUse data_use() const;
  /// Requests in its input, MSHRs in use and write-backs on their way.
  std::uint32_t waiting() const {
    return input_queue_.size() + (open(home_side) ? 0U : 1U) + (open(far_side) ? 0U : 1U);
  }
  InFlight in_flight() const;
  /// Nothing waits, nothing is on its way, and every request was answered or passed on.
  bool drained() const;
  /// Names every counter and lane.
  void collect(stats::Collector& collector) const;
  std::uint32_t mshrs_open() const { return mshrs_.open(); }
  std::size_t writebacks_open() const { return writebacks_.alive() + completions_.alive(); }
  const TagStore& tags() const { return tags_; }

 private:
  using Transaction = memory::Transaction;
  static constexpr std::uint64_t no_set = ~std::uint64_t{0};
  static constexpr std::uint64_t any_set = no_set - 1;
  /// The first request of a side, if it must wait.
  struct Head {
    Transaction* stalled = nullptr;
    std::uint32_t set = 0;  ///< in which a line must be free to go; or any_set
    Stall by = mshr_full;
    bool again = false;   ///< something has come back since that may help
    bool absent = false;  ///< its line is not here: nor will it be, as who might bring it is behind
  };

  // What a request means here; shared by the timed and the timing-free way.
  bool far(std::uint8_t home_die) const { return home_die_ && *home_die_ != home_die; }
  bool keeps_writes(std::uint8_t home_die) const { return design_.writes_back && !far(home_die); }
  bool performs_atomics(std::uint8_t home_die) const { return design_.performs_atomics && !far(home_die); }
  Kind through_kind() const {
    return design_.spec.write_allocate == WriteAllocate::sector ? Kind::write_clean : Kind::write_present;
  }
  LineNumber line_of(std::uint64_t block, SectorMask sectors) const;
  std::uint64_t set_of(const Transaction& t, LineNumber line) const {
    return design_.index.told ? t.set() : index(line);
  }
  std::uint64_t index(LineNumber line) const { return design_.index_of(line); }
  std::uint64_t block_of(LineNumber line) const { return line >> design_.line_shift; }
  /// The sectors of its block that belong to a line.
  SectorMask all_of(LineNumber line) const {
    const unsigned sectors = memory::sectors_per_block >> design_.line_shift;
    const auto part = static_cast<unsigned>(line & ((1U << design_.line_shift) - 1U));
    return static_cast<SectorMask>(((1U << sectors) - 1U) << (part * sectors));
  }
  static SectorMask sectors_of(const Transaction& t) {
    return t.operation == memory::Operation::load ? t.fetched : t.wanted;
  }

  Side side_of(const Transaction& t) const { return far(t.home_die) ? far_side : home_side; }
  bool open(Side side) const { return heads_[side].stalled == nullptr; }
  /// What a fetch of a line without one needs. Far ones take half at most: they
  /// wait for fetches of the other die, and if both dies' registers were full of
  /// such, all memory would be fetched through the few that are left.
  bool mshr_free(bool far) const { return !mshrs_.full() && (!far || far_mshrs_ < design_.far_mshrs_most); }

  // Input, in order.
  void on_arrival(Transaction& transaction);
  void on_wake();
  void serve_waiting();
  void try_stalled_again(std::uint64_t changed_set);
  bool may_help(const Head& head, Side side, std::uint64_t changed_set) const;
  void wake_later();
  void serve_or_stall(Transaction& transaction);
  template <class Tags>
  static bool serve(Cache& cache, Transaction& transaction);
  bool stall(Stall cause, std::uint64_t set, bool absent = false);
  Time start(Transaction& transaction);
  /// The tags are free, or soon enough.
  bool tags_free() const { return tag_lane_.free_at() <= simulation_.now() + design_.ahead; }

  // One request against the tags; false: it must wait, and nothing has changed.
  template <class Tags>
  bool serve_with(Tags& tags, Transaction& transaction);
  bool join_placeless(Transaction& transaction, LineNumber line, std::uint64_t set, bool& served);
  template <class Tags>
  void place(Tags& tags, const Mshr& mshr);
  template <class Tags>
  bool read(Tags& tags, Transaction& transaction);
  /// Of the load that a prefetch follows.
  struct Origin {
    std::uint64_t to_virtual;  ///< added to a block of its page
    std::uint64_t block;
    std::uint16_t core, warp;
    std::uint8_t die;
  };
  template <class Tags>
  bool read_and_prefetch(Tags& tags, Transaction& transaction);
  template <class Tags>
  void prefetch(Tags& tags, const Origin& origin, LineNumber line);
  template <class Tags>
  bool pass_by(Tags& tags, Transaction& transaction);
  template <class Tags>
  bool forward_atomic(Tags& tags, Transaction& transaction);
  template <class Tags>
  Stall clean_before_drop(Tags& tags, std::uint64_t set, LineNumber line);
  template <class Tags>
  bool store_here(Tags& tags, Transaction& transaction);
  template <class Tags>
  Stall copy_must_wait(const Tags& tags, std::uint64_t set, LineNumber line, Kind kind) const;
  template <class Tags>
  bool store_through(Tags& tags, Transaction& transaction);
  template <class Tags>
  SectorMask keep_words(Tags& tags, const Transaction& transaction, std::uint64_t set, std::uint32_t way,
                        SectorMask covered, SectorMask fresh);
  template <class Tags>
  SectorMask drop(Tags& tags, std::uint64_t set, LineNumber line);
  template <class Tags>
  Touch touch_with(Tags& tags, const TouchRequest& request);
  template <class Tags>
  Victim bound_dirty(Tags& tags, std::uint64_t set);

  std::uint32_t take_mshr(LineNumber line, std::uint64_t set, Time begun, SectorMask have, bool attached, bool far);
  void fetch(Transaction& transaction, Time begun, std::uint32_t register_index, SectorMask sectors,
             bool prefetched = false);
  /// What a request takes before anything changes.
  struct Needs {
    std::uint32_t mshrs = 0;
    std::uint32_t places = 0;  ///< of the write-back buffer
    void add(SectorMask masked, SectorMask dirty);
  };
  void add_leaving(Needs& needs, const Room& room) const;
  /// What there is too little of; stall_kinds: nothing.
  Stall lacking(const Needs& needs) const;
  void report_eviction(const Access& done) {
    if (done.evicted && reports_evictions_) evicted_(evicted_self_, block_of(done.victim.line), done.victim.valid);
  }
  /// A line goes: what is dirty of it goes down.
  void let_go(std::uint64_t set, Victim victim, SectorMask masked);
  void send_back(Victim victim);
  SectorMask forget_masked(LineNumber line) { return holds_incomplete_ ? forget_incomplete(line) : SectorMask{0}; }
  SectorMask validated(LineNumber line, SectorMask sectors) {
    return holds_incomplete_ ? incomplete_->validate(line, sectors) : SectorMask{0};
  }
  void forget_if_complete(LineNumber line, SectorMask valid) {
    if (valid == memory::all_sectors && holds_incomplete_) forget_incomplete(line);
  }
  SectorMask forget_incomplete(LineNumber line) {
    const SectorMask were = incomplete_->forget(line);
    holds_incomplete_ = !incomplete_->empty();
    return were;
  }
  /// Sectors of the line at `way` have become valid, some of them dirty; a fetch of
  /// others that is under way hears of it.
  template <class Tags>
  void make_valid(Tags& tags, std::uint64_t set, std::uint32_t way, LineNumber line, SectorMask valid,
                  SectorMask dirty) {
    tags.fill(set, way, valid, dirty);
    if (!LineWord::pending(tags.word(set, way))) return;
    Mshr& mshr = mshrs_[mshrs_.find(line)];
    mshr.have = joined(mshr.have, joined(valid, dirty));
  }
  void complete(LineNumber line, std::uint64_t set, SectorMask masked, SectorMask dirty);
  void go_on_writing_back();
  template <class Tags>
  void go_on_writing_back(Tags& tags);
  template <class Tags>
  bool fetched_now(const Tags& tags, LineNumber line) const;
  template <class Tags>
  void clean(Tags& tags, LineNumber line);
  void on_completed(Transaction& completion);
  void on_completion_done(Transaction& completion);
  void on_passed_back(Transaction& transaction);
  Time enter_data(Transaction& transaction, Time begin, Duration latency);
  void answer_load(Transaction& transaction, Time begin, Duration latency);
  void answer(Transaction& transaction, Time begin, Duration latency);
  void answer_atomic(Transaction& transaction, Time begin, Duration latency);
  void answer_store(Transaction& transaction, Time begun, LineNumber line);
  void value_of_hit(Transaction& transaction);
  void value_of_fill(Transaction& transaction, std::uint32_t register_index, bool attached);
  void value_of_line(std::uint32_t register_index, const Mshr& mshr);
  void value_of_store(const Transaction& transaction, LineNumber line);
  void give_back_mshr(std::uint32_t index);
  /// The data array, for what is not the answer to a read.
  Time reserve_data(Time earliest, Duration occupancy) {
    data_apart_ += occupancy;
    ++statistics_.data_apart;
    return data_lane_.reserve(earliest, occupancy);
  }
  std::size_t bank_of(LineNumber line) const {
    return static_cast<std::size_t>((line * 0x9E3779B97F4A7C15U) >> design_.bank_shift);
  }
  Time enter_bank(LineNumber line, Time earliest, std::uint32_t sectors);
  Time read_out(LineNumber line, Time begun, std::uint32_t sectors);
  void hold_slot(Transaction& transaction, Time begin, Time entered);
  template <class Tags>
  void on_fill(Transaction& transaction);
  void on_release(Transaction& transaction) { transaction.release(); }
  void on_written_back(Transaction& transaction);

  // What a request touches stands together and first, by lines of the host's
  // cache: hundreds of caches do not fit its nearest memory, so every line counts.
  alignas(64) engine::Handler arrival_, fill_;
  engine::Simulation& simulation_;
  memory::Sink downstream_{};
  const CacheDesign& design_;

  alignas(64) engine::BareLane tag_lane_;
  engine::BareLane miss_lane_, data_lane_, fill_lane_;
  std::int64_t mshr_ticks_ = 0;    ///< those given back, less the beginnings of all
  std::uint32_t far_mshrs_ = 0;    ///< in use by far fetches
  std::uint32_t placeless_ = 0;    ///< fetches without a line of the tags
  std::uint32_t stalled_set_ = 0;  ///< what stall() was last told, with the two below
  Stall stalled_by_ = mshr_full;
  bool absent_ = false;
  bool retrying_ = false;      ///< the head of a side is being tried again
  bool known_absent_ = false;  ///< and its line is not here
  bool wake_scheduled_ = false;
  bool holds_incomplete_ = false;  ///< any of incomplete_
  bool reports_evictions_ = false;
  bool keeps_values_ = false;
  std::optional<std::uint8_t> home_die_;

  alignas(64) std::array<Head, sides> heads_;
  bool (*serve_)(Cache& cache, Transaction& transaction);  ///< serve() of the tags' own kind
  Side turn_ = home_side;                                  ///< whose head is tried first
  InputQueue input_queue_;

  alignas(64) MshrTable mshrs_;
  alignas(64) TagStore tags_;
  CacheCounts counts_;

  // What is rare, or a part of some caches alone.
  CacheStatistics statistics_;                   ///< all that counts_ does not hold
  Duration data_apart_{};                        ///< of the data array, taken by reserve_data()
  std::vector<engine::Lane> banks_;              ///< none: one bank, which the data lane stands for
  std::unique_ptr<Prefetching> prefetching_;     ///< null: no prefetcher
  std::unique_ptr<IncompleteLines> incomplete_;  ///< null: sectors written in part are not known
  engine::Handler wake_, release_, written_back_;
  engine::Handler completed_ = engine::handler<&Cache::on_completed>(*this);
  engine::Handler completion_done_ = engine::handler<&Cache::on_completion_done>(*this);
  engine::Handler passed_back_ = engine::handler<&Cache::on_passed_back>(*this);
  engine::Lane atomic_lane_;
  const memory::AtomicListener* atomic_listener_ = nullptr;
  memory::Values* values_ = nullptr;  ///< null unless keeps_values_
  engine::Pool<Transaction> writebacks_;
  Completions completions_;           ///< an MSHR each
  bool flushing_ = false;             ///< write_back_all() has been asked for
  std::uint64_t flush_set_ = no_set;  ///< the set that it has reached; no_set: it is through
  Time flushed_{};
  Evicted evicted_ = nullptr;  ///< null: evictions are not reported
  void* evicted_self_ = nullptr;
  SharedDesign owned_design_;
};

}  // namespace strata::cache
