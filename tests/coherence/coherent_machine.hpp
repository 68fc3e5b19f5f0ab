// SPDX-License-Identifier: Apache-2.0
// The tiny machine of eight compute dies with a probe filter, and single accesses on it.
#pragma once
#include <cstdint>
#include <string>

#include "machine/tiny_machine.hpp"
#include "memory/values.hpp"

namespace strata::test {

/// Atomics at the memory side. The filter has 8 slices, each of so many lines in sets of four.
inline machine::MachineSpec coherent_chiplets(std::uint64_t lines_of_slice = 8) {
  machine::MachineSpec spec = machine::test::chiplets();
  spec.l2.cache.performs_atomics = false;
  spec.memory_side_cache->cache.performs_atomics = true;
  spec.memory_side_cache->probe_filter.emplace(
      cache::ProbeFilterSpec{Bytes{lines_of_slice * 8 * memory::block_bytes}, 4, Cycles{7}});
  return spec;
}

inline std::uint64_t counted(machine::Machine& machine, const std::string& what) {
  std::uint64_t sum = 0;
  const stats::Snapshot snapshot = machine.meter().snapshot();
  for (const stats::Figure& figure : snapshot.figures())
    if (figure.path.ends_with("/" + what)) sum += figure.value;
  return sum;
}

/// One access of a word at a time, each when all before is done.
class SingleAccesses {
 public:
  explicit SingleAccesses(const machine::MachineSpec& spec)
      : machine_(spec),
        values_({[](void* self, const memory::Transaction&) { return static_cast<SingleAccesses*>(self)->operand_; },
                 [](void* self, const memory::Transaction&, const memory::Words& words) {
                   static_cast<SingleAccesses*>(self)->words_ = words;
                 },
                 this}) {
    machine_.keep_values(values_);
  }
  machine::Machine& machine() { return machine_; }

  /// The word before it.
  memory::Word add(std::uint32_t core, std::uint64_t address, memory::Word value = 1) {
    return access(core, address, memory::Operation::atomic, memory::CacheOperator::ca, value);
  }
  memory::Word load(std::uint32_t core, std::uint64_t address,
                    memory::CacheOperator cache_operator = memory::CacheOperator::cv) {
    return access(core, address, memory::Operation::load, cache_operator, 0);
  }
  void store(std::uint32_t core, std::uint64_t address, memory::Word value) {
    access(core, address, memory::Operation::store, memory::CacheOperator::ca, value);
  }
  /// Of the last load or atomic.
  Duration latency() const { return latency_; }

 private:
  memory::Word access(std::uint32_t core, std::uint64_t address, memory::Operation operation,
                      memory::CacheOperator cache_operator, memory::Word value) {
    const std::uint64_t word = address % memory::block_bytes / memory::word_bytes;
    operand_.value = value;
    operand_.words = memory::WordMask{1} << word;
    trace::Instruction pattern;
    pattern.bytes_per_lane = 4;
    pattern.operation = operation;
    pattern.cache_operator = cache_operator;
    trace::PointerChase one({address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
    machine_.start(core, one,
                   {[](void* self, std::uint32_t, Duration latency, unsigned) {
                      static_cast<SingleAccesses*>(self)->latency_ = latency;
                    },
                    this});
    machine_.run();
    return words_[word];
  }

  memory::Operand operand_;
  memory::Words words_{};
  Duration latency_{};
  machine::Machine machine_;
  memory::Values values_;
};

}  // namespace strata::test
