// SPDX-License-Identifier: Apache-2.0
// Fields of traces with impossible values: each reader refuses them with file and line, or
// counts them and reports how it treats them.
#include <fmt/format.h>

#include "catch.hpp"
#include "formats/import/import.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;
using strata::trace::Instruction;

namespace {

// The error of reading it by that importer; empty: it is read.
template <class Import>
std::string fault(const std::string& text, const char* name, ImportReport& report, const Import& import) {
  return error_of([&] {
    MemorySink sink;
    TraceWriter writer(sink);
    MemoryText source(text, 100, name);
    import(source, writer, report);
    writer.finish();
  });
}
std::string accel_sim(const std::string& text, ImportReport& report) {
  return fault(text, "k.traceg", report,
               [](auto& source, auto& sink, auto& told) { import_accel_sim_kernel(source, sink, told); });
}
std::string nvbit(const std::string& text, ImportReport& report) {
  MemorySpill spill;
  return fault(text, "m.txt", report,
               [&](auto& source, auto& sink, auto& told) { import_nvbit(source, spill, sink, told); });
}
std::string csv(const std::string& rows, ImportReport& report) {
  MemorySpill spill;
  return fault("cycle,warp,op,address,bytes\n" + rows, "a.csv", report,
               [&](auto& source, auto& sink, auto& told) { import_csv(source, spill, sink, told); });
}

const std::string head =
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 40\n-accelsim tracer version = 5\n";
std::string kernel(const std::string& instruction, const std::string& header = head) {
  return header + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" + instruction + "\n#END_TB\n";
}
std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}
const std::string load = "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4 0";

std::string launch(const std::string& registers = "12") {
  return "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x7 - Kernel name k - grid launch id 5 - grid size 1,1,1 - block size "
         "32,1,1 - nregs " +
         registers + " - shmem 64 - cuda stream id 0\n";
}
std::string accesses(const std::string& first, unsigned others, const char* place = "0,0,0") {
  std::string text = fmt::format("MEMTRACE: CTX 0x1 - grid_launch_id 5 - CTA {} - warp 0 - LDG.E - {}", place, first);
  for (unsigned lane = 0; lane < others; ++lane) text += " 0x0";
  return text + "\n";
}

}  // namespace

SCENARIO("an_access_beyond_the_last_address_is_refused_in_every_reader") {
  GIVEN("the last bytes of the address space, which are read, and one more, which is not") {
    const std::string beyond = "reaches beyond the last address";
    const auto text = [](const std::string& access) {
      return error_of([&] {
        native_of("strata-trace 1\nkernel \"k\" grid 1 1 1 block 32 1 1\nblock 0\nwarp 0\n  load global ca " + access +
                  "\nend\n");
      });
    };
    CHECK(text("4 mask=0x1 @0xfffffffffffffffc").empty());
    CHECK(text("4 mask=0x1 @0xfffffffffffffffe").starts_with("t.txt:5:"));
    CHECK(text("4 mask=0x1 @0xfffffffffffffffe").find(beyond) != std::string::npos);
    CHECK(text("4 mask=0x3 @0xfffffffffffffff8+4").empty());
    CHECK(text("4 mask=0x3 @0xfffffffffffffff9+4").find(beyond) != std::string::npos);
    CHECK(text("4 mask=0x3 @0x0,0xfffffffffffffffd").find(beyond) != std::string::npos);

    ImportReport report;
    CHECK(accel_sim(kernel("0 1 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffffc 4 0"), report).empty());
    for (const char* line :
         {"0 1 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffffe 4 0", "0 3 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffffc 4 0",
          "0 3 1 R1 LDG.E 1 R2 4 2 0x10 -32 0", "0 3 1 R1 LDG.E 1 R2 4 0 0x10 0xfffffffffffffffd 0",
          "0 1 0 UBLKCP 1 R2 64 3 1 0xfffffffffffffff0 0"}) {
      CAPTURE(line);
      CHECK(accel_sim(kernel(line), report).starts_with("k.traceg:10:"));
    }
    CHECK(nvbit(launch() + accesses("0xfffffffffffffffc", 31), report).empty());
    CHECK(nvbit(launch() + accesses("0xfffffffffffffffe", 31), report).starts_with("m.txt:2:"));
    CHECK(csv("0,0,load,0xfffffffffffffffc,4\n", report).empty());
    CHECK(csv("0,0,load,0xfffffffffffffffe,4\n", report).starts_with("a.csv:2:"));
    CHECK(csv("0,0,load,0xffffffffffffff00,512\n", report).find(beyond) != std::string::npos);
  }
  GIVEN("a native trace whose writer did not look") {
    Instruction i;
    i.bytes_per_lane = 4;
    i.lanes = 1;
    i.strided = false;
    for (const std::uint64_t address : {0xfffffffffffffffcU, 0xfffffffffffffffeU}) {
      i.addresses[0] = address;
      MemorySink sink;
      TraceWriter writer(sink);
      writer.begin_kernel({"k", {}, {32, 1, 1}});
      writer.begin_block(0);
      writer.begin_warp(0);
      writer.add(i);
      writer.end_block();
      writer.end_kernel();
      writer.finish();
      const std::string error = error_of([&] { verify_trace(source_of(sink.bytes)); });
      CAPTURE(error);
      CHECK(error.empty() == (address == 0xfffffffffffffffcU));
      if (!error.empty()) {
        CHECK(error.starts_with("t.strace: chunk "));
        CHECK(error.find("byte ") != std::string::npos);
      }
    }
  }
}

