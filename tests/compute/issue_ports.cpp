// SPDX-License-Identifier: Apache-2.0
// Issue ports of a scheduler: in parallel for different warps, one instruction per interval for each.
#include "catch.hpp"
#include "compute/core_spec.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {
namespace {

using trace::OpClass;
using Instructions = std::vector<trace::Instruction>;
using namespace literals;

trace::Instruction op(OpClass op_class) {
  trace::Instruction instruction;
  instruction.op_class = op_class;
  instruction.dependent = false;
  instruction.lanes = 32;
  return instruction;
}

// One scheduler, which issues every four cycles.
CoreSpec core_with(std::vector<IssuePortSpec> ports) {
  CoreSpec spec = small_core();
  spec.schedulers = 1;
  spec.issue_interval = 4_clk;
  spec.execution.issue_ports = std::move(ports);
  return spec;
}

/// Cycles until the last instruction was issued.
double last_issue(const CoreSpec& spec, std::vector<Instructions> programs) {
  Bench bench(spec);
  std::vector<Script> warps;
  for (Instructions& program : programs) warps.emplace_back(std::move(program));
  return bench.run(warps);
}

const Instructions vector_work(10, op(OpClass::fp32));
const Instructions scalar_work(10, op(OpClass::uniform));
const IssuePortSpec vector_port{"vector", "fp32 integer", 1};
const IssuePortSpec scalar_port{"scalar", "uniform", 1};

}  // namespace

TEST_CASE("instructions of different ports issue in the same interval") {
  // Twenty instructions in twenty intervals, or ten in parallel with ten.
  CHECK(last_issue(core_with({}), {vector_work, scalar_work}) == 19 * 4);
  CHECK(last_issue(core_with({vector_port, scalar_port}), {vector_work, scalar_work}) == 9 * 4);
  // Classes that no port names have a separate port.
  CHECK(last_issue(core_with({vector_port}), {vector_work, scalar_work}) == 9 * 4);
  // Those of one port alternate.
  CHECK(last_issue(core_with({vector_port, scalar_port}), {vector_work, vector_work}) == 19 * 4);
}

TEST_CASE("a warp issues one instruction an interval, whatever ports there are") {
  Instructions alternating;
  for (int i = 0; i < 10; ++i) {
    alternating.push_back(op(OpClass::fp32));
    alternating.push_back(op(OpClass::uniform));
  }
  CHECK(last_issue(core_with({vector_port, scalar_port}), {alternating}) == 19 * 4);
  // Two such warps fill both ports.
  CHECK(last_issue(core_with({vector_port, scalar_port}), {alternating, alternating}) <= 20 * 4);
}

TEST_CASE("a wide port issues from several warps in one interval") {
  IssuePortSpec wide = vector_port;
  wide.width = 2;
  CHECK(last_issue(core_with({wide}), {vector_work}) == 9 * 4);
  CHECK(last_issue(core_with({wide}), {vector_work, vector_work}) == 9 * 4);
  CHECK(last_issue(core_with({wide}), {vector_work, vector_work, vector_work}) == 14 * 4);
}

TEST_CASE("a pipe narrower than its port bounds what the port issues") {
  IssuePortSpec wide = vector_port;
  wide.width = 2;
  CoreSpec spec = core_with({wide});
  // 32 lanes at 16 a clock take two cycles: two instructions in an interval of four.
  spec.execution.pipes = {{"units", "fp32", 16, 4_clk}};
  CHECK(last_issue(spec, {vector_work, vector_work}) == 9 * 4);
  // At eight a clock they take four: one.
  spec.execution.pipes = {{"units", "fp32", 8, 4_clk}};
  CHECK(last_issue(spec, {vector_work, vector_work}) == 19 * 4);
}

TEST_CASE("accesses take the port of their space") {
  const IssuePortSpec memory{"memory", "global", 1};
  const IssuePortSpec shared{"shared", "shared", 1};
  trace::Instruction to_shared = independent(load(0));
  to_shared.space = trace::Space::shared;
  const Instructions from_memory(4, independent(load(0)));
  const Instructions from_shared(4, to_shared);
  const auto issued_last = [&](const CoreSpec& spec) {
    Bench bench(spec);
    std::vector<Script> warps;
    warps.emplace_back(from_shared);
    warps.emplace_back(from_memory);
    bench.run(warps);
    return clock.count(bench.global.requests.back().ready - Time{});
  };
  // With alternation the last global access is the eighth to issue; otherwise the fourth.
  CHECK(issued_last(core_with({})) - issued_last(core_with({memory, shared})) == 4 * 4);
}

}  // namespace strata::compute::test
