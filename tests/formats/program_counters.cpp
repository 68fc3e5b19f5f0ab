// SPDX-License-Identifier: Apache-2.0
// Where an instruction lies in its kernel's code, through every form of a trace that has it.
#include <limits>

#include "catch.hpp"
#include "formats/accel_sim/writer.hpp"
#include "formats/import/import.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;
using strata::trace::Instruction;
using strata::trace::no_pc;

namespace {

const std::string head =
    "strata-trace 1\n"
    "kernel \"loop\" grid 1 1 1 block 32 1 1 registers 16 shared 0 warp_width 32\n"
    "block 0\nwarp 0\n";

// A loop of two lines of code, one instruction without a place, and the last place that there is.
const std::string looping = head +
                            "  integer d3 s1 repeat=7 pc=0x0\n"
                            "  load global ca 4 d4 s3 pc=0x10 cycle=5 @0x200000+4\n"
                            "  fp32 d5 s4 flops=2\n"
                            "  control pc=0x90\n"
                            "  integer d3 s1 pc=0x0\n"
                            "  exit pc=0xfffffffe\n"
                            "end\n";

std::vector<Instruction> instructions(const Buffer& native) {
  const auto list = open_trace(source_of(native));
  const auto streams = list[0]->open(0);
  std::vector<Instruction> all;
  Instruction i;
  while (streams->warp(0).next(i)) all.push_back(i);
  return all;
}

std::vector<std::uint32_t> places(const Buffer& native) {
  std::vector<std::uint32_t> all;
  for (const Instruction& i : instructions(native)) all.push_back(i.pc);
  return all;
}

Buffer from_accel_sim(const std::string& text, ImportReport& report) {
  MemorySink sink;
  TraceWriter writer(sink);
  MemoryText source(text, 7, "kernel-1.traceg");
  import_accel_sim_kernel(source, writer, report);
  writer.finish();
  return sink.bytes;
}

}  // namespace

TEST_CASE("text_and_native_form_keep_program_counters") {
  const Buffer native = native_of(looping);
  CHECK(places(native) == std::vector<std::uint32_t>{0, 0x10, no_pc, 0x90, 0, no_pc - 1});
  CHECK(text_of(native) == looping);
  CHECK(native_of(text_of(native)) == native);
}

TEST_CASE("instructions_at_two_places_are_not_the_same") {
  Instruction one;
  one.addresses = {};
  Instruction other = one;
  other.pc = 16;
  CHECK(same(one, one));
  CHECK(same(other, other));
  CHECK_FALSE(same(one, other));
  CHECK(canonical(other).pc == 16);
}

TEST_CASE("accel_sim_traces_keep_program_counters") {
  std::string text = looping;
  text.replace(text.find(" cycle=5"), 8, "");  // of which that form has none
  const Buffer native = native_of(text);
  const auto list = open_trace(source_of(native));
  MemorySink sink;
  AccelSimWriter writer(sink);
  copy_kernel(*list[0], writer);
  ImportReport report;
  const std::string written(sink.bytes.begin(), sink.bytes.end());
  CHECK(written.find("\n0090 ffffffff 0 BRA ") != std::string::npos);
  // Repeated instructions lie at one place.
  CHECK(places(from_accel_sim(written, report)) ==
        std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 0, 0x10, no_pc, 0x90, 0, no_pc - 1});
}

TEST_CASE("a_program_counter_of_more_than_32_bits_is_not_known_and_counted") {
  const std::string text =
      "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
      "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = any\n\n"
      "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
      "7f0000000010 ffffffff 0 EXIT 0 0 0\n0020 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";
  ImportReport report;
  CHECK(places(from_accel_sim(text, report)) == std::vector<std::uint32_t>{no_pc, 0x20});
  REQUIRE(report.counted.size() == 1);
  CHECK(report.counted.begin()->first.find("more than 32 bits") != std::string::npos);
}

TEST_CASE("a_false_program_counter_is_refused_with_its_place") {
  const auto text_error = [](const char* pc) {
    return error_of([&] { native_of(head + "  exit pc=" + pc + "\nend\n"); });
  };
  CHECK(text_error("0xffffffff").find("t.txt:5:") == 0);
  CHECK(text_error("0xffffffff").find("a program counter") != std::string::npos);
  CHECK(text_error("-1").find("t.txt:5:") == 0);
  CHECK(text_error("0x100000000").find("a program counter") != std::string::npos);

  const auto read = [](std::uint64_t to) {
    Buffer bytes{static_cast<unsigned char>(0x80U | static_cast<unsigned>(strata::trace::OpClass::exit)), 0x80};
    put_step(bytes, 0, to);
    Cursor in(bytes);
    RecordState state(32);
    Instruction i;
    read_record(in, state, i);
    return i.pc;
  };
  CHECK(read(0xFFFFFFFE) == 0xFFFFFFFE);
  for (const std::uint64_t beyond :
       {std::uint64_t{0xFFFFFFFF}, std::uint64_t{1} << 32U, std::numeric_limits<std::uint64_t>::max()})
    CHECK_THROWS_AS(read(beyond), Malformed);
}
