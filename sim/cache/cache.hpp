// SPDX-License-Identifier: Apache-2.0
// A cache in time: an input served in order, tags that take a request every so often, MSHRs that let hits overtake
// misses, a data array of finite width and an answer for every request. A request that finds no MSHR, no line that may
// be evicted or no free place in a merge list stalls the input, in order, until something comes back. It keeps its
// upstream credit, so back-pressure propagates. Lines are allocated at the miss and held until their fill, so the
// fetches in flight also live in the ways of their set. A streaming cache is not stalled by that: a miss that finds
// all of them held proceeds without, and takes a line when its data come, if one may be evicted (Khairy, Shen, Aamodt
// and Rogers: Accel-Sim, ISCA 2020, on the L1 of Volta).
//
// A request whose turn at the tags is near (a few look-ups away, within the tag latency) is looked up at once, for the
// time of its turn: what the tags say could change by then only through a fill of these very clocks. Its place in the
// input counts as free from then on, as it stands in the tag pipeline, unless the data array is behind.
//
// Two dies whose caches ask each other must not wait for each other. A cache that knows its home keeps what another
// die must serve, the far side, from stopping what it can serve itself, the home side, on which the other die waits:
// each side stalls alone (StalledHeads), far fetches hold at most half of the MSHRs (FetchRegisters) and of the lines,
// and none takes the last way of a set that fetches have left. The home side then waits for nothing but memory.
//
// A store that leaves words of its sectors alone changes those sectors where they are valid. Elsewhere the words that
// are written are kept for a bounded number of lines (IncompleteLines). A store to a line that is being completed
// stalls its side until the data have come.
//
// Beside the timed path stands touch(), which changes the same tags by the same calls and takes no time: warming up
// with it changes no answer. Its stores write their sectors whole. Requests keep to one line: no level has shorter
// lines than the level above asks for.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "cache/input/input_queue.hpp"
#include "cache/input/stalled_heads.hpp"
#include "cache/misses/completions.hpp"
#include "cache/misses/fetch_registers.hpp"
#include "cache/misses/kept_incomplete.hpp"
#include "cache/misses/needs.hpp"
#include "cache/prefetch/prefetching.hpp"
#include "cache/requests/flush.hpp"
#include "cache/requests/touch.hpp"
#include "cache/spec/cache_design.hpp"
#include "cache/spec/cache_spec.hpp"
#include "cache/statistics/cache_counts.hpp"
#include "cache/statistics/cache_statistics.hpp"
#include "cache/tags/eviction_listener.hpp"
#include "cache/tags/held_set.hpp"
#include "cache/tags/tag_store.hpp"
#include "cache/timing/cache_lanes.hpp"
#include "engine/lane.hpp"
#include "engine/pool.hpp"
#include "memory/atomic_listener.hpp"
#include "memory/values.hpp"
#include "stats/collector.hpp"

namespace strata::cache {

class TrackedCopies;

class Cache {
 public:
  /// home_die: if given, this cache is the point of coherence only for transactions of that home: it passes stores of
  /// others on (a copy takes them too, and comes about where stores allocate) and their atomics (a copy is dropped).
  /// It then needs two MSHRs, two ways and two lines or more. The spec must have passed its schema; seed feeds random
  /// replacement.
  Cache(engine::Simulation& simulation, memory::StageNames& stages, const CacheSpec& spec, engine::Clock clock,
        IndexFunction index, std::uint64_t seed = 0, std::optional<std::uint8_t> home_die = std::nullopt);
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
  /// Receives each line that is evicted.
  void on_eviction(EvictionListener::Function function, void* self) { evictions_ = {function, self}; }
  /// One of several slices with the prefetcher of `first`; the spec names one. Before the first request.
  void share_prefetcher(Cache& first, const PrefetchRoute& route);
  /// Fetches a line of this slice later in this instant, as a prefetcher's. False: too many are waiting.
  bool prefetch_soon(LineNumber line, const PrefetchOrigin& origin);
  /// The receiver of the port in front; its depth is spec().input_depth.
  const engine::Handler& input() const { return arrival_; }
  /// The same by direct call; ready >= now.
  void take(memory::Transaction& transaction, Time ready);

