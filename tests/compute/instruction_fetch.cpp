// SPDX-License-Identifier: Apache-2.0
// When a core asks for code, for what, and how long its warps wait for it.
#include <set>
#include <vector>

#include "catch.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {
namespace {

/// Answers each request after 40 cycles, and has its line from then on.
struct CodeMemory {
  engine::Simulation& simulation;
  std::set<std::uint64_t> held{};             ///< by address
  std::vector<std::uint64_t> looked_up{};     ///< addresses
  std::vector<memory::SectorMask> sectors{};  ///< of requests

  static std::uint64_t address(const memory::Transaction& request) {
    const auto first = static_cast<std::uint64_t>(std::countr_zero(unsigned{request.wanted}));
    return request.virtual_block * memory::block_bytes + first * memory::sector_bytes;
  }
  CodeSource source(Bytes line) {
    return {[](void* self, memory::Transaction& request) {
              auto& code = *static_cast<CodeMemory*>(self);
              code.looked_up.push_back(address(request));
              return code.held.contains(address(request));
            },
            [](void* self, memory::Transaction& request) {
              auto& code = *static_cast<CodeMemory*>(self);
              code.sectors.push_back(request.wanted);
              code.held.insert(address(request));
              request.answer(code.simulation, code.simulation.now() + clock.cycles(40));
            },
            this, line};
  }
};

trace::Instruction at(std::uint32_t pc) {
  trace::Instruction instruction;
  instruction.op_class = trace::OpClass::fp32;
  instruction.dependent = false;
  instruction.pc = pc;
  return instruction;
}

double stalled_for_code(const Bench& bench) {
  return clock.count(bench.core.statistics().stalled[static_cast<std::size_t>(Stall::instruction)]);
}

}  // namespace

TEST_CASE("a_warp_asks_for_code_when_it_comes_to_another_line") {
  Bench bench(small_core());
  CodeMemory code{bench.simulation};
  bench.core.connect(code.source(Bytes{64}));
  // Two lines, back to the first, and two instructions of which the place is not known.
  const double took = bench.run({at(0), at(8), at(56), at(64), at(0), at(trace::no_pc), at(trace::no_pc), at(16)});
  CHECK(code.looked_up == std::vector<std::uint64_t>{0, 64, 0, 0});
  CHECK(code.sectors == std::vector<memory::SectorMask>{0x3, 0xC});
  CHECK(stalled_for_code(bench) == 2 * 40);
  // The second wait begins with an issue, whose interval it hides.
  Bench all_there(small_core());
  CHECK(took == 2 * 40 + all_there.run(std::vector<trace::Instruction>(8, at(trace::no_pc))) - 1);
}

TEST_CASE("a_line_of_code_has_the_sectors_of_its_length") {
  for (const auto& [line, sectors] : {std::pair{32, 0x8}, std::pair{64, 0xC}, std::pair{128, 0xF}}) {
    Bench bench(small_core());
    CodeMemory code{bench.simulation};
    bench.core.connect(code.source(Bytes{static_cast<std::uint64_t>(line)}));
    bench.run({at(128 + 112)});
    CHECK(code.sectors == std::vector<memory::SectorMask>{static_cast<memory::SectorMask>(sectors)});
  }
}

TEST_CASE("each_warp_begins_without_a_line_of_code") {
  Bench bench(small_core());
  CodeMemory code{bench.simulation};
  bench.core.connect(code.source(Bytes{128}));
  std::vector<Script> warps;
  for (int warp = 0; warp < 3; ++warp) warps.emplace_back(std::vector{at(0), at(16)});
  bench.run(warps);
  CHECK(code.looked_up.size() == 3);
  CHECK(bench.pool.alive() == 0);
}

TEST_CASE("without_an_instruction_cache_no_code_is_asked_for") {
  Bench with(small_core()), without(small_core());
  const std::vector<trace::Instruction> far_apart{at(0), at(1U << 20U), at(1U << 30U)};
  const std::vector<trace::Instruction> unknown(3, at(trace::no_pc));
  CHECK(with.run(far_apart) == without.run(unknown));
  CHECK(stalled_for_code(with) == 0);
}

}  // namespace strata::compute::test
