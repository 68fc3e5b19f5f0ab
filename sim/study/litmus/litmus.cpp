// SPDX-License-Identifier: Apache-2.0
#include "study/litmus/litmus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "machine/layout/numa.hpp"
#include "machine/machine.hpp"
#include "memory/values.hpp"
#include "study/watch.hpp"

namespace strata::study {

namespace {

constexpr std::uint64_t least_window_clk = 50;  // of the delays of a run, which doubles up to six times
constexpr std::uint64_t runs_a_machine = 512;   // so that words and addresses stay few
constexpr std::uint64_t most_gap = 8;           // lines from a variable to the next
constexpr std::int64_t poll_clk = 50;           // between looks whether a write-back has ended
constexpr std::uint32_t bytes = memory::word_bytes;

/// One thread of a run: a warp of one lane.
class Thread final : public trace::WarpStream {
 public:
  Thread(machine::Machine& machine, const std::vector<LitmusOperation>& operations,
         std::span<const std::uint64_t> addresses, std::span<const std::uint64_t> blocks,
         const LitmusQuestion& question, std::optional<trace::Scope> fence, std::uint32_t core, Time begin)
      : machine_(machine),
        operations_(operations),
        addresses_(addresses),
        blocks_(blocks),
        question_(question),
        fence_(fence),
        core_(core),
        begin_(begin) {}

  bool next(trace::Instruction& instruction) override {
    for (; at_ < operations_.size(); ++at_) {
      const LitmusOperation& operation = operations_[at_];
      if (operation.kind == LitmusOperation::Kind::fence) {
        if (!fence_ || passes_fence(instruction, true)) continue;
        return true;
      }
      instruction = {};
      instruction.operation =
          operation.kind == LitmusOperation::Kind::load ? memory::Operation::load : memory::Operation::store;
      instruction.cache_operator = question_.cache_operator;
      instruction.dependent = false;
      instruction.bytes_per_lane = bytes;
      instruction.addresses[0] = addresses_[operation.variable];
      instruction.not_before = begin_;
      if (operation.kind == LitmusOperation::Kind::load) instruction.destination = static_cast<std::uint8_t>(at_ + 1);
      ++at_;
      return true;
    }
    // Others must see the last store too; without fences it stays where it is.
    return fence_ && !passes_fence(instruction, false);
  }

  /// The operation that issues next: requests are issued in the order of the program.
  const LitmusOperation& issue() {
    while (operations_[issued_].kind == LitmusOperation::Kind::fence) ++issued_;
    return operations_[issued_++];
  }

 private:
  // False until the thread's accesses are answered and its stores are visible to others; advances these until then.
  bool passes_fence(trace::Instruction& instruction, bool acquire) {
    const bool wide = *fence_ != trace::Scope::block;
    if (waited_ && (!wide || machine_.release(core_, blocks_))) {
      if (wide && acquire) machine_.acquire(core_, blocks_);
      waited_ = false;
      return true;
    }
    instruction = {};
    instruction.op_class = trace::OpClass::fence;
    instruction.scope = *fence_;
    if (waited_)
      instruction.not_before =
          machine_.simulation().now() + machine_.core_clock().cycles(static_cast<double>(poll_clk));
    waited_ = true;
    return false;
  }

  machine::Machine& machine_;
  const std::vector<LitmusOperation>& operations_;
  std::span<const std::uint64_t> addresses_, blocks_;
  const LitmusQuestion& question_;
  std::optional<trace::Scope> fence_;
  std::uint32_t core_;
  Time begin_;
  std::size_t at_ = 0, issued_ = 0;
  bool waited_ = false;  ///< a fence has waited for this thread's accesses
};

/// The values that the threads of a run read.
class Run {
 public:
  Run(const LitmusTest& test, std::span<const std::uint64_t> addresses) : addresses_(addresses) {
    std::size_t registers = 0;
    for (const auto& operations : test.threads) {
      first_register_.push_back(registers);
      registers +=
          static_cast<std::size_t>(std::count_if(operations.begin(), operations.end(), [](const LitmusOperation& one) {
            return one.kind == LitmusOperation::Kind::load;
          }));
    }
    registers_.resize(registers);
  }
  void add(std::uint32_t core, std::uint32_t warp, Thread& thread) {
    threads_[key(core, warp)] = {&thread, first_register_[added_++]};
  }
  const std::vector<std::uint64_t>& registers() const { return registers_; }