  /// One request without time or statistics. For the time between runs.
  Touch touch(const TouchRequest& request);
  /// The same where the set of the block is known.
  Touch touch(const TouchRequest& request, std::uint64_t set);
  /// touch() will soon be asked for a block of that set: hides the host's memory latency. Changes nothing.
  void expect(std::uint64_t set) const;
  /// Drops the line of a block; a fetch of it under way fills nothing. Returns the block's dirty sectors.
  SectorMask invalidate(std::uint64_t block);
  /// All of these sectors are valid here.
  bool contains(std::uint64_t block, SectorMask sectors) const;
  /// What the set of a physical byte address holds now, and which lines are being fetched.
  HeldSet held(std::uint64_t address) const;
  /// Drops everything, dirty or not, as invalidate() does.
  void drop_all();
  /// Writes a block back, from now on, if it is dirty; it stays, clean. False: it cannot go yet.
  bool write_back(std::uint64_t block);
  /// The same of every line that is dirty now and that no fetch holds. While no request comes. done: called when
  /// all of it has been answered, if given.
  void write_back_all(const engine::Handler& done = {});

  const CacheSpec& spec() const { return design_.spec; }
  const CacheDesign& design() const { return design_; }
  CacheStatistics statistics() const;
  LaneUse data_use() const;
  InFlight in_flight() const;
  void collect(stats::Collector& collector) const;
  const TagStore& tags() const { return tags_; }

 private:
  friend class ProbedCache;
  friend class ReadyLines;
  using Transaction = memory::Transaction;

  // What a request means here; shared by the timed and the timing-free way.
  bool far(std::uint8_t home_die) const { return home_die_ && *home_die_ != home_die; }
  bool keeps_writes(std::uint8_t home_die) const { return design_.writes_back && !far(home_die); }
  bool performs_atomics(std::uint8_t home_die) const { return design_.performs_atomics && !far(home_die); }
  Kind through_kind() const {
    return design_.spec.write_allocate == WriteAllocate::sector ? Kind::write_clean : Kind::write_present;
  }
  std::uint64_t set_of(const Transaction& t, LineNumber line) const {
    return design_.index.given ? t.set() : index(line);
  }
  std::uint64_t index(LineNumber line) const { return design_.index_of(line); }
  static SectorMask sectors_of(const Transaction& t) {
    return t.operation == memory::Operation::load ? t.fetched : t.wanted;
  }

  Side side_of(const Transaction& t) const { return far(t.home_die) ? far_side : home_side; }
  /// What a fetch of a line without one needs.
  bool mshr_free(bool far) const { return mshrs_.free_for(far, design_.far_mshrs_most); }

  void on_arrival(Transaction& transaction);
  void on_wake();
  void serve_waiting();
  /// changed_set: in which a way is no longer held by a fetch.
  void try_stalled_again(std::uint64_t changed_set) {
    if (heads_.any_stalled()) help_stalled(changed_set);
  }
  void help_stalled(std::uint64_t changed_set);
  void wake_later();
  void serve_or_stall(Transaction& transaction);
  template <class Tags>
  static bool serve(Cache& cache, Transaction& transaction);
  bool stall(Stall cause, std::uint64_t set, bool absent = false);
  Time start(Transaction& transaction);

  // One request against the tags; false: it must wait, and nothing has changed.
  template <class Tags>
  bool serve_with(Tags& tags, Transaction& transaction);
  template <class Tags>
  bool join_placeless(Transaction& transaction, LineNumber line, std::uint64_t set, bool& served);
  template <class Tags>
  void place(Tags& tags, const Mshr& mshr);
  template <class Tags>
  bool read(Tags& tags, Transaction& transaction);
  template <class Tags>
  Stall make_space(Tags& tags, std::uint64_t set, LineNumber line, Needs with);
  template <class Tags>
  bool read_and_prefetch(Tags& tags, Transaction& transaction);
  bool same_region(const PrefetchOrigin& origin, LineNumber line) const;
  void on_prefetch();
  template <class Tags>
  void prefetch(Tags& tags, const PrefetchOrigin& origin, LineNumber line);
  template <class Tags>
  bool pass_by(Tags& tags, Transaction& transaction);
  template <class Tags>
  void drop_untracked(Tags& tags, const Transaction& transaction);
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
  Touch touch_with(Tags& tags, const TouchRequest& request, LineNumber line, std::uint64_t set);
  template <class Tags>
  const SurplusVictims* evict_surplus(Tags& tags, std::uint64_t set, LineNumber line);
  template <class Tags>
  Victim bound_dirty(Tags& tags, std::uint64_t set);

