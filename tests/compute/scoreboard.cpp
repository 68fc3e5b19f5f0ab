// SPDX-License-Identifier: Apache-2.0
#include "compute/scoreboard.hpp"

#include "catch.hpp"

using namespace strata;
using compute::Scoreboard;

namespace {

struct Registers {
  std::uint8_t first;
  std::uint8_t count;
};

trace::Instruction reading(Registers source, Registers result = {0, 1}) {
  trace::Instruction next;
  next.destination = result.first;
  next.destination_count = result.count;
  next.sources = {0, 0, source.first, 0};
  next.source_counts = {1, 1, source.count, 1};
  return next;
}

}  // namespace

TEST_CASE("an_instruction_awaits_the_registers_that_accesses_fill") {
  for (const Registers filled : {Registers{1, 1}, {63, 4}, {192, 64}, {255, 1}}) {
    CAPTURE(unsigned{filled.first}, unsigned{filled.count});
    Scoreboard registers;
    registers.begin_access(filled.first, filled.count);
    CHECK_FALSE(registers.idle());
    for (unsigned n = 1; n < 256; ++n) {
      const bool in = n >= filled.first && n < unsigned{filled.first} + filled.count;
      const auto number = static_cast<std::uint8_t>(n);
      CHECK(registers.awaits_access(reading({number, 1})) == in);
      CHECK(registers.awaits_access(reading({0, 1}, {number, 1})) == in);
      CHECK(registers.awaits_access(reading({number, 2})) == (in || n + 1 == filled.first));
      CHECK(registers.awaits_access(reading({0, 1}, {number, 2})) == (in || n + 1 == filled.first));
    }
    registers.end_access(filled.first, filled.count);
    CHECK(registers.idle());
    CHECK_FALSE(registers.awaits_access(reading({filled.first, filled.count})));
  }
}

TEST_CASE("register_0_is_none") {
  Scoreboard registers;
  registers.begin_access(0, 4);
  CHECK(registers.idle());
  registers.begin_access(2, 1);
  registers.end_access(0, 4);  // of a store, or of a load that no register takes
  CHECK(registers.awaits_access(reading({2, 1})));
  registers.result(0, 4, Time{90});
  CHECK(registers.results_there(reading({1, 3})) == Time{});
}

TEST_CASE("a_result_is_there_when_its_last_register_is") {
  Scoreboard registers;
  CHECK(registers.results_there(reading({8, 4})) == Time{});
  registers.result(8, 1, Time{30});
  registers.result(10, 2, Time{50});
  CHECK(registers.results_there(reading({8, 1})) == Time{30});
  CHECK(registers.results_there(reading({8, 2})) == Time{30});
  CHECK(registers.results_there(reading({8, 4})) == Time{50});
  CHECK(registers.results_there(reading({0, 1}, {10, 1})) == Time{});  // what it overwrites does not matter
  CHECK_FALSE(registers.awaits_access(reading({8, 4})));
  registers.clear();
  CHECK(registers.results_there(reading({8, 4})) == Time{});
}
