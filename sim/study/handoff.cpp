// SPDX-License-Identifier: Apache-2.0
#include "study/handoff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "machine/machine.hpp"
#include "memory/journey_sampler.hpp"
#include "study/common_atomics.hpp"
#include "study/journey/stage_times.hpp"
#include "study/watch.hpp"

namespace strata::study {

namespace {

constexpr std::uint64_t word = 4;      // bytes
constexpr std::uint64_t warm_up = 16;  // hand-offs before the first timed one
constexpr std::uint64_t line = memory::block_bytes;

/// Compare-and-swaps of one thread on one word, each after the answer to the previous one and the loop's
/// arithmetic.
class Attempts final : public trace::WarpStream {
 public:
  Attempts(const HandoffQuestion& question, std::uint64_t address, Duration loop, const bool& over)
      : space_(question.space), address_(address), loop_(loop), over_(over) {}

  bool next(trace::Instruction& instruction) override {
    if (over_) return false;
    instruction = {};
    instruction.operation = memory::Operation::atomic;
    instruction.compares = true;
    instruction.space = space_;
    instruction.scope = trace::Scope::gpu;
    instruction.bytes_per_lane = word;
    instruction.work = loop_;
    instruction.addresses[0] = address_;
    return true;
  }

 private:
  trace::Space space_;
  std::uint64_t address_;
  Duration loop_;
  const bool& over_;
};

/// Both threads as warps of one block.
class OneBlock final : public trace::BlockStreams {
 public:
  explicit OneBlock(std::array<Attempts*, 2> threads) : threads_(threads) {}
  trace::WarpStream& warp(std::uint32_t index) override { return *threads_[index]; }

 private:
  std::array<Attempts*, 2> threads_;
};

/// Whose turn it is, as the unit that performs the atomics sees it.
class Turns {
 public:
  explicit Turns(std::uint64_t timed) : timed_(timed) {}

  memory::AtomicListener listener() { return {&Turns::performed, this}; }
  const bool& over() const { return over_; }
  Duration each() const { return Duration{(end_ - begin_).ticks}; }
  std::uint64_t timed() const { return timed_; }
  double attempts() const { return static_cast<double>(attempts_) / static_cast<double>(timed_); }

 private:
  static void performed(void* self, std::uint32_t core, std::uint32_t warp, Time t) {
    auto& turns = *static_cast<Turns*>(self);
    const std::uint64_t thread = std::uint64_t{core} << 32U | warp;
    if (turns.over_) return;
    if (turns.handoffs_ >= warm_up) ++turns.attempts_;
    if (turns.handoffs_ > 0 && thread == turns.last_) return;  // the word still holds its own value
    turns.last_ = thread;
    if (turns.handoffs_++ == warm_up) turns.begin_ = t;
    if (turns.handoffs_ <= warm_up + turns.timed_) return;
    turns.end_ = t;
    turns.over_ = true;
  }

