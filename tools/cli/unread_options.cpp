// SPDX-License-Identifier: Apache-2.0
#include "unread_options.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "load_options.hpp"

namespace strata::cli {

namespace {

class Notes {
 public:
  explicit Notes(const Given& given) : given_(given) {}
  void add(const std::string& option, const std::string& value, std::string why) {
    if (given_(option)) all_.push_back({"--" + option, value, "the command line", true, std::move(why)});
  }
  std::vector<report::Setting> take() { return std::move(all_); }

 private:
  const Given& given_;
  std::vector<report::Setting> all_;
};

// The first cache on the path of loads of a space.
const cache::CacheSpec* first_level(const machine::MachineSpec& spec, trace::Space space) {
  switch (space) {
    case trace::Space::global:
      return &spec.l1.cache;
    case trace::Space::scalar:
      return spec.scalar_cache ? &*spec.scalar_cache : nullptr;
    case trace::Space::texture:
      return spec.texture_cache ? &*spec.texture_cache : nullptr;
    case trace::Space::shared:
    case trace::Space::cluster:
    case trace::Space::bulk:
    case trace::Space::tensor:
      break;
  }
  return nullptr;
}

void cache_operator(Notes& notes, memory::CacheOperator asked, trace::Space space, const machine::MachineSpec& spec) {
  if (asked == memory::CacheOperator::ca) return;
  const std::string& name = operator_name(asked);
  const cache::CacheSpec* const cache = first_level(spec, space);
  if (cache == nullptr) {
    notes.add("cache-op", name,
              space == trace::Space::bulk ? "bulk copies bypass the caches of the core"
                                          : "shared memory has no cache in front of it");
  } else if (!cache->bypass_cg) {
    const char* const path = space == trace::Space::global   ? "l1.cache"
                             : space == trace::Space::scalar ? "scalar_cache"
                                                             : "texture_cache";
    notes.add("cache-op", name,
              fmt::format("loads cannot bypass the {} of {} ({}.bypass_cg is false); they are as with --cache-op ca",
                          cache->name, spec.name, path));
  } else if (asked == memory::CacheOperator::cv && !(spec.memory_side_cache && spec.memory_side_cache->probe_filter)) {
    notes.add("cache-op", name,
              fmt::format("no probe filter of {} knows copies (memory_side_cache.probe_filter); loads are as with "
                          "--cache-op cg",
                          spec.name));
  }
}

}  // namespace

std::vector<report::Setting> unread_options(const Given& given, const study::LatencyQuestion& question,
                                            const machine::MachineSpec& spec) {
  Notes notes(given);
  cache_operator(notes, question.cache_operator, question.space, spec);
  const bool one = question.threads == 1;
  if (question.segmented && one)
    notes.add("segmented", "true", "one thread walks the whole ring; give --threads of 2 or more");
  if (question.order == trace::ChaseOrder::ascending && one)
    notes.add("seed", fmt::format("{}", question.seed), "an ascending ring of one thread has nothing random");
  if (question.timed_loads / question.threads < 64)
    notes.add("timed-loads", fmt::format("{}", question.timed_loads), "each thread times at least 64 loads");
  if (trace::within_cores(question.space)) {
    if (question.whole_warm_up) notes.add("whole-warm-up", "true", "shared memory needs no warm-up");
    notes.add("warm-laps", fmt::format("{}", question.warm_laps), "shared memory needs no warm-up");
  }
  return notes.take();
}

std::vector<report::Setting> unread_options(const Given& given, const study::BandwidthQuestion& question,
                                            const machine::MachineSpec& spec, bool loaded) {
  Notes notes(given);
  cache_operator(notes, question.cache_operator, question.space, spec);
  if (!question.batch)
    notes.add("work-per-batch", fmt::format("{}", question.work_per_batch.value),
              "there are no batches without --batch");
  if (trace::within_cores(question.space))
    notes.add("sharing",
              question.sharing == study::Sharing::split   ? "split"
              : question.sharing == study::Sharing::turns ? "turns"
                                                          : "each",
              "shared memory is private to a core: each sweeps all of it");
  if (question.sharing == study::Sharing::turns && question.blocked)
    notes.add("blocked", "true", "blocks take parts in turn, --sharing turns");
  if (question.lockstep && !loaded)
    notes.add("timed", fmt::format("{} B", question.timed_bytes), "--lockstep times one pass");
  if (loaded) {
    if (question.lockstep)
      notes.add("lockstep", "true", "under --loaded the chains of loads are timed, not the stream");
    if (question.whole) notes.add("whole", "true", "under --loaded the chains of loads are timed, not the stream");
    notes.add("timed", fmt::format("{} B", question.timed_bytes),
              "under --loaded the stream lasts as long as the chains of loads");
  }
  return notes.take();
}

std::vector<report::Setting> unread_options(const Given& given, const study::HandoffDraw& draw, bool of_one) {
  Notes notes(given);
  const bool shared = draw.space == trace::Space::shared;
  const char* const why = shared ? "inside a block there is one pair" : "--cores names the pair";
  if (of_one || shared) {
    notes.add("pairs", fmt::format("{}", draw.pairs), why);
    notes.add("seed", fmt::format("{}", draw.seed), why);
  }
  return notes.take();
}

std::vector<report::Setting> unread_options(const Given& given, const study::RunQuestion& question,
                                            std::size_t kernels) {
  Notes notes(given);
  if (question.caches == study::Caches::warm && kernels == 1)
    notes.add("caches", "warm", "one kernel runs, with none before it; run several or --repeat it");
  return notes.take();
}

}  // namespace strata::cli
