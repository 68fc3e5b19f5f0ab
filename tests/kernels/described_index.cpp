// SPDX-License-Identifier: Apache-2.0
// Kernel files with expressions: the accesses of each lane, and refusals.
#include <set>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "catch.hpp"
#include "kernels/described/described.hpp"
#include "warps.hpp"

using namespace strata::test;

namespace {
constexpr std::uint64_t a = 2U << 20U;  // where the first array lies

std::unique_ptr<strata::trace::Kernel> read(const std::string& text, const std::vector<std::string>& settings = {}) {
  return strata::kernels::read_kernel({text, "k.yaml"}, {32, 1}, settings);
}
// Of a file, or of executing all of it.
std::string error_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  try {
    totals_of(*read(text, settings));
  } catch (const strata::InputError& error) {
    return error.what();
  }
  return "none";
}
// A kernel of one warp, with that body from line 5 on.
std::string with_body(const std::string& body) {
  return "name: k\nthreads: 32\narrays: [{name: a, size: 4 KiB}, {name: s, size: 1 KiB, shared: true}]\nbody:\n" + body;
}
bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("an_index_is_the_element_by_block_thread_and_lane") {
  const auto kernel = read(R"(name: k
blocks: 3
blocks_y: 2
threads: 24
threads_y: 4
arrays: [{name: a, size: 64 KiB}]
body:
- {op: load, array: a, index: block * 100 + thread}
- {op: load, array: a, width: 8, index: (block_y * 3 + block_x) * 96 + thread_y * 24 + thread_x}
- {op: store, array: a, index: warp * 32 + lane + blocks * threads}
- {op: load, array: a, index: thread_y * 1000 + thread_x * thread_x}
- {op: load, array: a, index: 2000 - thread}
)");
  CHECK(kernel->info().blocks() == 6);
  CHECK(kernel->info().threads_per_block() == 96);
  for (const std::uint64_t block : {0U, 4U}) {
    for (const std::uint32_t thread : {0U, 23U, 24U, 40U, 95U}) {
      const std::uint64_t x = thread % 24, y = thread / 24;
      const std::vector<LaneAccess> expected{ld(a + (block * 100 + thread) * 4), ld(a + (block * 96 + thread) * 8, 8),
                                             st(a + (thread + 6 * 96) * 4), ld(a + (y * 1000 + x * x) * 4),
                                             ld(a + (2000 - thread) * 4)};
      CHECK(global_accesses(*kernel, block, thread) == expected);
    }
  }
  const auto instructions = instructions_of(*kernel, 0, 0);
  CHECK(instructions[0].strided);
  CHECK_FALSE(instructions[3].strided);
}