  std::uint64_t timed_;
  std::uint64_t handoffs_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t last_ = 0;
  Time begin_{}, end_{};
  bool over_ = false;
};

std::uint32_t die_of(const machine::MachineSpec& spec, std::uint32_t core) {
  return static_cast<std::uint32_t>(core / spec.dies.cores_per_die);
}

void check(const machine::MachineSpec& spec, const HandoffQuestion& question, CorePair cores) {
  const std::uint64_t all = spec.dies.compute * spec.dies.cores_per_die;
  for (const std::uint32_t core : {cores.first, cores.second})
    if (core >= all)
      throw InvalidRequest(fmt::format("{} has cores 0 to {}, not {}", spec.name, all - 1, core),
                           {"dies.compute", "dies.cores_per_die"});
  if (question.handoffs == 0) throw InvalidRequest("no hand-off to time");
  if (question.address % word != 0)
    throw InvalidRequest(fmt::format("an atomic changes an aligned word of {} bytes; address {} is not aligned", word,
                                     question.address));
  if (question.space == trace::Space::shared) {
    if (question.home != ChaseHome::any)
      throw InvalidRequest("shared memory is private to the core: it has no near or far part");
    if (question.address + word > spec.core.shared_memory.size.value)
      throw InvalidRequest(fmt::format("address {} lies outside of {} bytes of shared memory", question.address,
                                       spec.core.shared_memory.size.value),
                           {"core.shared_memory.size"});
    if (cores.first != cores.second)
      throw InvalidRequest("a block has all its threads on one core: in shared memory both cores are the same");
    return;
  }
  if (question.space != trace::Space::global)
    throw InvalidRequest("threads hand over a word of global or of shared memory");
  if (cores.first == cores.second)
    throw InvalidRequest(
        fmt::format("a hand-off has two cores, not core {} twice; in shared memory, one block", cores.first));
  const std::uint64_t gpus = spec.dies.logical_gpus;
  if (die_of(spec, cores.first) * gpus / spec.dies.compute != die_of(spec, cores.second) * gpus / spec.dies.compute)
    throw InvalidRequest(
        fmt::format("cores {} and {} belong to two logical GPUs, which share no program", cores.first, cores.second),
        {"dies.logical_gpus"});
  check_atomics_in_cache(spec, cores.first, cores.second);
  if (question.address + line > spec.memory.size.value)
    throw InvalidRequest(
        fmt::format("address {} lies outside of {} bytes of memory", question.address, spec.memory.size.value),
        {"memory.size"});
}

/// The word itself: in the first line of that home at or after the address.
std::uint64_t place_word(const machine::Machine& machine, const HandoffQuestion& question, std::uint32_t core) {
  if (question.home == ChaseHome::any) return question.address;
  trace::ChaseRing ring{question.address / line * line, 1, line, trace::ChaseOrder::ascending, 1};
  keep_home(machine, question.home, core, ring);
  return trace::ChasePath(ring).address(0) + question.address % line;
}

std::string relation(const machine::Machine& machine, CorePair cores, std::uint64_t address) {
  const machine::MachineSpec& spec = machine.spec();
  if (cores.first == cores.second) return "one block";
  if (spec.dies.compute == 1) return "one die";
  const std::uint32_t first = die_of(spec, cores.first);
  const std::uint32_t second = die_of(spec, cores.second);
  if (spec.l2.partitioned) {
    const std::uint32_t home = machine.atlas().whereabouts(cores.first, address).home_die;
    const int near = (first == home ? 1 : 0) + (second == home ? 1 : 0);
    return near == 2 ? "both on the word's die" : near == 1 ? "one on the word's die" : "none on the word's die";
  }
  if (first == second) return "one die";
  return fmt::format("dies {:.4g} ns apart",
                     machine.timebase().to_nanoseconds(machine.atlas().flight(cores.first, cores.second)));
}

/// Runs on a machine that was used before, until the timed hand-offs are done.
HandoffPoint play(machine::Machine& machine, const HandoffQuestion& question, CorePair cores,
                  std::span<memory::JourneySampler> sampler) {
  const std::uint64_t address =
      question.space == trace::Space::shared ? question.address : place_word(machine, question, cores.first);
  Turns turns(question.handoffs);
  const Watch watch(machine, question.statistics);
  const memory::AtomicListener listener = turns.listener();
  machine.watch_atomics(&listener);
  const Duration loop = machine.core_clock().cycles(question.loop_cycles);
  Attempts first(question, address, loop, turns.over());
  Attempts second(question, address, loop, turns.over());
  if (cores.first == cores.second) {
    machine.start_block(cores.first, std::make_unique<OneBlock>(std::array{&first, &second}), 2,
                        machine.simulation().now(), machine.simulation().now(), {}, {});
  } else {
    machine.start(cores.first, first, {});
    machine.sample(sampler);  // of the second thread alone
    machine.start(cores.second, second, {});
    machine.sample({});
  }
  machine.run();
  machine.watch_atomics(nullptr);

  HandoffPoint point;
  point.cores = cores;
  const auto timed = static_cast<double>(turns.timed());
  point.ns = machine.timebase().to_nanoseconds(turns.each()) / timed;
  point.cycles = machine.core_clock().count(turns.each()) / timed;
  point.attempts = turns.attempts();
  point.relation = relation(machine, cores, address);
  point.fingerprint = machine.simulation().fingerprint();
  point.statistics = watch.rows();
  return point;
}

}  // namespace

std::uint64_t count_handoff_pairs(const machine::MachineSpec& spec, const HandoffQuestion& question) {
  if (question.space == trace::Space::shared) return 1;
  const std::uint64_t cores = spec.dies.compute * spec.dies.cores_per_die / spec.dies.logical_gpus;
  return cores * (cores - 1) / 2;
}

std::vector<CorePair> handoff_pairs(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                    std::uint64_t most, std::uint64_t seed) {
  if (question.space == trace::Space::shared) return {{0, 0}};
  const auto cores = static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die / spec.dies.logical_gpus);
  std::uint64_t left = count_handoff_pairs(spec, question);
  std::uint64_t wanted = most == 0 ? left : std::min(most, left);
  std::vector<CorePair> pairs;
  pairs.reserve(wanted);
  // Each pair is selected with the probability that yields the required number (Knuth, selection
  // sampling).
  RandomSequence random(seed);
  for (std::uint32_t first = 0; first < cores && wanted > 0; ++first)
    for (std::uint32_t second = first + 1; second < cores && wanted > 0; ++second, --left) {
      if (random.below(left) >= wanted) continue;
      pairs.push_back({first, second});
      --wanted;
    }
  return pairs;
}

std::vector<HandoffPoint> measure_handoffs(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                           std::span<const CorePair> pairs) {
  for (const CorePair& cores : pairs) check(spec, question, cores);
  machine::Machine machine(spec);
  std::vector<HandoffPoint> points;
  points.reserve(pairs.size());
  for (const CorePair& cores : pairs) points.push_back(play(machine, question, cores, {}));
  return points;
}

std::vector<HandoffPoint> measure_handoffs(const machine::MachineSpec& spec, const HandoffDraw& draw) {
  return measure_handoffs(spec, draw, handoff_pairs(spec, draw, draw.pairs, draw.seed));
}

std::vector<stats::NamedShare> handoff_stages(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                              CorePair cores) {
  check(spec, question, cores);
  machine::Machine machine(spec);
  memory::JourneySampler sampler(1);
  play(machine, question, cores, {&sampler, 1});
  return stage_times(sampler, machine);
}

}  // namespace strata::study
