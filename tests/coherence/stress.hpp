// SPDX-License-Identifier: Apache-2.0
// A random coherence stress: all cores of a machine add 1 to a few words by atomics and read them by coherent loads,
// beside ordinary accesses to other lines. As all writers add, the value of a word is the number of additions that have
// been performed, and a sequentially consistent shadow is two bounds: an access that is issued after another one to the
// word was answered finds no less than that one left, and none finds more than the additions issued so far. What
// additions find are 0, 1, 2, ... without gap or repetition. Divided into processes, a process learns what others did
// when the window is over: the bounds are then wider by a window, and the same on any number of threads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/random.hpp"
#include "machine/machine.hpp"
#include "memory/values.hpp"
#include "trace/instruction.hpp"

namespace strata::test {

struct Stress {
  std::uint64_t seed = 1;
  std::uint64_t accesses = 20'000;  ///< of all warps together, at least
  std::uint32_t words = 12;
  std::uint32_t warps = 2;                  ///< a core
  std::uint32_t cores = ~std::uint32_t{0};  ///< at most, spread over the machine
  std::uint64_t background = 4096;          ///< bytes that ordinary accesses touch, behind the words; 0: none
  /// Loads are to be as new as atomics; else each warp alone must see a word rise.
  bool loads_are_coherent = true;
};

struct StressResult {
  std::uint64_t additions = 0, loads = 0, ordinary = 0;
  std::uint64_t too_old = 0;  ///< found less than an access before them
  std::uint64_t too_new = 0;  ///< found more than was added
  std::uint64_t lost = 0;     ///< additions that found what another did, or left a gap
  std::uint64_t fingerprint = 0;
  bool passed() const { return too_old + too_new + lost == 0; }
};

class StressRun {
 public:
  StressRun(const machine::MachineSpec& spec, const Stress& stress, machine::Division division)
      : stress_(stress), machine_(spec, division) {
    const auto cores = static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die);
    const std::uint32_t taking_part = std::min(cores, stress.cores);
    processes_.resize(machine_.processes().count());
    committed_.resize(stress.words);
    for (Own& own : processes_) own.words.resize(stress.words);
    const std::uint64_t each = stress.accesses / (std::uint64_t{taking_part} * stress.warps) + 1;
    by_warp_.resize(cores);
    const memory::Values::Program program{&StressRun::issued, &StressRun::answered, this};
    values_ = std::make_unique<memory::Values>(
        program, memory::ValuesGuard{[](void* self) { static_cast<StressRun*>(self)->guard_.lock(); },
                                     [](void* self) { static_cast<StressRun*>(self)->guard_.unlock(); }, this});
    machine_.keep_values(*values_);
    for (std::uint32_t n = 0; n < taking_part; ++n) {
      const auto core = static_cast<std::uint32_t>(std::uint64_t{n} * cores / taking_part);
      for (std::uint32_t w = 0; w < stress.warps; ++w) {
        Warp& warp = warps_.emplace_back(*this, machine_.atlas().process_of(core),
                                         mix(stress.seed, std::uint64_t{core} * stress.warps + w), each);
        const std::uint32_t number =
            machine_.start(core, warp, {[](void*, std::uint32_t, Duration, unsigned) {}, nullptr});
        by_warp_[core].resize(std::max<std::size_t>(by_warp_[core].size(), number + 1));
        by_warp_[core][number] = &warp;
      }
    }
  }

  StressResult run(engine::Executor& executor) {
    machine_.run(executor, [this](Time) {
      commit();
      return false;
    });
    commit();
    StressResult result = result_;
    for (std::uint32_t w = 0; w < stress_.words; ++w) {
      std::vector<std::uint32_t> found;
      for (const Own& own : processes_) found.insert(found.end(), own.words[w].found.begin(), own.words[w].found.end());
      std::sort(found.begin(), found.end());
      for (std::size_t i = 0; i < found.size(); ++i) result.lost += found[i] == i ? 0 : 1;
    }
    result.fingerprint = machine_.processes().fingerprint();
    return result;
  }
  machine::Machine& machine() { return machine_; }

  /// Three words share a line, in sectors of their own or not; a line lies every 33.
  static std::uint64_t address(std::uint64_t word) { return word / 3 * 4224 + word % 3 * 36; }

 private:
  enum class Kind : std::uint8_t { add, load, ordinary };
  struct Access {
    Kind kind = Kind::ordinary;
    std::uint32_t word = 0;
  };