SCENARIO("lanes_that_fall_back_past_the_end_are_not_a_stride") {
  GIVEN("an access at the end and one at the beginning of the address space") {
    Instruction i;
    i.bytes_per_lane = 4;
    i.lanes = 2;
    i.addresses[0] = 0xfffffffffffffff0U;
    i.addresses[1] = 0x10;  // 0x20 further, modulo 2^64
    Buffer bytes;
    RecordState writing(32);
    RecordState reading(32);
    write_record(bytes, writing, i);
    Cursor in(bytes);
    Instruction back;
    read_record(in, reading, back);
    CHECK(back.address(0) == i.addresses[0]);
    CHECK(back.address(1) == i.addresses[1]);
  }
}

SCENARIO("an_accel_sim_header_out_of_range_is_refused") {
  ImportReport report;
  REQUIRE(accel_sim(kernel(load), report).empty());
  CHECK(report.counted.empty());
  for (const auto& [from, to, message] :
       {std::tuple{"version = 5", "version = 6", "the version of the tracer is 6, more than 5"},
        {"version = 5", "version = 0", "the version of the tracer is 0, less than 1"},
        {"nregs = 40", "nregs = 0", "registers a thread is 0, less than 1"},
        {"nregs = 40", "nregs = 513", "registers a thread is 513, more than 512"},
        {"nregs = 40", "nregs = 40\n-nregs = 41", "twice"},
        {"(1,1,1)", "(1,1,1,1)", "three dimensions"},
        {"(32,1,1)", "(0,1,1)", "a dimension is 0"},
        {"(32,1,1)", "(1025,1,1)", "1024"}}) {
    CAPTURE(to);
    const std::string error = accel_sim(kernel(load, with(head, from, to)), report);
    CHECK(error.starts_with("k.traceg:"));
    CHECK(error.find(message) != std::string::npos);
  }
}

SCENARIO("an_accel_sim_instruction_with_more_or_less_than_its_words_is_refused") {
  ImportReport report;
  for (const char* line :
       {"0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 00 4 0",  // a split address
        "0000 00000003 1 R1 LDG.E 1 R2 4 0 0x10 0x20 0x30 0", "0000 00000003 1 R1 LDG.E 1 R2 4 0 0x10 0x20 0x30",
        "0000 ffffffff 1 R1 LDG.E 1 R2 1000 1 0x10 4 0", "0000 ffffffff 1 R1 LDG.E 1 R2 3 1 0x10 4 0",
        "0000 ffffffff 1 R1 FFMA 3 R1 R2 R3 0 0 0", "0000 ffffffff 1 R1 FFMA 3 R1 R2 R3 0 x",
        "0000 ffffffff 9 R1 R2 R3 R4 R5 R6 R7 R8 R9 MOV 0 0"}) {
    CAPTURE(line);
    CHECK(accel_sim(kernel(line), report).starts_with("k.traceg:10:"));
  }
  CHECK(report.counted.empty());
  CHECK(accel_sim(with(kernel(load), "warp = 0", "warp = 0 0"), report).find("unexpected '0'") != std::string::npos);
  CHECK(accel_sim(with(kernel(load), "insts = 1", "insts = 1\ninsts = 1"), report).find("'insts' twice") !=
        std::string::npos);
  CHECK(accel_sim(with(kernel(load), "0,0,0", "0,0,0,1"), report).find("unexpected '1'") != std::string::npos);
}

