// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/described.hpp"

#include <set>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "warps.hpp"

using namespace strata::test;

namespace {
const char* const example = R"(name: halve
blocks: 4
threads: 64
loop: 3
arrays:
- {name: a, size: 64 KiB}
- {name: b, size: 1 KiB}
- {name: s, size: 512 B, shared: true}
body:
- {op: load, array: a, width: 8, to: x}
- {op: fp32, from: [x], to: x, count: 5, flops: 2}
- {op: store, array: s, from: [x], pattern: blocked}
- {op: barrier}
- {op: load, array: a, pattern: stride, stride: 256 B, to: y, past_l1: true}
- {op: store, array: b, width: 8, from: [x]}
- {op: atomic, array: b, from: [y], pattern: same}
)";
std::unique_ptr<strata::trace::Kernel> read(const std::string& text) {
  return strata::kernels::read_kernel({text, "k.yaml"}, {32, 1});
}
}  // namespace

TEST_CASE("a_described_kernel_accesses_the_elements_of_its_patterns") {
  const auto kernel = read(example);
  CHECK(kernel->info().name == "halve");
  CHECK(kernel->info().shared_bytes == 512);
  const std::uint64_t a = 2U << 20U, b = a + 65536;
  const std::uint64_t bx = 2, tx = 40, t = bx * 64 + tx;
  std::vector<LaneAccess> expected;
  for (std::uint64_t i = 0; i < 3; ++i) {
    expected.push_back(ld(a + (i * 256 + t) % 8192 * 8, 8));
    expected.push_back(ld(a + (t * 256 + i * 4) % 65536));
    expected.push_back(st(b + (i * 256 + t) % 128 * 8, 8));
    expected.push_back({strata::memory::Operation::atomic, Space::global, b + i * 4, 4});
  }
  CHECK(global_accesses(*kernel, bx, tx) == expected);
  const auto instructions = instructions_of(*kernel, bx, 1);
  CHECK(instructions.size() == 3 * (7 + 1) + 1);
  CHECK(instructions[1].repeat == 5);
  CHECK(instructions[1].sources[0] == instructions[0].destination);
  CHECK(instructions[2].space == Space::shared);
  CHECK(instructions[2].address(8) == (32 + 8) * 3 % 128 * 4);  // thread 40 of the block
  CHECK(instructions[4].cache_operator == strata::memory::CacheOperator::cg);
}

TEST_CASE("an_offset_finds_a_neighbour_and_wraps_around") {
  const auto kernel = read(R"(name: neighbours
blocks: 4
threads: 64
arrays:
- {name: a, size: 1 KiB}
body:
- {op: load, array: a, offset: -1}
- {op: load, array: a, offset: 257}
)");
  const std::uint64_t a = 2U << 20U;
  CHECK(global_accesses(*kernel, 0, 0) == std::vector<LaneAccess>{ld(a + 255 * 4), ld(a + 4)});
  CHECK(global_accesses(*kernel, 3, 63) == std::vector<LaneAccess>{ld(a + 254 * 4), ld(a)});
}

TEST_CASE("random_runs_are_adjacent_words_and_drawn_from_the_whole_array") {
  const auto kernel = read(R"(name: rows
blocks: 4
threads: 64
loop: 8
arrays:
- {name: a, size: 1 MiB}
body:
- {op: load, array: a, width: 16, pattern: random, run: 8}
)");
  const std::uint64_t a = 2U << 20U;
  std::set<std::uint64_t> runs;
  for (std::uint32_t tx = 0; tx < 64; ++tx) {
    const auto accesses = global_accesses(*kernel, 1, tx);
    const auto first = global_accesses(*kernel, 1, tx / 8 * 8);
    REQUIRE(accesses.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
      CHECK(first[i].address % 128 == 0);
      CHECK(accesses[i].address == first[i].address + tx % 8 * 16);
      CHECK(accesses[i].address - a < (1U << 20U));
      runs.insert(first[i].address);
    }
  }
  // 64 draws of 8192: a pair of them agrees in one of four cases.
  CHECK(runs.size() >= 62);
}

TEST_CASE("errors_of_a_described_kernel_name_their_place") {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string text = example;
    text.replace(text.find(from), from.size(), to);
    try {
      read(text);
    } catch (const strata::InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(error("op: fp32", "op: fp33").find("k.yaml:11:") == 0);
  CHECK(error("array: s", "array: t").find("'t' that is not described") != std::string::npos);
  CHECK(error("{op: barrier}", "{op: barrier, array: a}").find("must have an array if and only if it is an access") !=
        std::string::npos);
  CHECK(error("threads: 64", "threads: 4096").find("k.yaml:3:") == 0);
  CHECK(error("loop: 3", "lop: 3").find("did you mean 'loop'?") != std::string::npos);
}
