// SPDX-License-Identifier: Apache-2.0
// Thread blocks on the bench, each a list of instructions for each of its warps.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {

using trace::OpClass;

inline trace::Instruction op(OpClass op_class, std::uint8_t destination = 0, std::uint8_t source = 0) {
  trace::Instruction instruction;
  instruction.op_class = op_class;
  instruction.dependent = false;
  instruction.destination = destination;
  instruction.sources[0] = source;
  instruction.lanes = 32;
  return instruction;
}

class Block final : public trace::BlockStreams {
 public:
  explicit Block(std::vector<std::vector<trace::Instruction>> warps) {
    for (auto& instructions : warps) scripts_.push_back(std::make_unique<Script>(std::move(instructions)));
  }
  trace::WarpStream& warp(std::uint32_t number) override { return *scripts_[number]; }

 private:
  std::vector<std::unique_ptr<Script>> scripts_;
};

/// Runs one block; cycles until its last warp has ended.
inline double run_block(Bench& bench, std::vector<std::vector<trace::Instruction>> warps) {
  const auto count = static_cast<std::uint32_t>(warps.size());
  Time left{};
  struct Ear {
    Bench& bench;
    Time& left;
  } ear{bench, left};
  bench.core.start_block(std::make_unique<Block>(std::move(warps)), count, Time{}, Time{},
                         {[](void* self, std::uint32_t core, std::uint64_t block) {
                            auto& heard = *static_cast<Ear*>(self);
                            CHECK(core == 7);
                            CHECK(block == 3);
                            heard.left = heard.bench.simulation.now();
                          },
                          &ear, 3});
  bench.simulation.run();
  CHECK(bench.core.running() == 0);
  return clock.count(left - Time{});
}

}  // namespace strata::compute::test