SCENARIO("missing_parts_of_an_accel_sim_trace_are_counted") {
  const auto counted = [](const std::string& text, const std::string& what) {
    ImportReport report;
    REQUIRE(accel_sim(text, report).empty());
    std::uint64_t times = 0;
    for (const auto& [said, count] : report.counted)
      if (said.find(what) != std::string::npos) times += count;
    return times;
  };
  // 128 threads are 4 warps, of which one is there.
  CHECK(counted(kernel(load, with(head, "(32,1,1)", "(128,1,1)")), "a warp of a block is not in the trace") == 3);
  CHECK(counted(kernel("0000 ffffffff 1 R1 LDG.E 1 R2 0 0"), "an access has no addresses") == 1);
  CHECK(counted(kernel("0000 ffffffff 1 R1 IMAD 5 R1 R2 R3 R4 R5 0 0"), "reads more than 4 registers") == 1);
  CHECK(counted(kernel(load, with(head, "-accelsim tracer version = 5\n", "")),
                "the version of the tracer; read as version 5") == 1);
  CHECK(counted(kernel(load, with(head, "-nregs = 40\n", "")), "the registers per thread; read as 32") == 1);
}

SCENARIO("mem_trace_lines_with_more_than_their_fields_are_refused") {
  ImportReport report;
  REQUIRE(nvbit(launch() + accesses("0x1000", 31), report).empty());
  CHECK(nvbit(launch() + accesses("0x1000", 32), report).find("m.txt:2:") == 0);
  CHECK(nvbit(launch() + accesses("0x1000", 32), report).find("after the 32 addresses") != std::string::npos);
  CHECK(nvbit(launch() + accesses("0x1000", 30), report).find("where one of 32 addresses should stand") !=
        std::string::npos);
  CHECK(nvbit(launch() + accesses("0x1000", 31, "0,0,0,0"), report).find("more than three numbers") !=
        std::string::npos);
  CHECK(nvbit(launch("0") + accesses("0x1000", 31), report).find("0 registers per thread") != std::string::npos);
}

SCENARIO("traces_that_do_not_say_where_they_end_are_reported_with_their_length") {
  GIVEN("two accesses, after which more may have followed") {
    ImportReport report;
    REQUIRE(nvbit(launch() + accesses("0x1000", 31) + accesses("0x2000", 31), report).empty());
    REQUIRE(report.notes.size() == 1);
    CHECK(report.notes[0].starts_with("2 accesses of 1 launches were read"));
    ImportReport rows;
    REQUIRE(csv("0,0,load,0x1000,4\n1,0,load,0x1000,4\n", rows).empty());
    REQUIRE(rows.notes.size() == 1);
    CHECK(rows.notes[0].starts_with("2 rows were read"));
  }
  GIVEN("CSV with a last line that says how many rows there are") {
    ImportReport report;
    const std::string rows = "0,0,load,0x1000,4\n1,0,load,0x1000,4\n";
    CHECK(csv(rows + "# end 2\n", report).empty());
    CHECK(report.notes.empty());
    CHECK(csv("0,0,load,0x1000,4\n# end 2\n", report).find("the file has 1 rows, but '# end' states 2") !=
          std::string::npos);
    CHECK(csv("# end 0\n" + rows, report).find("a row after '# end'") != std::string::npos);
  }
}

SCENARIO("csv_numbers_out_of_range_are_refused") {
  ImportReport report;
  CHECK(csv("0,2097151,load,0x1000,4\n# end 1\n", report).empty());
  CHECK(csv("0,2097152,load,0x1000,4\n", report).find("a.csv:2:3: a warp is 2097152, more than 2097151") == 0);
  CHECK(csv("0,1000000000,load,0x1000,4\n", report).find("a warp is 1000000000") != std::string::npos);
  CHECK(csv("1073741824,0,load,0x1000,4\n", report).empty());
  CHECK(csv("1073741825,0,load,0x1000,4\n", report).find("a cycle is 1073741825") != std::string::npos);
  CHECK(csv("0,0,load,0x1000,4,9\n", report).find("too many columns") != std::string::npos);
}
