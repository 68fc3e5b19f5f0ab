// SPDX-License-Identifier: Apache-2.0
// A core on a bench: a memory that answers every request after a fixed time, a
// warp that plays a list of instructions, and an ear for completions.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "compute/core.hpp"

namespace strata::compute::test {

/// 1 cycle = 1000 ticks.
inline const engine::Clock clock{Duration{1000}};

/// Answers each request `latency` cycles after it left the address path. Accepts all requests,
/// or those for which its port has entries.
struct Memory {
  struct Request {
    std::uint64_t block;
    memory::SectorMask sectors;
    Time ready;
    std::uint32_t warp;
    bool returns_old;
  };
  engine::Simulation& simulation;
  double latency;
  std::uint8_t level;
  std::vector<Request> requests{};
  engine::Port* port = nullptr;
  engine::Handler arrival = engine::handler<&Memory::arrive>(*this);

  void arrive(memory::Transaction& transaction) { answer(transaction, simulation.now()); }
  void answer(memory::Transaction& transaction, Time ready) {
    requests.push_back(
        {transaction.virtual_block, transaction.wanted, ready, transaction.warp, transaction.returns_old});
    transaction.serviced_level = level;
    transaction.answer(simulation, ready + clock.cycles(latency));
  }
  Outlet outlet() {
    return {[](void* self, memory::Transaction& transaction, Time departs, Duration way) {
              auto& memory = *static_cast<Memory*>(self);
              if (memory.port == nullptr) return memory.answer(transaction, departs + way);
              memory.port->send(transaction, departs, Duration{}, way);
            },
            this, port};
  }
};

class Script final : public trace::WarpStream {
 public:
  explicit Script(std::vector<trace::Instruction> instructions) : left_(std::move(instructions)) {}
  bool next(trace::Instruction& instruction) override {
    if (at_ == left_.size()) return false;
    instruction = left_[at_++];
    return true;
  }

 private:
  std::vector<trace::Instruction> left_;
  std::size_t at_ = 0;
};

struct Completion {
  std::uint32_t core;
  double cycles;
  unsigned served_by;
};

/// 8 lanes a pass; issue to first request: 3 cycles for one lane, 10 for
/// several, 2 more for each further pass, a request every 1 cycle.
inline CoreSpec small_core() {
  using namespace literals;
  CoreSpec spec;
  spec.name = "core";
  spec.load_store.lanes_per_pass = 8;
  spec.load_store.scalar_address = 3_clk;
  spec.load_store.vector_address = 10_clk;
  spec.load_store.per_extra_pass = 2_clk;
  spec.load_store.per_line = 1_clk;
  spec.shared_memory.size = 64_KiB;
  spec.shared_memory.latency = 20_clk;
  return spec;
}

struct Bench {
  /// Capacity in lines of the memory behind the global outlet; 0: no bound.
  explicit Bench(const CoreSpec& spec, double latency = 100, std::uint32_t room = 0)
      : global{simulation, latency, 1},
        scalar{simulation, latency / 2, 2},
        texture{simulation, latency * 2, 3},
        core(simulation, spec, clock, 7, 2, pool, stages) {
    if (room > 0) {
      port = std::make_unique<engine::Port>(simulation, "memory", global.arrival, Duration{}, room);
      global.port = port.get();
    }
    core.connect({global.outlet(), scalar.outlet(), texture.outlet(), {}});
    core.listen({[](void* self, std::uint32_t index, Duration took, unsigned served_by) {
                   static_cast<Bench*>(self)->completions.push_back({index, clock.count(took), served_by});
                 },
                 this});
  }
  /// Runs warps that begin at time 0; cycles until all is done.
  double run(std::vector<Script>& warps) {
    for (Script& warp : warps) core.start(warp, Time{});
    simulation.run();
    return clock.count(simulation.now() - Time{});
  }
  double run(std::vector<trace::Instruction> instructions) {
    std::vector<Script> warps;
    warps.emplace_back(std::move(instructions));
    return run(warps);
  }

  engine::Simulation simulation{Duration{500}};
  memory::StageNames stages;
  engine::Pool<memory::Transaction> pool;
  Memory global, scalar, texture;
  Core core;
  std::unique_ptr<engine::Port> port;
  std::vector<Completion> completions;
};

/// Lanes `stride` bytes apart from `address`.
inline trace::Instruction load(std::uint64_t address, unsigned lanes = 1, std::uint64_t stride = 0) {
  trace::Instruction instruction;
  instruction.bytes_per_lane = 4;
  instruction.lanes = static_cast<std::uint8_t>(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) instruction.addresses[lane] = address + lane * stride;
  return instruction;
}

inline trace::Instruction store(std::uint64_t address, unsigned lanes = 1, std::uint64_t stride = 0) {
  trace::Instruction instruction = load(address, lanes, stride);
  instruction.operation = memory::Operation::store;
  instruction.dependent = false;
  return instruction;
}

/// To and from registers, independent otherwise.
inline trace::Instruction into(std::uint8_t destination, trace::Instruction instruction) {
  instruction.dependent = false;
  instruction.destination = destination;
  return instruction;
}
inline trace::Instruction from(std::uint8_t source, trace::Instruction instruction) {
  instruction.dependent = false;
  instruction.sources[0] = source;
  return instruction;
}

inline trace::Instruction independent(trace::Instruction instruction) {
  instruction.dependent = false;
  return instruction;
}

}  // namespace strata::compute::test