  template <class Tags>
  void fetch(Transaction& transaction, Time begun, std::uint32_t register_index, SectorMask sectors,
             bool prefetched = false);
  template <class Tags>
  void add_leaving(Needs& needs, const Room& room) const;
  /// What there is too little of; stall_kinds: nothing.
  Stall lacking(const Needs& needs) const;
  template <class Tags>
  void report_eviction(const Access& done) const {
    if (done.evicted && evictions_.listens())
      each_block<Tags>(design_, done.victim.line, done.victim.valid, evictions_);
  }
  /// A line is evicted: its dirty sectors are written back.
  template <class Tags>
  void let_go(std::uint64_t set, Victim victim, SectorMask masked);
  void send_back(std::uint64_t block, LineNumber line, SectorMask dirty);
  /// Sectors of the line at `way` have become valid, some of them dirty; a fetch under way is updated.
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
  void end_flush();
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
  /// The data array, for what is not the answer to a read.
  Time reserve_data(Time earliest, Duration occupancy) {
    ++statistics_.data_apart;
    return lanes_.reserve_data(earliest, occupancy);
  }
  Time reserve_store(Time earliest, std::uint32_t sectors);
  void hold_slot(Transaction& transaction, Time begin, Time entered);
  template <class Tags>
  void on_fill(Transaction& transaction);
  void on_release(Transaction& transaction) { transaction.release(); }
  void on_written_back(Transaction& transaction);

  // What a request touches stands first, by lines of the host's cache: hundreds of caches do not fit it.
  alignas(64) engine::Handler arrival_;
  engine::HandlerNumber fill_{};
  engine::Simulation& simulation_;
  memory::Sink downstream_{};
  const CacheDesign& design_;

  alignas(64) CacheLanes lanes_;
  KeptIncomplete incomplete_;
  alignas(64) StalledHeads heads_;
  bool (*serve_)(Cache& cache, Transaction& transaction);  ///< serve() of the tags' own kind
  bool wake_scheduled_ = false;
  bool keeps_values_ = false;
  std::optional<std::uint8_t> home_die_;
  InputQueue input_queue_;

  alignas(64) FetchRegisters mshrs_;
  alignas(64) TagStore tags_;
  CacheCounts counts_;

  // What is rare, or a part of some caches alone.
  CacheStatistics statistics_;                ///< all that counts_ does not hold
  std::unique_ptr<Prefetching> prefetching_;  ///< null: no prefetcher
  engine::Handler wake_, release_;
  engine::HandlerNumber written_back_ = simulation_.number(engine::handler<&Cache::on_written_back>(*this));
  engine::HandlerNumber completed_ = simulation_.number(engine::handler<&Cache::on_completed>(*this));
  engine::HandlerNumber completion_done_ = simulation_.number(engine::handler<&Cache::on_completion_done>(*this));
  engine::Handler prefetch_ = engine::handler<&Cache::on_prefetch>(*this);
  engine::HandlerNumber passed_back_ = simulation_.number(engine::handler<&Cache::on_passed_back>(*this));
  engine::Lane atomic_lane_, store_lane_;
  const memory::AtomicListener* atomic_listener_ = nullptr;
  memory::Values* values_ = nullptr;        ///< null unless keeps_values_
  const TrackedCopies* tracked_ = nullptr;  ///< copies here that a probe filter tracks; null: there is none
  engine::Pool<Transaction> writebacks_;
  Completions completions_;  ///< an MSHR each
  EvictionListener evictions_;
  SurplusVictims surplus_victims_;  ///< of the last touch()
  Flush flush_;
  SharedDesign owned_design_;
};

}  // namespace strata::cache
