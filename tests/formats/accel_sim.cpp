// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "formats/accel_sim/writer.hpp"
#include "formats/import/import.hpp"
#include "formats/import/sass.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;
using strata::memory::CacheOperator;
using strata::memory::Operation;
using strata::trace::Instruction;
using strata::trace::OpClass;
using strata::trace::Space;

namespace {

const std::string head =
    "-kernel name = k<int>\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = "
    "512\n-nregs = 40\n"
    "-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f5500000000\n"
    "-local mem base_addr = 0x00007f5600000000\n-nvbit version = 1.5.5\n-accelsim tracer version = "
    "5\n-enable lineinfo = 0\n\n"
    "#traces format = anything\n\n";

std::string block(const std::string& instructions, std::size_t count, const char* place = "0,0,0") {
  return std::string("#BEGIN_TB\n\nthread block = ") + place + "\n\nwarp = 0\ninsts = " + std::to_string(count) + "\n" +
         instructions + "\n#END_TB\n";
}

strata::trace::LaunchList imported(const std::string& text, ImportReport& report) {
  MemorySink sink;
  TraceWriter writer(sink);
  MemoryText source(text, 7, "kernel-1.traceg");
  import_accel_sim_kernel(source, writer, report);
  writer.finish();
  return open_trace(source_of(sink.bytes));
}

std::vector<Instruction> instructions(const std::string& lines, std::size_t count, ImportReport& report) {
  const auto list = imported(head + block(lines, count), report);
  const auto streams = list[0]->open(0);
  std::vector<Instruction> all;
  Instruction i;
  while (streams->warp(0).next(i)) all.push_back(i);
  return all;
}
Instruction one(const std::string& line) {
  ImportReport report;
  const auto all = instructions(line + "\n", 1, report);
  REQUIRE(all.size() == 1);
  return all[0];
}

}  // namespace

TEST_CASE("accel_sim_headers_become_the_shape_of_the_kernel") {
  ImportReport report;
  const auto list = imported(head + block("0000 ffffffff 0 EXIT 0 0 0\n", 1), report);
  const auto& info = list[0]->info();
  CHECK(info.name == "k<int>");
  CHECK(info.grid == strata::trace::Dimensions{1, 1, 1});
  CHECK(info.block == strata::trace::Dimensions{64, 1, 1});
  CHECK(info.shared_bytes == 512);
  CHECK(info.registers_per_thread == 40);
  CHECK(report.notes.empty());
}

TEST_CASE("accel_sim_addresses_of_every_form_are_those_of_the_lanes") {
  const Instruction listed = one("0000 0000000b 1 R4 LDG.E.SYS 1 R2 4 0 0x1000 0x2000 0x3004 0");
  CHECK(listed.active() == 0xBU);
  CHECK(listed.address(0) == 0x1000);
  CHECK(listed.address(1) == 0x2000);
  CHECK(listed.address(2) == 0x3004);
  const Instruction strided = one("0010 ffffffff 1 R4 LDG.E.128.SYS 1 R2 16 1 0x7f0000001000 16 0");
  CHECK(strided.strided);
  CHECK(strided.address(31) == 0x7f0000001000 + 31 * 16);
  CHECK(strided.bytes_per_lane == 16);
  const Instruction falling = one("0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x1000 -256 0");
  CHECK(falling.address(3) == 0x1000 - 3 * 256);
  const Instruction steps = one("0020 00000017 1 R4 LDG.E 1 R2 4 2 0x1000 16 -32 2000 0");
  CHECK(steps.address(0) == 0x1000);
  CHECK(steps.address(1) == 0x1010);
  CHECK(steps.address(2) == 0x0FF0);
  CHECK(steps.address(3) == 0x0FF0 + 2000);
  const Instruction masked = one("0030 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0");
  CHECK(masked.lanes == 0);
  // A bulk copy of three pieces of 128 bytes: six lanes of 64.
  const Instruction bulk = one("0040 00000001 0 UTMALDG.2D 1 R2 128 4 0x8000 3 256 -128 0");
  CHECK(bulk.space == Space::bulk);
  CHECK(bulk.lanes == 6);
  CHECK(bulk.bytes_per_lane == 64);
  CHECK(bulk.address(2) == 0x8100);
  CHECK(bulk.address(5) == 0x8080 + 64);
}

