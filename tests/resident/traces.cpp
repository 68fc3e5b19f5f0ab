// SPDX-License-Identifier: Apache-2.0
// Resident memory of the program, from a test program that holds little itself: the system
// includes the memory of the parent at the start of a child.
#include "catch.hpp"
#include "program.hpp"
#include "sanitizers.hpp"

using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

TEST_CASE("a_trace_of_ten_million_instructions_is_read_in_little_memory") {
  const Scratch folder;
  // 16 x 16 blocks of 32 warps, 41 instructions and 86 for each of 16 tiles.
  REQUIRE(run(folder, {"trace", "record", "sgemm_tiled,n=512", "a.strace"}).exit_code == 0);
  const Outcome check = run(folder, {"check", "a.strace"});
  CHECK(check.out.find("11608064 warp instructions, all valid") != std::string::npos);
  // The address sanitizer keeps freed memory aside, so there the figure would be that of the
  // sanitizer.
#if !defined(STRATA_ADDRESS_SANITIZER)
  CHECK(check.peak_rss_bytes < (std::uint64_t{64} << 20U));
#endif
}
