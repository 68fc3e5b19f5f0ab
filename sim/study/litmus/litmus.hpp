// SPDX-License-Identifier: Apache-2.0
// The question "what may one thread see of the stores of others?": litmus tests, of two to four threads
// of a few loads, stores and fences each, run many times over drawn cores, addresses, delays and contents of caches
// on a machine whose memory has values (memory/values.hpp). Each test has one outcome that a
// sequentially consistent machine never shows. It is forbidden where sequentially consistent fences stand between
// relaxed accesses and their scope takes in all threads (Lustig, Sahasrabuddhe,
// Giroux: A Formal Analysis of the NVIDIA PTX Memory Consistency Model, ASPLOS 2019; LLVM,
// User Guide for AMDGPU, memory model of gfx942); without fences the accesses count as ordinary ones.
//
// A fence waits until the accesses of its warp are answered (a release), writes back what other dies could
// not see, and invalidates what stores of others do not reach (an acquire).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/spec.hpp"
#include "stats/collector.hpp"
#include "trace/instruction.hpp"

namespace strata::study {

/// Where the threads of a run are.
enum class LitmusPlacement : std::uint8_t { one_core, one_die, two_dies };

struct LitmusOperation {
  enum class Kind : std::uint8_t { load, store, fence } kind = Kind::load;
  std::uint32_t variable = 0;  ///< of a load or a store
  std::uint64_t value = 0;     ///< of a store
};

struct LitmusTest {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::vector<LitmusOperation>> threads;  ///< loads fill registers r0, r1, ... in this order
  std::uint32_t variables = 0;
  std::vector<std::uint64_t> weak;  ///< registers of the outcome that is not sequentially consistent
};

/// All of them.
std::span<const LitmusTest> litmus_tests();

struct LitmusQuestion {
  std::vector<std::string> tests;  ///< by name; empty: all
  std::uint64_t runs = 256;        ///< of each test, fence and placement
  std::uint64_t seed = 1;
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  stats::Detail statistics = stats::Detail::none;
};

/// A test with one kind of fence and one placement.
struct LitmusCase {
  const LitmusTest* test = nullptr;
  std::optional<trace::Scope> fence;  ///< none: the fences are left out
  LitmusPlacement placement = LitmusPlacement::two_dies;
};

struct LitmusResult {
  LitmusCase asked;
  std::map<std::vector<std::uint64_t>, std::uint64_t> outcomes;  ///< registers, and how often
  std::uint64_t weak = 0;                                        ///< runs with the weak outcome
  bool allowed = false;                                          ///< by the memory model
  std::uint64_t fingerprint = 0;
  std::vector<stats::Statistic> statistics;  ///< of all runs, where they were asked for
  bool passed() const { return allowed || weak == 0; }
};

std::string_view name_of(LitmusPlacement placement);

/// The cases that a machine has, in order. Throws InvalidRequest for a test that there is not.
std::vector<LitmusCase> litmus_cases(const machine::MachineSpec& spec, const LitmusQuestion& question);

/// One of them. Throws InvalidRequest where the machine cannot keep values.
LitmusResult run_litmus(const machine::MachineSpec& spec, const LitmusQuestion& question, const LitmusCase& asked);

}  // namespace strata::study
