// SPDX-License-Identifier: Apache-2.0
// Rules of the execution model that need a whole machine: blocks and cores, atomics and the
// level that performs them.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

// Warps of a block execute the same instructions; their number is that of the block.
class Counted final : public trace::Kernel {
 public:
  Counted(std::uint32_t blocks, std::uint32_t warps, trace::Instruction instruction) : instruction_(instruction) {
    info_.name = "counted";
    info_.grid = {blocks, 1, 1};
    info_.block = {warps * 32, 1, 1};
  }
  static std::uint64_t length(std::uint64_t block) { return 5 + block * block % 37; }
  const trace::KernelInfo& info() const override { return info_; }
  std::unique_ptr<trace::BlockStreams> open(std::uint64_t number) override {
    return std::make_unique<Block>(info_.warps_per_block(), length(number), instruction_);
  }

 private:
  class Stream final : public trace::WarpStream {
   public:
    Stream(std::uint64_t left, const trace::Instruction& instruction) : left_(left), instruction_(instruction) {}
    bool next(trace::Instruction& instruction) override {
      if (left_ == 0) return false;
      --left_;
      instruction = instruction_;
      return true;
    }

   private:
    std::uint64_t left_;
    trace::Instruction instruction_;
  };
  class Block final : public trace::BlockStreams {
   public:
    Block(std::uint32_t warps, std::uint64_t length, const trace::Instruction& instruction) {
      for (std::uint32_t w = 0; w < warps; ++w) streams_.push_back(std::make_unique<Stream>(length, instruction));
    }
    trace::WarpStream& warp(std::uint32_t number) override { return *streams_[number]; }

   private:
    std::vector<std::unique_ptr<Stream>> streams_;
  };
  trace::KernelInfo info_;
  trace::Instruction instruction_;
};

trace::Instruction arithmetic() {
  trace::Instruction instruction;
  instruction.op_class = trace::OpClass::fp32;
  instruction.dependent = false;
  instruction.destination = instruction.sources[0] = 5;
  instruction.lanes = 32;
  return instruction;
}

struct Watched {
  struct Stay {
    std::uint32_t core = 0;
    Time begins{}, ended{};
  };
  std::map<std::uint64_t, Stay> stays;
  BlockWatcher watcher() {
    return {[](void* self, std::uint64_t block, std::uint32_t core, Time t) {
              auto& all = static_cast<Watched*>(self)->stays;
              CHECK(all.insert({block, {core, t, {}}}).second);
            },
            [](void* self, std::uint64_t block, std::uint32_t core, Time t) {
              Stay& stay = static_cast<Watched*>(self)->stays.at(block);
              CHECK(stay.core == core);
              stay.ended = t;
            },
            this};
  }
};

/// Its L2 performs atomics, with this number of passes per clock of each slice.
MachineSpec with_atomics(double passes_per_clock) {
  MachineSpec spec = monolithic();
  spec.l2.cache.performs_atomics = true;
  spec.l2.cache.write_policy = cache::WritePolicy::write_back;
  spec.l2.cache.write_allocate = cache::WriteAllocate::sector;
  spec.l2.cache.atomic_passes_per_clock = passes_per_clock;
  return spec;
}

}  // namespace

TEST_CASE("CU-01: blocks_go_to_cores_that_hold_them_each_whole_and_a_new_one_as_one_ends") {
  constexpr std::uint32_t blocks = 60;
  constexpr std::uint32_t warps = 3;
  MachineSpec spec = monolithic();
  spec.core.warps = 8;  // two blocks of three warps
  Machine machine(spec);
  Counted kernel(blocks, warps, arithmetic());
  Watched watched;
  Dispatcher dispatcher(machine, kernel, "", {});
  dispatcher.watch(watched.watcher());
  dispatcher.launch();
  REQUIRE(machine.run());
  REQUIRE(watched.stays.size() == blocks);
  REQUIRE(dispatcher.occupancy().blocks == 2);
  const std::uint64_t cores = spec.dies.cores_per_die;
  // All cores at once, two blocks each, before any is used again.
  std::map<std::uint32_t, std::uint64_t> first;
  for (std::uint64_t block = 0; block < 2 * cores; ++block) ++first[watched.stays.at(block).core];
  CHECK(first.size() == cores);
  for (const auto& [core, count] : first) CHECK(count == 2);
  std::map<std::uint32_t, std::uint64_t> expected;
  for (const auto& [block, stay] : watched.stays) {
    expected[stay.core] += warps * Counted::length(block);
    // Never more than two at once, and each further one begins as another of that core ends.
    std::uint64_t together = 0;
    bool follows = block < 2 * cores;
    for (const auto& [other, with] : watched.stays) {
      if (with.core != stay.core) continue;
      if (with.begins <= stay.begins && stay.begins < with.ended) ++together;
      if (other != block && with.ended == stay.begins) follows = true;
    }
    CHECK(together <= 2);
    CHECK(follows);
  }
  // All warps of a block on its core: each core has issued what its blocks have.
  const stats::Snapshot done = machine.meter().snapshot();
  for (const stats::Figure& figure : done.figures())
    for (const auto& [core, count] : expected)
      if (figure.path == "core " + std::to_string(core) + "/issued") CHECK(figure.value == count);
}