TEST_CASE("accel_sim_registers_of_wide_values_are_ranges_and_r0_is_1") {
  const Instruction wide = one("0000 ffffffff 1 R4 LDG.E.128.SYS 1 R2 16 1 0x1000 16 0");
  CHECK(wide.destination == 5);
  CHECK(wide.destination_count == 4);
  CHECK(wide.sources[0] == 3);
  const Instruction store = one("0000 ffffffff 0 STG.E.64 2 R3 R4 8 1 0x1000 8 0");
  CHECK(store.destination == 0);
  CHECK(store.sources[0] == 4);
  CHECK(store.source_counts[0] == 2);  // an address of 64 bits
  CHECK(store.sources[1] == 5);
  CHECK(store.source_counts[1] == 2);
  const Instruction fp64 = one("0000 ffffffff 1 R8 DFMA 3 R0 R4 R255 0 0");
  CHECK(fp64.destination == 9);
  CHECK(fp64.destination_count == 2);
  CHECK(fp64.sources[0] == 1);
  CHECK(fp64.source_counts[0] == 2);
  CHECK(fp64.sources[2] == 0);  // RZ
  CHECK(fp64.flops == 2);
  CHECK(one("0000 ffffffff 1 R8 IMAD.WIDE.U32 3 R0 R4 R6 0 0").destination_count == 2);
}

TEST_CASE("accel_sim_opcodes_become_classes_and_spaces") {
  CHECK(one("0 ffffffff 1 R1 FFMA 3 R1 R2 R3 0 0").flops == 2);
  CHECK(one("0 ffffffff 1 R1 HFMA2.BF16_V2 3 R1 R2 R3 0 0").op_class == OpClass::fp16);
  CHECK(one("0 ffffffff 1 R1 MUFU.RSQ 1 R1 0 0").op_class == OpClass::special);
  CHECK(one("0 ffffffff 0 BAR.SYNC 0 0 0").op_class == OpClass::barrier);
  CHECK(one("0 ffffffff 0 BAR.ARV 0 0 0").barrier_part == strata::trace::BarrierPart::arrive);
  CHECK(one("0 ffffffff 0 MEMBAR.SC.GPU 0 0 0").scope == strata::trace::Scope::gpu);
  CHECK(one("0 ffffffff 0 MEMBAR.SC.SYS 0 0 0").scope == strata::trace::Scope::system);
  CHECK(one("0 ffffffff 0 DEPBAR.LE 0 0 0").dependent);
  CHECK(one("0 ffffffff 0 RED.E.ADD.STRONG.GPU 2 R2 R3 4 1 0x1000 4 0").operation == Operation::atomic);
  CHECK(one("0 ffffffff 1 R1 LDG.E.STRONG.GPU 1 R2 4 1 0x1000 4 0").cache_operator == CacheOperator::cg);
  CHECK(one("0 ffffffff 1 R1 LDG.E.STRONG.SYS 1 R2 4 1 0x1000 4 0").cache_operator == CacheOperator::cv);
  CHECK(one("0 ffffffff 1 R1 LDG.E.64.SYS 1 R2 8 1 0x1000 8 0").cache_operator == CacheOperator::ca);
  CHECK(one("0 ffffffff 1 R1 LDG.E.U8 1 R2 1 1 0x1000 1 0").bytes_per_lane == 1);
  CHECK(one("0 ffffffff 1 R1 LDS.64 1 R2 8 1 0x10 8 0").space == Space::shared);
  const Instruction generic = one("0 ffffffff 1 R1 LD.E 1 R2 4 1 0x00007f5500000100 4 0");
  CHECK(generic.space == Space::shared);
  CHECK(generic.address(0) == 0x100);
  CHECK(one("0 ffffffff 1 R1 LD.E 1 R2 4 1 0x00007f5300000100 4 0").space == Space::global);
  // m16n8k16: 16 x 8 x 16 multiply-adds of a warp.
  CHECK(one("0 ffffffff 1 R1 HMMA.16816.F32 3 R1 R2 R3 0 0").flops == 2 * 16 * 8 * 16 / 32);
  CHECK(one("0 ffffffff 1 R24 HGMMA.64x128x16.F32 2 R1 R2 0 0").flops == 2 * 64 * 128 * 16 / 128);
}

