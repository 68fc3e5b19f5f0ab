// SPDX-License-Identifier: Apache-2.0
// strata trace and strata check, as a user runs them.
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

TEST_CASE("traces_go_to_text_and_back_without_loss") {
  const Scratch folder;
  REQUIRE(run(folder, {"trace", "record", "sgemm_tiled,n=64", "a.strace"}).exit_code == 0);
  REQUIRE(run(folder, {"trace", "convert", "a.strace", "a.txt"}).exit_code == 0);
  REQUIRE(run(folder, {"trace", "convert", "a.txt", "b.strace"}).exit_code == 0);
  CHECK(folder.read("a.strace") == folder.read("b.strace"));
  const Outcome text = run(folder, {"trace", "convert", "a.strace", "-"});
  CHECK(text.out == folder.read("a.txt"));
  const Outcome info = run(folder, {"trace", "info", "a.strace"});
  CHECK(info.exit_code == 0);
  CHECK(info.out.find("sgemm_tiled") != std::string::npos);
  const Outcome check = run(folder, {"check", "a.strace"});
  CHECK(check.exit_code == 0);
  // 4 blocks of 32 warps, 41 instructions and 86 for each of 2 tiles.
  CHECK(check.out.find("27264 warp instructions, all valid") != std::string::npos);
}

