// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "catch.hpp"
#include "formats/import/import.hpp"
#include "formats/lines.hpp"
#include "formats/native/reader.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;

namespace {
const char* const example = R"(strata-trace 1
# a comment
kernel "two \"quoted\" words\x0a" grid 2 1 1 block 64 1 1 registers 40 shared 128 warp_width 32
block 0
warp 0
  integer d3 s1 s2 repeat=7
  load global ca 16 d4:4 s2:2 @0x200000+16
  fp32 d8 s4 s0 s8 flops=2
  store shared ca 4 s0 s8 mask=0xf0f @0x0,0x4,0x8,0x10,0x20,0x40,0x80,0x100
  atomic global cg 4 d9 s2:2 s8 mask=0x80000000 @0xfffffffffffffffc
  cas shared ca 4 d9 s2:2 s8 s9 mask=0x1 @0x10
  load global ca 4 d9 s2:2 mask=0x0
  load global cv 4 d9 s2:2 @0x200000+4
  barrier number=3 warps=2 arrive
  fence scope=gpu
  control dependent cycle=100
  tensor_allocate mask=0x1 columns=64
  load bulk ca 64 d20 @0x200000+64
  store cluster ca 4 s8 @0x10+4
  load tensor ca 64 d24:16 @0x200010+65536
  tensor_product d40 mask=0x1 m=128 n=64 k=16 bits=8 a_from_tensor
  tensor_free mask=0x1 columns=64
  exit
block 1
warp 1
  exit
end
)";
}

TEST_CASE("text_to_native_and_back_gives_the_same_text") {
  std::string plain = example;
  plain.erase(plain.find("# a comment\n"), 12);
  const std::string back = text_of(native_of(example));
  // Warps and blocks without instructions are written too.
  std::string expected = plain;
  expected.replace(expected.find("block 1\nwarp 1"), 14, "warp 1\nblock 1\nwarp 0\nwarp 1");
  CHECK(back == expected);
}

// A block has 128 B of it: the store's last lane ends at 0x104, the compare-and-swap at 0x14.
TEST_CASE("accesses_beyond_the_shared_memory_of_a_block_are_counted") {
  ImportReport report;
  verify_trace(source_of(native_of(example)), &report);
  REQUIRE(report.counted.size() == 1);
  CHECK(report.counted.begin()->first == "an access lies beyond the shared memory that its kernel says a block has");
  CHECK(report.counted.begin()->second == 1);
}

TEST_CASE("native_to_text_and_back_gives_the_same_bytes") {
  for (const char* text :
       {"sgemm_tiled,n=64", "lbm_d3q19,n=16", "spmv_csr,n=100", "histogram,n=3000", "reduction,n=5000,blocks=3"}) {
    CAPTURE(text);
    const Buffer native = traced({text, "vecadd,n=77"});
    CHECK(native_of(text_of(native)) == native);
    CHECK(native_of(text_of(native), 1) == native);  // byte by byte
  }
}

TEST_CASE("errors_of_the_text_name_line_and_column") {
  const auto error = [](std::string text) { return error_of([&] { native_of(text); }); };
  const std::string head = "strata-trace 1\nkernel \"k\" grid 1 1 1 block 32 1 1\nblock 0\nwarp 0\n";
  CHECK(error("") == "t.txt: does not begin with 'strata-trace 1'");
  CHECK(error(head).find("t.txt:4: ends without 'end'") == 0);
  CHECK(error(head + "  fp33 d1\nend\n").find("t.txt:5:3: there is no instruction 'fp33'") == 0);
  CHECK(error(head + "  tensor_allocate columns=65536\nend\n").find("a size of Tensor Memory") != std::string::npos);
  CHECK(error(head + "  integer columns=64\nend\n").find("'columns=64' is not a part of an instruction") !=
        std::string::npos);
  CHECK(error(head + "  store bulk ca 64 multicast=0x3 @0x0+64\nend\n").find("multicast is for bulk loads") !=
        std::string::npos);
  CHECK(error(head + "  integer cluster\nend\n").find("only a barrier is of a cluster") != std::string::npos);
  CHECK(error(head + "  tensor_product repeat=2 m=1 n=1 k=1\nend\n").find("it is not repeated") != std::string::npos);
  CHECK(error(head + "  load global ca 0 @0x0\nend\n").find("t.txt:5:") == 0);
  CHECK(error(head + "  load global ca 4\nend\n").find("addresses do not agree with the mask") != std::string::npos);
  CHECK(error(head + "  load global ca 4 @0x200000\nend\n")
            .find("one address for 32 active lanes: write @first+stride, one each, or mask=0x1") != std::string::npos);
  CHECK(error(head + "  load global ca 4 @0x0,0x4,0x8\nend\n").find("3 addresses for 32 active lanes") !=
        std::string::npos);
  CHECK(error(head + "  load global ca 4 mask=0x3 @0x0,0x4,0x8\nend\n").find("more addresses than active lanes") !=
        std::string::npos);
  CHECK(error(head + "  fp32 d256\nend\n").find("t.txt:5:8: a register is 256, more than 255") == 0);
  CHECK(error(head + "  fp32 d1 mask=0x1ffffffff\nend\n").find("more lanes than a warp has") != std::string::npos);
  for (const auto& [twice, part] : {std::pair{"exit pc=0x10 pc=0x20", "pc"},
                                    {"fp32 d1 s2 d3", "d"},
                                    {"load global ca 4 @0x0+4 @0x80+4", "@"},
                                    {"exit dependent dependent", "dependent"}})
    CHECK(error(head + twice + "\nend\n").find(fmt::format("'{}' for the second time", part)) != std::string::npos);
  CHECK(error(head + "end\nexit\n").find("t.txt:6:1: continues after 'end'") == 0);
  CHECK(error("strata-trace 1\nkernel \"k\" grid 0 1 1 block 32 1 1\nend\n").find("a dimension is 0") !=
        std::string::npos);
  CHECK(error(head + std::string(strata::formats::Lines::longest + 1, 'x')).find("a line of more than") !=
        std::string::npos);
}
