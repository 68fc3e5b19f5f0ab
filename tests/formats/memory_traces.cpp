// SPDX-License-Identifier: Apache-2.0
// Lists of accesses in order of time, NVBit's mem_trace and CSV, are sorted by warp.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/random.hpp"
#include "catch.hpp"
#include "formats/import/import.hpp"
#include "formats/import/regroup.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;
using strata::memory::Operation;
using strata::trace::Instruction;
using strata::trace::Space;

TEST_CASE("mem_trace_lines_become_the_accesses_of_their_warps") {
  const auto addresses = [](std::uint64_t base, unsigned from, unsigned to) {
    std::string text;
    for (unsigned lane = 0; lane < 32; ++lane)
      text += fmt::format("0x{:016x} ", lane >= from && lane < to ? base + lane * 4 : 0);
    return text + "\n";
  };
  const std::string launch =
      "MEMTRACE: CTX 0x0000560001 - LAUNCH - Kernel pc 0x00007f0 - Kernel name add(int*, int) - "
      "grid launch id 5 - grid size 2,1,1 - block size 64,1,1 - nregs 12 - shmem 64 - cuda stream "
      "id 0\n";
  const auto line = [&](const char* place, unsigned warp, const char* opcode, const std::string& where) {
    return fmt::format("MEMTRACE: CTX 0x0000560001 - grid_launch_id 5 - CTA {} - warp {} - {} - {}", place, warp,
                       opcode, where);
  };
  const std::string text = "------------- NVBit ----\n" + launch + line("1,0,0", 9, "LDG.E", addresses(0x1000, 0, 32)) +
                           line("0,0,0", 4, "LDG.E", addresses(0x2000, 0, 32)) +
                           line("1,0,0", 3, "STG.E", addresses(0x3000, 8, 16)) +
                           line("1,0,0", 9, "ATOMS.ADD", addresses(0x4000, 0, 1));
  MemorySink sink;
  MemorySpill spill;
  TraceWriter writer(sink);
  ImportReport report;
  MemoryText source(text, 50, "nvbit.txt");
  import_nvbit(source, spill, writer, report);
  writer.finish();
  const auto list = open_trace(source_of(sink.bytes));
  REQUIRE(list.size() == 1);
  CHECK(list[0]->info().name == "add(int*, int)");
  CHECK(list[0]->info().registers_per_thread == 12);
  const auto streams = list[0]->open(1);
  Instruction i;
  REQUIRE(streams->warp(0).next(i));  // slot 9 appeared first
  CHECK(i.address(31) == 0x1000 + 31 * 4);
  REQUIRE(streams->warp(0).next(i));
  CHECK(i.space == Space::shared);
  CHECK(i.operation == Operation::atomic);
  CHECK_FALSE(streams->warp(0).next(i));
  REQUIRE(streams->warp(1).next(i));
  CHECK(i.operation == Operation::store);
  CHECK(i.active() == 0xFF00U);
  CHECK(i.address(0) == 0x3000 + 8 * 4);
  MemoryText bad(launch + line("2,0,0", 0, "LDG.E", addresses(1, 0, 1)), 50, "nvbit.txt");
  CHECK(error_of([&] { import_nvbit(bad, spill, writer, report); }).find("nvbit.txt:2: a block outside the grid") == 0);
}

TEST_CASE("csv_rows_of_one_cycle_and_warp_are_lanes_of_one_instruction") {
  const std::string text =
      "cycle,warp,op,address,bytes\n"
      "10,0,load,0x1000,4\n10,0,load,0x1004,4\n10,9,store,4096,8\n10,0,load,0x2000,4\n12,0,atomic,"
      "0x1000,4\n15,9,load,0x8000,512\n";
  MemorySink sink;
  MemorySpill spill;
  TraceWriter writer(sink);
  ImportReport report;
  MemoryText source(text, 3, "a.csv");
  import_csv(source, spill, writer, report);
  writer.finish();
  CHECK(report.instructions == 5);
  const auto list = open_trace(source_of(sink.bytes));
  CHECK(list[0]->info().grid.x == 2);
  Instruction i;
  const auto first = list[0]->open(0);
  REQUIRE(first->warp(0).next(i));
  CHECK(i.lanes == 2);
  CHECK(i.not_before_cycle == 10);
  REQUIRE(first->warp(0).next(i));
  CHECK(i.address(0) == 0x2000);
  REQUIRE(first->warp(0).next(i));
  CHECK(i.operation == Operation::atomic);
  CHECK(i.not_before_cycle == 12);
  const auto second = list[0]->open(1);
  REQUIRE(second->warp(1).next(i));
  CHECK(i.operation == Operation::store);
  CHECK(i.address(0) == 4096);
  REQUIRE(second->warp(1).next(i));
  CHECK(i.lanes == 32);
  CHECK(i.bytes_per_lane == 16);
  CHECK(i.address(31) == 0x8000 + 31 * 16);
  for (const char* bad :
       {"1,0,load,0x1\n", "1,0,jump,0x1,4\n", "1,0,load,0x1,0\n", "1,0,load,0x1,513\n", "x,0,load,0x1,4\n", ""}) {
    CAPTURE(bad);
    MemoryText other(std::string("cycle,warp,op,address,bytes\n") + bad, 3, "a.csv");
    CHECK(error_of([&] { import_csv(other, spill, writer, report); }).starts_with("a.csv:"));
  }
}

TEST_CASE("records_sorted_through_a_file_are_unchanged") {
  constexpr unsigned warps = 40, rounds = 90;
  const auto address = [](unsigned warp, unsigned round, unsigned lane) {
    return strata::mix(warp, round * 32 + lane);
  };
  strata::trace::KernelInfo info;
  info.grid = {warps / 8, 1, 1};
  info.block = {256, 1, 1};
  MemorySpill spill;
  Regroup regroup(spill, 10000);
  Instruction i;
  i.lanes = 32;
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (unsigned lane = 0; lane < 32; ++lane) i.addresses[lane] = address(warp, round, lane);
      regroup.add(warp / 8, warp % 8, i);
    }
  // Records of some 300 bytes: nearly all of them went through the file.
  CHECK(spill.bytes.size() > warps * rounds * 300 - 2 * 10000);
  MemorySink sink;
  TraceWriter writer(sink);
  regroup.drain(info, writer);
  writer.finish();
  const auto list = open_trace(source_of(sink.bytes));
  for (unsigned warp = 0; warp < warps; ++warp) {
    const auto streams = list[0]->open(warp / 8);
    for (unsigned round = 0; round < rounds; ++round) {
      REQUIRE(streams->warp(warp % 8).next(i));
      for (unsigned lane = 0; lane < 32; ++lane) REQUIRE(i.address(lane) == address(warp, round, lane));
    }
    CHECK_FALSE(streams->warp(warp % 8).next(i));
  }
}