// The dies of an MI300X are processes, and a file is read in one place at a time.
TEST_CASE("a_trace_gives_the_same_result_on_any_number_of_threads") {
  const Scratch folder;
  REQUIRE(run(folder, {"trace", "record", "stencil7,n=32", "a.strace", "--warp-width", "64"}).exit_code == 0);
  const auto replayed = [&](const char* threads) {
    const Outcome outcome = run(folder, {"run", "--gpu", "mi300x", "--trace", "a.strace", "--threads", threads, "-q"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  const std::string alone = replayed("1");
  for (int i = 0; i < 8; ++i) CHECK(replayed("2") == alone);
}

TEST_CASE("what_accel_sims_form_cannot_say_is_refused_with_those_that_hold_it") {
  const Scratch folder;
  const auto refused = [&](const std::vector<std::string>& words, const std::string& what) {
    const Outcome outcome = run(folder, words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "k.traceg: " + what + " cannot be written in Accel-Sim's form; .strace and .txt hold it\n");
  };
  refused({"trace", "record", "vecadd,n=1000", "k.traceg", "--warp-width", "16"}, "a warp of other than 32 lanes");
  folder.write("two.txt",
               "strata-trace 1\nkernel \"a\" grid 1 1 1 block 32 1 1\nblock 0\nwarp 0\n  exit\n"
               "kernel \"b\" grid 1 1 1 block 32 1 1\nblock 0\nwarp 0\n  exit\nend\n");
  REQUIRE(run(folder, {"check", "two.txt"}).exit_code == 0);
  REQUIRE(run(folder, {"trace", "convert", "two.txt", "two.strace"}).exit_code == 0);
  refused({"trace", "convert", "two.strace", "k.traceg"}, "a second kernel of a file");
  CHECK(folder.names() == std::vector<std::string>{"two.strace", "two.txt"});
}

TEST_CASE("a_kernel_that_reads_values_has_no_trace") {
  const Scratch folder;
  const Outcome outcome = run(folder, {"trace", "record", "spin_lock,blocks=2", "a.strace"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "spin_lock,blocks=2: depends on values that it reads from memory, so its instructions are known only during a "
        "run (run it: "
        "strata run --kernel spin_lock,blocks=2)\n");
  CHECK(run(folder, {"check", "a.strace"}).exit_code == 2);
}

TEST_CASE("a_truncated_trace_is_refused_with_exit_2_and_no_output_is_written") {
  const Scratch folder;
  REQUIRE(run(folder, {"trace", "record", "vecadd,n=1000", "a.strace"}).exit_code == 0);
  const std::string whole = folder.read("a.strace");
  folder.write("cut.strace", whole.substr(0, whole.size() / 2));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "cut.strace"},
                                                {"trace", "info", "cut.strace"},
                                                {"trace", "convert", "cut.strace", "out.txt"}}) {
    const Outcome outcome = run(folder, words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("cut.strace: "));
    CHECK(outcome.err.find("chunk") != std::string::npos);
    CHECK(outcome.err.find("byte") != std::string::npos);
  }
  CHECK(folder.names() == std::vector<std::string>{"a.strace", "cut.strace"});
}

namespace {
// A warp with an unknown opcode, twice.
const char* const frobs =
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n0 1 0 FROB 0 0 0\n0 1 0 FROB.X 0 0 0\n"
    "0 1 0 EXIT 0 0 0\n#END_TB\n";
}  // namespace

TEST_CASE("imports_report_unknown_opcodes_once") {
  const Scratch folder;
  folder.write("kernel-1.traceg", frobs);
  const Outcome outcome = run(folder, {"trace", "import", "kernel-1.traceg", "k.strace"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("opcode FROB is not known (2 times)") != std::string::npos);
  CHECK(run(folder, {"trace", "import", "k.strace", "x.strace"}).exit_code == 2);
  CHECK(run(folder, {"trace", "convert", "kernel-1.traceg", "x.strace"}).exit_code == 2);
}

TEST_CASE("a_sweep_reports_unknown_opcodes_once_for_all_its_points") {
  const Scratch folder;
  folder.write("a.traceg", frobs);
  folder.write("b.traceg", frobs);
  const auto told = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"sweep", "--gpu", "b580", "run", "--quiet", "--csv", "-", "--vary", "memory.latency=*1,*2"});
    const Outcome outcome = run(folder, more);
    CHECK(outcome.exit_code == 0);
    std::string notes;  // minus those of values without effect
    for (std::size_t at = 0; at < outcome.err.size();) {
      const std::size_t end = outcome.err.find('\n', at);
      const std::string line = outcome.err.substr(at, end - at);
      if (line.find("opcode") != std::string::npos) notes += line + '\n';
      at = end + 1;
    }
    return notes;
  };
  const auto note = [](int times) {
    return "note: opcode FROB is not known (" + std::to_string(times) + " times); timed as integer arithmetic\n";
  };
  const Outcome alone = run(folder, {"run", "--gpu", "b580", "--quiet", "--trace", "a.traceg"});
  CHECK(alone.err == "note: a header does not state the registers per thread; read as 32 (1 time)\n" + note(2));
  CHECK(told({"--trace", "a.traceg"}) == note(2));
  CHECK(told({"--trace", "a.traceg", "--vary", "caches=cold,warm"}) == note(2));
  CHECK(told({"--vary", "trace=a.traceg,b.traceg"}) == note(4));
  CHECK(told({"--kernel", "copy,bytes=64KiB"}).empty());
}

TEST_CASE("check_reports_the_notes_of_an_import") {
  const Scratch folder;
  folder.write("a.csv", "cycle,warp,op,address,bytes\n0,15,load,0x1000,128\n");
  const Outcome outcome = run(folder, {"check", "a.csv", "--json", "out.json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("1 of 2 blocks make no access; they are still launched: block n has the warps 8n to 8n + 7") !=
        std::string::npos);
  CHECK(folder.read("out.json").find("1 of 2 blocks make no access") != std::string::npos);
}

TEST_CASE("a_kernel_of_more_blocks_than_can_be_run_is_refused") {
  const Scratch folder;
  folder.write("t.txt",
               "strata-trace 1\nkernel \"k\" grid 2147483647 65535 1 block 32 1 1\nblock 0\nwarp 0\nexit\nend\n");
  const Outcome outcome = run(folder, {"run", "--gpu", "b580", "--trace", "t.txt", "--quiet"});
  CAPTURE(outcome.out);
  CHECK(outcome.exit_code == 2);
  CAPTURE(outcome.err);
  CHECK(outcome.err.find("has 140735340806145 blocks, and at most 68719476736 can be run") != std::string::npos);
}