  memory::Values::Operand issued(const memory::Transaction& transaction) {
    auto& [thread, next_register] = threads_.at(key(transaction.core, transaction.warp));
    const LitmusOperation& operation = thread->issue();
    if (operation.kind == LitmusOperation::Kind::load)
      loads_[&transaction] = {next_register++, addresses_[operation.variable]};
    return {operation.value};
  }
  void answered(const memory::Transaction& transaction, const memory::Values::Words& words) {
    const auto load = loads_.find(&transaction);
    if (load == loads_.end()) return;
    registers_[load->second.number] = words[load->second.address % memory::block_bytes / memory::word_bytes];
    loads_.erase(load);
  }

 private:
  struct Load {
    std::size_t number;
    std::uint64_t address;
  };
  struct Issuer {
    Thread* thread = nullptr;
    std::size_t next_register = 0;
  };
  static std::uint64_t key(std::uint32_t core, std::uint32_t warp) { return std::uint64_t{core} << 32U | warp; }

  std::span<const std::uint64_t> addresses_;
  std::vector<std::size_t> first_register_;
  std::size_t added_ = 0;
  std::unordered_map<std::uint64_t, Issuer> threads_;
  std::unordered_map<const memory::Transaction*, Load> loads_;
  std::vector<std::uint64_t> registers_;
};

std::uint32_t dies_of(const machine::MachineSpec& spec) {
  return static_cast<std::uint32_t>(spec.dies.compute / spec.dies.logical_gpus);
}

std::vector<std::uint32_t> draw_cores(const machine::MachineSpec& spec, LitmusPlacement placement, std::size_t threads,
                                      RandomSequence& random) {
  const auto a_die = static_cast<std::uint32_t>(spec.dies.cores_per_die);
  const std::uint32_t dies = dies_of(spec);
  const auto first_die = static_cast<std::uint32_t>(random.below(dies));
  std::vector<std::uint32_t> cores;
  while (cores.size() < threads) {
    std::uint32_t die = first_die;
    if (placement == LitmusPlacement::two_dies)
      die = (first_die +
             static_cast<std::uint32_t>(cores.size()) % 2 * (1 + static_cast<std::uint32_t>(random.below(dies - 1)))) %
            dies;
    const std::uint32_t core = die * a_die + static_cast<std::uint32_t>(random.below(a_die));
    if (placement == LitmusPlacement::one_core && !cores.empty())
      cores.push_back(cores.front());
    else if (std::find(cores.begin(), cores.end(), core) == cores.end())
      cores.push_back(core);
  }
  return cores;
}

// Lines that no previous run has used; sometimes two variables share one, in different sectors.
std::vector<std::uint64_t> draw_addresses(std::uint32_t variables, std::uint64_t& line, RandomSequence& random) {
  std::vector<std::uint64_t> addresses;
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (v == 0 || random.below(8) != 0) line += 1 + random.below(most_gap);
    addresses.push_back(line * memory::block_bytes +
                        (std::uint64_t{v % memory::sectors_per_block} * 8 + random.below(8)) * memory::word_bytes);
  }
  return addresses;
}

bool forbidden(const LitmusCase& asked, memory::CacheOperator cache_operator) {
  if (asked.test->threads.size() == 1) return true;
  if (asked.test->variables == 1 && cache_operator != memory::CacheOperator::ca) return true;
  return asked.fence && (*asked.fence != trace::Scope::block || asked.placement == LitmusPlacement::one_core);
}

// On one machine, whose memory is 0 at first.
void run_some(const machine::MachineSpec& spec, const LitmusQuestion& question, std::uint64_t runs,
              RandomSequence& random, LitmusResult& result, WatchedSum& counted) {
  const LitmusTest& test = *result.asked.test;
  machine::Machine machine(spec);
  Run* running = nullptr;
  memory::Values values({[](void* self, const memory::Transaction& transaction) {
                           return (*static_cast<Run**>(self))->issued(transaction);
                         },
                         [](void* self, const memory::Transaction& transaction, const memory::Values::Words& words) {
                           (*static_cast<Run**>(self))->answered(transaction, words);
                         },
                         static_cast<void*>(&running)});
  machine.keep_values(values);
  const Watch watch(machine, question.statistics);
  std::uint64_t line = 0;
  for (std::uint64_t n = 0; n < runs; ++n) {
    const std::vector<std::uint64_t> addresses = draw_addresses(test.variables, line, random);
    std::vector<std::uint64_t> blocks;
    for (const std::uint64_t address : addresses) blocks.push_back(address / memory::block_bytes);
    const std::vector<std::uint32_t> cores = draw_cores(spec, result.asked.placement, test.threads.size(), random);
    // Some threads have read some variables before.
    for (const std::uint32_t core : cores)
      for (const std::uint64_t address : addresses)
        if (random.below(2) != 0) machine.touch(core, address, bytes, trace::Space::global, question.cache_operator);
    const std::uint64_t window = least_window_clk << random.below(7);
    Run run(test, addresses);
    running = &run;
    std::vector<std::unique_ptr<Thread>> threads;
    for (std::size_t t = 0; t < cores.size(); ++t) {
      const Time begin =
          machine.simulation().now() + machine.core_clock().cycles(static_cast<double>(random.below(window)));
      threads.push_back(std::make_unique<Thread>(machine, test.threads[t], addresses, blocks, question,
                                                 result.asked.fence, cores[t], begin));
      run.add(cores[t],
              machine.start(cores[t], *threads.back(), {[](void*, std::uint32_t, Duration, unsigned) {}, nullptr}),
              *threads.back());
    }
    machine.run();
    ++result.outcomes[run.registers()];
    result.weak += run.registers() == test.weak ? 1 : 0;
  }
  result.fingerprint = mix(result.fingerprint, machine.simulation().fingerprint());
  counted.add(watch);
}

}  // namespace