  class Warp final : public trace::WarpStream {
   public:
    Warp(StressRun& run, std::uint32_t process, std::uint64_t seed, std::uint64_t accesses)
        : run_(run), process_(process), random_(seed), left_(accesses), latest_(run.stress_.words) {}
    bool next(trace::Instruction& instruction) override {
      if (left_ == 0) return false;
      --left_;
      instruction = {};
      instruction.bytes_per_lane = 4;
      const std::uint64_t dice = random_.below(16);
      if (run_.stress_.background != 0 && dice < 4) {
        next_.push_back({Kind::ordinary, 0});
        instruction.operation = dice == 0 ? memory::Operation::store : memory::Operation::load;
        instruction.addresses[0] =
            address(run_.stress_.words + 3) / 4096 * 4096 + random_.below(run_.stress_.background / 4) * 4;
        return true;
      }
      const Access access{dice < 9 ? Kind::add : Kind::load,
                          static_cast<std::uint32_t>(random_.below(run_.stress_.words))};
      next_.push_back(access);
      instruction.operation = access.kind == Kind::add ? memory::Operation::atomic : memory::Operation::load;
      instruction.scope = trace::Scope::gpu;
      instruction.cache_operator = memory::CacheOperator::cv;
      instruction.addresses[0] = address(access.word);
      return true;
    }

   private:
    friend class StressRun;
    StressRun& run_;
    std::uint32_t process_;
    RandomSequence random_;
    std::uint64_t left_;
    std::deque<Access> next_;  ///< not yet issued: a store does not wait for its answer
    Access access_;            ///< under way: others wait for the one before
    std::uint64_t floor_ = 0;
    std::vector<std::uint64_t> latest_;
  };
  struct Word {
    std::uint64_t issued = 0;  ///< additions
    std::uint64_t seen = 0;    ///< the least that an access issued now must find
  };
  struct OwnWord : Word {
    std::vector<std::uint32_t> found;  ///< by additions
  };
  struct Own {
    std::vector<OwnWord> words;
    StressResult counts;
  };

  Warp& warp_of(const memory::Transaction& request) { return *by_warp_[request.core][request.warp]; }

  static memory::Operand issued(void* self, const memory::Transaction& request) {
    auto& run = *static_cast<StressRun*>(self);
    Warp& warp = run.warp_of(request);
    const Access access = warp.next_.front();
    warp.next_.pop_front();
    memory::Operand operand{1};
    if (request.operation == memory::Operation::store) return operand;
    warp.access_ = access;
    if (access.kind == Kind::ordinary) return operand;
    OwnWord& own = run.processes_[warp.process_].words[access.word];
    std::uint64_t seen = run.committed_[access.word].seen;
    if (run.processes_.size() == 1) seen = std::max(seen, own.seen);
    const bool coherent = access.kind == Kind::add || run.stress_.loads_are_coherent;
    warp.floor_ = std::max(coherent ? seen : 0, warp.latest_[access.word]);
    if (access.kind == Kind::add) ++own.issued;
    operand.words = memory::WordMask{1} << word_of_block(access.word);
    return operand;
  }
  static void answered(void* self, const memory::Transaction& request, const memory::Words& words) {
    if (request.operation == memory::Operation::store) return;
    auto& run = *static_cast<StressRun*>(self);
    Warp& warp = run.warp_of(request);
    const Access access = warp.access_;
    Own& process = run.processes_[warp.process_];
    if (access.kind == Kind::ordinary) {
      ++process.counts.ordinary;
      return;
    }
    OwnWord& own = process.words[access.word];
    const bool add = access.kind == Kind::add;
    const std::uint64_t value = words[word_of_block(access.word)];
    const std::uint64_t after = value + (add ? 1 : 0);
    ++(add ? process.counts.additions : process.counts.loads);
    process.counts.too_old += value < warp.floor_ ? 1 : 0;
    process.counts.too_new += after > run.committed_[access.word].issued + own.issued ? 1 : 0;
    if (add) own.found.push_back(static_cast<std::uint32_t>(value));
    warp.latest_[access.word] = std::max(warp.latest_[access.word], after);
    if (add || run.stress_.loads_are_coherent) own.seen = std::max(own.seen, after);
  }
  static std::uint64_t word_of_block(std::uint64_t word) {
    return address(word) % memory::block_bytes / memory::word_bytes;
  }
  void commit() {
    for (Own& own : processes_) {
      for (std::uint32_t w = 0; w < stress_.words; ++w) {
        committed_[w].issued += own.words[w].issued;
        committed_[w].seen = std::max(committed_[w].seen, own.words[w].seen);
        own.words[w].issued = 0;
      }
      result_.additions += own.counts.additions;
      result_.loads += own.counts.loads;
      result_.ordinary += own.counts.ordinary;
      result_.too_old += own.counts.too_old;
      result_.too_new += own.counts.too_new;
      own.counts = {};
    }
  }

  Stress stress_;
  machine::Machine machine_;
  std::mutex guard_;
  std::unique_ptr<memory::Values> values_;
  std::deque<Warp> warps_;
  std::vector<std::vector<Warp*>> by_warp_;  ///< by core, then its number there
  std::vector<Own> processes_;
  std::vector<Word> committed_;
  StressResult result_;
};

}  // namespace strata::test