TEST_CASE("local_memory_makes_the_words_of_a_warp_adjacent") {
  const Instruction i = one("0 0000000f 1 R1 LDL 1 R2 4 1 0x00007f5600000008 0 0");
  for (unsigned lane = 0; lane < 4; ++lane) CHECK(i.address(lane) == 0x00007f5600000000U + 2 * 128 + lane * 4);
}

TEST_CASE("an_unknown_opcode_is_counted_and_timed_as_integer") {
  ImportReport report;
  const auto all = instructions("0 ffffffff 1 R1 FROB.X 1 R2 0 0\n0 ffffffff 1 R1 FROB.Y 1 R2 0 0\n", 2, report);
  CHECK(all[1].op_class == OpClass::integer);
  CHECK(report.unknown.size() == 1);
  CHECK(report.unknown.at("FROB") == 2);
}

TEST_CASE("ignored_traffic_of_an_unknown_opcode_is_reported") {
  ImportReport report;
  const auto all = instructions("0 00000001 1 R1 FROB 1 R2 4 0 0x1000\n", 1, report);
  CHECK(all[0].op_class == OpClass::integer);
  CHECK(report.counted.contains("an instruction of the unknown opcode FROB accesses memory; its traffic is ignored"));
}

TEST_CASE("opcodes_are_sorted_and_unique") {
  const auto table = sass_opcodes();
  for (std::size_t i = 1; i < table.size(); ++i) CHECK(table[i - 1].name < table[i].name);
  for (const auto& row : table) CHECK(find_sass(row.name) == &row);
  for (const auto& row : table) CHECK((row.op_class == OpClass::access) == (row.space != SassSpace::none));
}

TEST_CASE("older_tracers_and_line_numbers_put_more_in_front") {
  std::string text = head;
  text.replace(text.find("version = 5"), 11, "version = 2");
  ImportReport report;
  CHECK(imported(text + block("1 0 0 3 0000 ffffffff 0 EXIT 0 0 0\n", 1), report).size() == 1);
  text = head;
  text.replace(text.find("lineinfo = 0"), 12, "lineinfo = 1");
  CHECK(imported(text + block("77 0000 ffffffff 0 EXIT 0 0 0\n", 1), report).size() == 1);
}

TEST_CASE("errors_of_accel_sim_traces_name_file_and_line") {
  ImportReport report;
  const auto error = [&](const std::string& text) { return error_of([&] { imported(text, report); }); };
  const std::string exit = "0000 ffffffff 0 EXIT 0 0 0\n";
  CHECK(error("").find("kernel-1.traceg: the header lacks") == 0);
  CHECK(error(head + block(exit, 2)).find("kernel-1.traceg:25: warp 0 lacks 1") == 0);
  CHECK(error(head + block(exit + exit, 1)).find("more instructions than 'insts' states") != std::string::npos);
  CHECK(error(head + block("0000 ffffffff 0 EXIT 0\n", 1)).find("kernel-1.traceg:23:") == 0);
  CHECK(
      error(head + block("zz ffffffff 0 EXIT 0 0\n", 1)).find("kernel-1.traceg:23:1: 'zz' is not a program counter") ==
      0);
  CHECK(error(head + block("00 1ffffffff 0 EXIT 0 0\n", 1)).find("a mask of 32 lanes") != std::string::npos);
  CHECK(error(head + block("00 f 1 R300 MOV 0 0\n", 1)).find("a register is 300") != std::string::npos);
  CHECK(error(head + block("00 f 1 R1 LDG.E 1 R2 4 0 0x1 0x2 0x3\n", 1)).find("the line ends where an address") !=
        std::string::npos);
  CHECK(error(head + block("00 f 1 R1 LDG.E 1 R2 4 9 0x1\n", 1)).find("a form of addresses is 9") != std::string::npos);
  CHECK(error(head + block(exit, 1, "2,0,0")).find("outside the grid") != std::string::npos);
  CHECK(error(head + block(exit, 1) + block(exit, 1)).find("block 0 comes twice") != std::string::npos);
}