std::vector<LitmusCase> litmus_cases(const machine::MachineSpec& spec, const LitmusQuestion& question) {
  for (const std::string& name : question.tests)
    if (std::none_of(litmus_tests().begin(), litmus_tests().end(),
                     [&](const LitmusTest& test) { return test.name == name; })) {
      std::vector<std::string_view> names;
      for (const LitmusTest& test : litmus_tests()) names.push_back(test.name);
      throw InvalidRequest(fmt::format("there is no litmus test '{}': take {}", name, fmt::join(names, ", ")));
    }
  std::vector<LitmusCase> cases;
  for (const LitmusTest& test : litmus_tests()) {
    if (!question.tests.empty() &&
        std::find(question.tests.begin(), question.tests.end(), test.name) == question.tests.end())
      continue;
    for (const LitmusPlacement placement :
         {LitmusPlacement::one_core, LitmusPlacement::one_die, LitmusPlacement::two_dies}) {
      if (test.threads.size() == 1 && placement != LitmusPlacement::one_core) continue;
      if (placement == LitmusPlacement::one_core && spec.core.warps < test.threads.size()) continue;
      if (placement == LitmusPlacement::one_die && spec.dies.cores_per_die < test.threads.size()) continue;
      // Every second thread is on the first of the dies.
      if (placement == LitmusPlacement::two_dies &&
          (dies_of(spec) < 2 || spec.dies.cores_per_die < (test.threads.size() + 1) / 2))
        continue;
      cases.push_back({&test, std::nullopt, placement});
      for (const trace::Scope scope : {trace::Scope::block, trace::Scope::gpu, trace::Scope::system})
        cases.push_back({&test, scope, placement});
    }
  }
  return cases;
}

LitmusResult run_litmus(const machine::MachineSpec& spec, const LitmusQuestion& question, const LitmusCase& asked) {
  const std::uint64_t most_bytes =
      std::min(runs_a_machine, question.runs) * asked.test->variables * most_gap * memory::block_bytes +
      memory::block_bytes;
  if (most_bytes > (machine::has_domains(spec) ? machine::memory_of_die(spec) : spec.memory.size).value)
    throw InvalidRequest(
        fmt::format("{} runs take up to {} bytes of memory, and {} has {}", std::min(runs_a_machine, question.runs),
                    most_bytes, spec.name, spec.memory.size.value),
        {"memory.size"}, "use fewer --runs");
  LitmusResult result;
  result.asked = asked;
  result.allowed = !forbidden(asked, question.cache_operator);
  const std::uint64_t number = static_cast<std::uint64_t>(asked.test - litmus_tests().data()) * 64 +
                               static_cast<std::uint64_t>(asked.placement) * 8 +
                               (asked.fence ? static_cast<std::uint64_t>(*asked.fence) + 1 : 0);
  RandomSequence random(mix(question.seed, number));
  WatchedSum counted;
  for (std::uint64_t done = 0; done < question.runs; done += runs_a_machine)
    run_some(spec, question, std::min(runs_a_machine, question.runs - done), random, result, counted);
  result.statistics = counted.rows(question.statistics);
  for (const auto& [registers, count] : result.outcomes) {
    for (const std::uint64_t value : registers) result.fingerprint = mix(result.fingerprint, value);
    result.fingerprint = mix(result.fingerprint, count);
  }
  return result;
}

}  // namespace strata::study