TEST_CASE("conditions_mask_lanes") {
  const auto kernel = read(with_body(R"(- {op: load, array: a, when: lane % 4 == 1, index: lane - 1}
- {op: fp32, when: lane < 5, flops: 3}
- {op: load, array: a, when: lane > 40, index: -1}
- {op: load, array: a, index: 7}
)"));
  const auto instructions = instructions_of(*kernel, 0, 0);
  REQUIRE(instructions.size() == 6);  // and a branch and an exit
  CHECK(instructions[0].active() == 0x22222222);
  CHECK(instructions[0].lanes == 8);
  CHECK(instructions[0].address(1) == a + 4 * 4);
  CHECK(instructions[1].active() == 0x1F);
  CHECK(instructions[1].flops == 3);
  CHECK(instructions[2].lanes == 0);  // an access of no lane takes its slot
  CHECK(instructions[3].active() == 0xFFFFFFFF);
  CHECK(instructions[3].address(31) == a + 28);
}

TEST_CASE("loops_within_loops_count_as_their_bounds_say") {
  const auto kernel = read(with_body(R"(- loop: i
  from: 1
  to: 4
  body:
  - loop: j
    from: 2 * i
    to: -1
    step: -2
    body:
    - {op: load, array: a, index: 100 * i + j}
  - {op: store, array: a, index: i}
- {op: atomic, array: a, index: 0}
)"));
  std::vector<LaneAccess> expected;
  std::size_t branches = 0;
  for (int i = 1; i < 4; ++i) {
    for (int j = 2 * i; j > -1; j -= 2, ++branches)
      expected.push_back(ld(a + static_cast<std::uint64_t>(100 * i + j) * 4));
    expected.push_back(st(a + static_cast<std::uint64_t>(i) * 4));
    ++branches;
  }
  expected.push_back({strata::memory::Operation::atomic, Space::global, a, 4});
  CHECK(global_accesses(*kernel, 0, 3) == expected);
  CHECK(instructions_of(*kernel, 0, 0).size() == expected.size() + branches + 2);
}

TEST_CASE("a_loop_runs_until_its_last_lane_has_left") {
  const auto kernel = read(with_body(R"(- loop: k
  when: lane < 8
  from: lane
  to: lane + lane % 3
  body: [{op: load, array: a, index: k}]
- {op: load, array: a, index: lane}
- loop: never
  to: 0
  body: [{op: load, array: a, index: never}]
)"));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::vector<LaneAccess> expected;
    for (std::uint64_t k = lane; lane < 8 && k < lane + lane % 3; ++k) expected.push_back(ld(a + k * 4));
    expected.push_back(ld(a + lane * 4));
    CHECK(global_accesses(*kernel, 0, lane) == expected);
  }
  const auto instructions = instructions_of(*kernel, 0, 0);
  REQUIRE(instructions.size() ==
          2 * 2 + 1 + 1 + 2);  // two iterations with their branches, the load, no iteration, branch and exit
  CHECK(instructions[0].active() == 0b10110110);
  CHECK(instructions[2].active() == 0b00100100);
  CHECK(instructions[4].active() == 0xFFFFFFFF);
  CHECK(instructions[5].op_class == OpClass::control);
}

TEST_CASE("parameters_have_defaults_and_are_set_by_name") {
  const std::string text = R"(name: k
parameters:
  n: {default: 64, least: 32, most: 4 KiB, meaning: elements}
  half: n / 2
define: {mirrored: n - 1 - thread}
threads: half
loop: n / 16
arrays: [{name: a, size: 4 * n}]
body:
- {op: load, array: a, index: mirrored - iteration}
- {op: fp32, count: n / 32, flops: half}
)";
  const auto instruction = [&](std::vector<std::string> settings, std::size_t at) {
    return instructions_of(*read(text, settings), 0, 0)[at];
  };
  CHECK(read(text)->info().threads_per_block() == 32);
  CHECK(instruction({}, 0).address(5) == a + 58 * 4);
  CHECK(instruction({}, 3).address(5) == a + 57 * 4);
  CHECK(instruction({}, 1).repeat == 2);
  CHECK(instruction({}, 1).flops == 32);
  CHECK(instructions_of(*read(text), 0, 0).size() == 4 * 3 + 1);
  CHECK(read(text, {"n=2 * 64"})->info().threads_per_block() == 64);
  CHECK(instruction({"n=128"}, 0).address(5) == a + 122 * 4);
  CHECK(read(text, {"n=128", "half=16"})->info().threads_per_block() == 16);

  const auto info = strata::kernels::read_parameters_of({text, "k.yaml"});
  REQUIRE(info->names() == std::vector<std::string>{"n", "half"});
  CHECK(info->fields[0].range == "32 to 4096");
  CHECK(info->fields[0].default_text == "64");
  CHECK(info->fields[0].meaning == "elements");

  has(error_of(text, {"n=16"}), "--kernel:1:3: 'n' must be 32 to 4096, not '16'");
  has(error_of(text, {"hafl=16"}), "there is no parameter 'hafl' (did you mean 'half'?)");
  has(error_of(text, {"zeta=16"}), "there is no parameter 'zeta' (parameters: n, half)");
  has(error_of(text, {"n"}), "'n' has no '='");
  has(error_of(text, {"n=1/0"}), "divides by zero");
  has(error_of(text, {"n=4 KiB"}), "'threads' must be 1 to 1024, not '2048'");
  has(error_of(with_body("- {op: fp32}"), {"n=16"}), "(the file has no 'parameters')");
}

TEST_CASE("blocks_follow_from_threads_and_sizes_from_both") {
  const auto kernel = read(R"(name: k
parameters: {n: 1000}
define: {all: blocks * threads}
arrays: [{name: a, size: 4 * all}]
blocks: (n + threads - 1) / threads
blocks_y: 2
threads: 16 * 2
threads_y: 4
body: [{op: load, array: a, index: all - 1 - thread}]
)");
  CHECK(kernel->info().grid == strata::trace::Dimensions{8, 2, 1});
  CHECK(kernel->info().block == strata::trace::Dimensions{32, 4, 1});
  CHECK(kernel->info().regions[0].bytes == 4 * 16 * 128);
  CHECK(global_accesses(*kernel, 0, 5) == std::vector<LaneAccess>{ld(a + (16 * 128 - 6) * 4)});
  CHECK(read("name: k\nthreads: 1e2\nblocks: threads\nbody: [{op: fp32}]\n")->info().grid.x == 100);
  has(error_of("name: k\nthreads: blocks\nbody: [{op: fp32}]\n"), "unknown name 'blocks'");
  has(error_of("name: k\nthreads: [1]\nblocks: threads\nbody: [{op: fp32}]\n"), "'threads' must be a single value");
  has(error_of("name: k\ndefine: {blocks: 2}\nbody: [{op: fp32}]\n"),
      "'blocks' is already defined and cannot name a definition");
}

TEST_CASE("hashes_of_a_kernel_are_those_of_the_base_library") {
  const auto kernel = read(with_body("- {op: load, array: a, index: hash(thread) % 1024}\n"));
  for (const std::uint32_t thread : {0U, 9U, 31U})
    CHECK(global_accesses(*kernel, 0, thread) ==
          std::vector<LaneAccess>{ld(a + (strata::mix(thread) >> 1U) % 1024 * 4)});
}

TEST_CASE("an_index_outside_its_array_names_index_array_and_thread") {
  CHECK(error_of(
            with_body("- loop: k\n  from: 1000\n  to: 2000\n  body:\n  - {op: load, array: a, index: k + lane}\n")) ==
        "k.yaml:9:33: 'k + lane' is 1024 as the index of 'a', which has 1024 elements of 4 B, in block 0, thread 24, k "
        "= 1000 "
        "(mask such threads with 'when', or bound it with min() and max())");
  has(error_of(with_body("- {op: store, array: s, width: 8, index: thread * 9 - 9}\n")),
      "'thread * 9 - 9' is -9 as the index of 's', which has 128 elements of 8 B");
  has(error_of(with_body("- {op: load, array: a, index: 1 / thread}\n")),
      "k.yaml:5:31: '1 / thread' divides by zero, in block 0, thread 0");
  CHECK(error_of(with_body("- {op: load, array: a, when: thread > 0, index: 1 / thread}\n")) == "none");
}

TEST_CASE("loops_that_do_not_end_are_refused") {
  has(error_of(with_body("- {loop: k, to: 4, step: 0, body: [{op: fp32}]}\n")), "'0' is 0 as the step of a loop");
  has(error_of(with_body("- {loop: k, to: 1 << 41, body: [{op: fp32}]}\n")),
      "lets the loop run 2199023255552 times; nested loops");
  has(error_of(with_body(
          "- {loop: k, to: 1 << 20, body: [{loop: l, to: 1 << 20, body: [{loop: m, to: 2, body: [{op: fp32}]}]}]}\n")),
      "k.yaml:5:77: '2' lets the loop run 2 times; nested loops, the body's included, run at most 2^40 times");
  std::string deep = "[{op: fp32}]";
  for (int i = 0; i < 9; ++i) deep = "[{loop: k" + std::to_string(i) + ", to: 1, body: " + deep + "}]";
  has(error_of("name: k\nbody: " + deep + "\n"), "nested more than 8 deep");
  std::string wide = "name: k\nbody:\n";
  for (int i = 0; i < 9; ++i) {
    wide += "- loop: k\n  to: 1\n  body:\n";
    for (int j = 0; j < 120; ++j) wide += "  - {op: fp32}\n";
  }
  has(error_of(wide), "more than 1000 steps in all");
}

TEST_CASE("a_parameter_that_nothing_uses_cannot_be_set") {
  const std::string text = "name: k\nparameters: {n: 4, un: 8}\nbody: [{op: fp32, count: un}]\n";
  CHECK(error_of(text, {"un=2"}) == "none");
  CHECK(error_of(text) == "none");
  has(error_of(text, {"n=5"}),
      "k.yaml:2:17: parameter 'n' is set, and nothing in the file uses it (use it in an expression");
  // Words of names are no use.
  has(error_of("name: n\nparameters: {n: 4, load: 1}\narrays: [{name: n, size: 4 KiB}]\nbody: [{op: load, array: n}]\n",
               {"load=2"}),
      "parameter 'load' is set, and nothing");
  // Another parameter's value is.
  CHECK(error_of("name: k\nparameters: {n: 4, m: n * 2}\nbody: [{op: fp32, count: m}]\n", {"n=5"}) == "none");
}

TEST_CASE("settings_of_a_pattern_need_it") {
  has(error_of(with_body("- {op: load, array: a, stride: 128 B}\n")),
      "'body[0].stride' is read with 'pattern: stride' alone (add 'pattern: stride', or remove it)");
  has(error_of(with_body("- {op: load, array: a, pattern: same, seed: 3}\n")),
      "'body[0].seed' is read with 'pattern: random' alone");
  CHECK(error_of(with_body("- {op: load, array: a, pattern: random, seed: 3, run: 2}\n")) == "none");
}

TEST_CASE("a_register_that_no_step_writes_is_refused") {
  has(error_of(with_body("- {op: fp32, to: sum}\n- {op: fp32, from: [sun], to: sum}\n")),
      "k.yaml:6:14: no step writes register 'sun' (did you mean 'sum'?)");
  // Written later, as by a loop's last step, is written.
  CHECK(error_of(with_body("- {op: fp32, from: [sum]}\n- {op: fp32, to: sum}\n")) == "none");
}

TEST_CASE("errors_of_kernels_with_expressions") {
  const auto of = [](const std::string& body) { return error_of(with_body(body)); };
  has(of("- {op: load, array: a, index: k}\n"), "k.yaml:5:31: 'k': unknown name 'k'");
  has(of("- {loop: k, to: 1, body: [{op: fp32}]}\n- {op: load, array: a, index: k}\n"),
      "k.yaml:6:31: 'k': unknown name 'k'");
  has(of("- {loop: k, to: 2, body: [{op: load, array: a}]}\n"), "is an access in a loop and needs an index");
  has(of("- {op: load, array: a, index: 1, pattern: same}\n"), "'body[0].pattern' cannot be combined with an index");
  has(of("- {op: load, array: a, count: 2}\n"),
      "k.yaml:5:31: 'body[0].count' is for arithmetic; an access is a single instruction (repeat it with a loop");
  has(of("- {op: load, array: a, from: [p, q]}\n"),
      "'body[0].from' names 2 registers; a load reads one at most, its address");
  has(of("- {op: store, array: a, from: [p, q, r]}\n"), "a store reads two at most, its value and its address");
  has(of("- {op: fp32, index: 1}\n"), "'body[0].index' is for accesses");
  has(of("- {op: fp32, count: thread}\n"), "'thread' differs from thread to thread");
  has(of("- {loop: thread, to: 2, body: [{op: fp32}]}\n"), "'thread' is already defined and cannot name a counter");
  has(of("- {loop: k, to: 2, body: [{loop: k, to: 2, body: [{op: fp32}]}]}\n"), "'k' is already defined");
  has(of("- {loop: none, to: 2, body: [{op: fp32}]}\n"), "'none' is not a name for a counter");
  has(of("- {loop: 2k, to: 2, body: [{op: fp32}]}\n"), "'2k' is not a name for a counter");
  has(of("- {loop: k, to: 2, step: lane, body: [{op: fp32}]}\n"), "'lane' differs between the threads of a warp");
  has(of("- {loop: k, to: lane, body: [{op: barrier}]}\n"), "is a barrier that not all threads of a block reach");
  has(of("- {op: barrier, when: warp == 0}\n"), "is a barrier that not all threads of a block reach");
  CHECK(of("- {loop: k, to: block + 1, body: [{op: barrier}]}\n") == "none");
  has(of("- {loop: k, too: 2, body: [{op: fp32}]}\n"), "unknown key 'body[0].too' (did you mean 'to'?)");
  has(of("- {loop: k, to: 2, body: [{op: fp32, flop: 1}]}\n"), "unknown key 'body[0].body[0].flop'");
  has(of("- {op: load, array: a, index: min(lane, 3)}\n"), "needs quotes");
  has(of("- {op: load, array: a, index: lane | 3}\n"), "write the operator '|' without blanks around it");
  CHECK(of("- {op: load, array: a, index: \"lane|3\"}\n") == "none");
  has(error_of("name: k\nparameters: {n: 1, lane: 2}\nbody: [{op: fp32}]\n"),
      "k.yaml:2:20: 'lane' is already defined and cannot name a parameter");
  has(error_of("name: k\nparameters: {n: {default: 5, most: 4}}\nbody: [{op: fp32}]\n"),
      "'n' must be at most 4, not '5'");
  has(error_of("name: k\nparameters: {n: m, m: 1}\nbody: [{op: fp32}]\n"), "unknown name 'm'");
  has(error_of("name: k\nparameters: {n: {defualt: 5}}\nbody: [{op: fp32}]\n"), "did you mean 'default'?");
  has(error_of("name: k\nparameters: [n]\nbody: [{op: fp32}]\n"), "'parameters' must be a map");
  has(error_of("name: k\ndefine: {x: [1]}\nbody: [{op: fp32}]\n"), "'define.x' must be an expression, not a list");
  has(error_of("name: k\nthreads: 64\nthreads_y: 32\nbody: [{op: fp32}]\n"),
      "32 rows of 64 threads are more than the 1024 of a block");
  has(error_of("name: k\nblocks: 2 * m\nbody: [{op: fp32}]\n"), "k.yaml:2:13: '2 * m': unknown name 'm'");
  has(error_of("name: k\nblocks: 2 - 4\nbody: [{op: fp32}]\n"),
      "'blocks' is a count and must not be negative, as '-2' is");
  has(error_of("name: k\nblocks: 1 / 0\nbody: [{op: fp32}]\n"), "divides by zero");
  // All errors are reported at once.
  const std::string all = of("- {op: load, array: b}\n- {op: load, array: a, index: x}\n- {op: fp33}\n");
  has(all, "'b' that is not described");
  has(all, "unknown name 'x'");
  has(all, "k.yaml:7:");
}