TEST_CASE("an_accel_sim_trace_truncated_anywhere_is_an_error") {
  ImportReport report;
  std::string text = head + block("0000 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 4 0\n0010 ffffffff 0 EXIT 0 0 0\n", 2) +
                     block("0000 ffffffff 0 EXIT 0 0 0\n", 1, "1,0,0");
  text.replace(text.find("(1,1,1)"), 7, "(2,1,1)");
  CHECK(imported(text, report).size() == 1);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string error = error_of([&] { imported(text.substr(0, length), report); });
    CAPTURE(length, error);
    REQUIRE(error.starts_with("kernel-1.traceg"));
  }
}

TEST_CASE("a_list_of_kernels_opens_each_in_order_and_stays_in_its_folder") {
  ImportReport report;
  MemorySink sink;
  TraceWriter writer(sink);
  std::vector<std::string> opened;
  const OpenText open = [&](const std::string& name) -> std::unique_ptr<TextSource> {
    opened.push_back(name);
    return std::make_unique<MemoryText>(head + block("0 1 0 EXIT 0 0 0\n", 1), 100, name);
  };
  MemoryText list("MemcpyHtoD,0x00007f0000000000,1024\nkernel-1.traceg\n\nkernel-2.traceg.xz\n", 5, "kernelslist.g");
  import_accel_sim_list(list, open, writer, report);
  writer.finish();
  CHECK(opened == std::vector<std::string>{"kernel-1.traceg", "kernel-2.traceg.xz"});
  CHECK(open_trace(source_of(sink.bytes)).size() == 2);
  for (const char* bad : {"kernel-../../secret\n", "/etc/passwd\n", "\n"}) {
    MemoryText other(bad, 5, "kernelslist.g");
    CHECK(error_of([&] { import_accel_sim_list(other, open, writer, report); }).starts_with("kernelslist.g"));
  }
}

namespace {
// Instructions as in a replay: repeated ones separately, and for registers the dependences on
// other instructions.
struct Step {
  Instruction instruction;
  std::uint8_t destination = 0;
};
std::vector<Step> steps_of(strata::trace::Kernel& kernel, std::uint64_t block, std::uint32_t warp) {
  const auto streams = kernel.open(block);
  std::vector<Step> steps;
  Instruction i;
  while (streams->warp(warp).next(i)) {
    const unsigned repeat = i.repeat;
    i.repeat = 1;
    for (unsigned k = 0; k < repeat; ++k) steps.push_back({i, k + 1 < repeat ? std::uint8_t{0} : i.destination});
  }
  return steps;
}
}  // namespace

TEST_CASE("a_kernel_written_in_the_form_of_accel_sim_is_read_back_as_the_same") {
  for (const char* text : {"vecadd,n=1000", "sgemm_tiled,n=64", "transpose_tiled,n=64", "reduction,n=9999,blocks=3",
                           "copy_passes,bytes=64KiB,blocks=4", "stencil7,n=32", "gather,n=999", "atomic_add,n=300",
                           "lbm_d3q19,n=16", "triad,bytes=64KiB", "gravity,width=40,height=20,sources=8"}) {
    CAPTURE(text);
    const auto kernel = strata::kernels::make_kernel(text, {});
    MemorySink sink;
    AccelSimWriter writer(sink);
    copy_kernel(*kernel, writer);
    ImportReport report;
    const auto list = imported(std::string(sink.bytes.begin(), sink.bytes.end()), report);
    CHECK(report.unknown.empty());
    for (std::uint64_t b = 0; b < kernel->info().blocks(); b += 3)
      for (std::uint32_t w = 0; w < kernel->info().warps_per_block(); ++w) {
        const auto expected = steps_of(*kernel, b, w);
        const auto read = steps_of(*list[0], b, w);
        REQUIRE(read.size() == expected.size());
        for (std::size_t k = 0; k < read.size(); ++k) {
          Instruction a = read[k].instruction, e = expected[k].instruction;
          REQUIRE(read[k].destination == expected[k].destination);
          REQUIRE(a.sources == e.sources);
          a.destination = e.destination;
          a.destination_count = e.destination_count;
          a.source_counts = e.source_counts;
          REQUIRE(same(a, e));
        }
      }
  }
}