TEST_CASE("CU-10: atomics_to_one_global_location_are_all_performed_one_after_the_other") {
  const MachineSpec spec = with_atomics(0.25);
  Machine machine(spec);
  trace::Instruction atomic;
  atomic.operation = memory::Operation::atomic;
  atomic.bytes_per_lane = 4;
  atomic.lanes = 1;
  atomic.addresses[0] = 0x1000;
  Counted kernel(8, 2, atomic);
  Dispatcher dispatcher(machine, kernel, "", {});
  dispatcher.launch();
  REQUIRE(machine.run());
  std::uint64_t asked = 0;
  for (std::uint64_t block = 0; block < 8; ++block) asked += 2 * Counted::length(block);
  std::uint64_t performed = 0;
  const stats::Snapshot snapshot = machine.meter().snapshot();
  for (const stats::Figure& figure : snapshot.figures())
    if (figure.path.ends_with("/atomics performed")) performed += figure.value;
  CHECK(performed == asked);
  // Four L2 clocks each, of 1.25 ns.
  const double took = machine.timebase().to_nanoseconds(dispatcher.ended() - dispatcher.launched());
  CHECK(took >= static_cast<double>(asked) * 4 * 1.25);
}

TEST_CASE("CU-10: lanes_of_a_warp_on_one_global_word_take_turns_and_on_a_line_a_turn_a_sector") {
  const MachineSpec spec = with_atomics(0.5);
  const auto run = [&](std::uint64_t step) {
    Machine machine(spec);
    trace::Instruction atomic;
    atomic.operation = memory::Operation::atomic;
    atomic.bytes_per_lane = 4;
    atomic.lanes = 32;
    for (unsigned lane = 0; lane < 32; ++lane) atomic.addresses[lane] = 0x1000 + lane * step;
    Counted kernel(8, 2, atomic);
    Dispatcher dispatcher(machine, kernel, "", {});
    dispatcher.launch();
    REQUIRE(machine.run());
    std::uint64_t performed = 0, passes = 0;
    const stats::Snapshot snapshot = machine.meter().snapshot();
    for (const stats::Figure& figure : snapshot.figures()) {
      if (figure.path.ends_with("/atomics performed")) performed += figure.value;
      if (figure.path.ends_with("/atomic passes")) passes += figure.value;
    }
    const double ns = machine.timebase().to_nanoseconds(dispatcher.ended() - dispatcher.launched());
    return std::tuple(performed, passes, ns);
  };
  std::uint64_t warps = 0;
  for (std::uint64_t block = 0; block < 8; ++block) warps += 2 * Counted::length(block);
  const auto [word_requests, word_passes, word_ns] = run(0);
  const auto [line_requests, line_passes, line_ns] = run(4);
  CHECK(word_requests == warps);
  CHECK(line_requests == warps);
  CHECK(word_passes == warps * 32);
  CHECK(line_passes == warps * 4);
  // Two L2 clocks per pass, of 1.25 ns, and all of them on the unit of one slice.
  CHECK(word_ns >= static_cast<double>(warps * 32) * 2 * 1.25);
  CHECK(line_ns >= static_cast<double>(warps * 4) * 2 * 1.25);
  CHECK(line_ns < static_cast<double>(warps * 32) * 2 * 1.25);
}

}  // namespace strata::machine::test
