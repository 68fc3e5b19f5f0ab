// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;
using strata::trace::Instruction;

TEST_CASE("a_native_trace_replays_what_the_kernel_issued") {
  for (const char* text : {"vecadd,n=5000", "sgemm_tiled,n=96", "spmv_csr,n=500", "histogram,n=20000",
                           "lbm_d3q19,n=16,step=1", "stencil7,n=32", "reduction,n=20000,blocks=9",
                           "tmem_mma,n=256,depth=32", "atomic_pingpong,hops=9", "gather,n=3000"}) {
    CAPTURE(text);
    const auto kernel = strata::kernels::make_kernel(text, {});
    const auto list = open_trace(source_of(traced({text})));
    REQUIRE(list.size() == 1);
    CHECK(list[0]->info().name == kernel->info().name);
    CHECK(list[0]->info().grid == kernel->info().grid);
    CHECK(list[0]->info().block == kernel->info().block);
    CHECK(list[0]->info().shared_bytes == kernel->info().shared_bytes);
    CHECK(same_streams(*list[0], *kernel));
  }
}

TEST_CASE("bulk_copies_and_what_a_block_does_with_tensor_memory_are_replayed") {
  for (const char* text : {"tmem_mma,n=256,depth=32", "tensor_products,count=9,n=64,k=8,bits=4",
                           "tmem_mma,n=512,depth=32,cluster=2", "histogram,n=20000,cluster=4"}) {
    CAPTURE(text);
    const strata::kernels::Target target{.warp_width = 32, .cores = 1, .tensor_memory = true};
    const auto kernel = strata::kernels::make_kernel(text, target);
    MemorySink sink;
    TraceWriter writer(sink);
    copy_kernel(*kernel, writer);
    writer.finish();
    const auto list = open_trace(source_of(sink.bytes));
    CHECK(same_streams(*list[0], *kernel));
    CHECK(list[0]->info().cluster == kernel->info().cluster);
    // Only barriers say what barriers have.
    const std::string written = text_of(sink.bytes);
    for (std::size_t at = written.find(" cluster\n"); at != std::string::npos; at = written.find(" cluster\n", at + 1))
      CHECK(written.substr(written.rfind('\n', at) + 1, 9) == "  barrier");
  }
}

TEST_CASE("a_launch_list_keeps_its_kernels_in_order") {
  const auto list = open_trace(source_of(traced({"vecadd,n=100", "copy,bytes=4KiB", "vecadd,n=300"})));
  REQUIRE(list.size() == 3);
  CHECK(list[0]->info().grid.x == 1);
  CHECK(list[1]->info().name == "copy");
  CHECK(list[2]->info().grid.x == 2);
}

TEST_CASE("a_block_longer_than_a_chunk_replays_warp_by_warp_in_any_order") {
  // 8 warps of 8000 loads, some 5 bytes each: several chunks of 64 KiB.
  const char* text = "atomic_add,n=256,repeats=8000,addresses=100000";
  const auto list = open_trace(source_of(traced({text})));
  const auto kernel = strata::kernels::make_kernel(text, {});
  const auto traced_block = list[0]->open(0);
  const auto block = kernel->open(0);
  Instruction a, b;
  // A few of each in turn, from the last warp down.
  for (bool any = true; any;) {
    any = false;
    for (std::uint32_t w = 8; w-- > 0;)
      for (unsigned k = 0; k < 7; ++k) {
        const bool more = block->warp(w).next(a);
        REQUIRE(traced_block->warp(w).next(b) == more);
        if (more) REQUIRE(same(a, b));
        any |= more;
      }
  }
}

TEST_CASE("blocks_may_be_written_in_any_order_and_missing_ones_are_empty") {
  strata::trace::KernelInfo info;
  info.name = "sparse";
  info.grid = {100000, 1, 1};
  info.block = {64, 1, 1};
  MemorySink sink;
  TraceWriter writer(sink);
  writer.begin_kernel(info);
  Instruction i;
  i.bytes_per_lane = 4;
  i.strided = true;
  for (const std::uint64_t block : {70000U, 3U, 99999U, 4U}) {
    writer.begin_block(block);
    writer.begin_warp(1);
    i.addresses[0] = block * 128;
    writer.add(i);
    writer.end_block();
  }
  writer.end_kernel();
  writer.finish();
  const auto list = open_trace(source_of(sink.bytes));
  Instruction read;
  for (const std::uint64_t block : {3U, 4U, 70000U, 99999U}) {
    const auto streams = list[0]->open(block);
    CHECK_FALSE(streams->warp(0).next(read));
    REQUIRE(streams->warp(1).next(read));
    CHECK(read.addresses[0] == block * 128);
    CHECK_FALSE(streams->warp(1).next(read));
  }
  CHECK_FALSE(list[0]->open(5)->warp(1).next(read));
}

TEST_CASE("a_trace_lists_the_regions_it_touches_in_pieces_of_2_mib") {
  const std::uint64_t piece = 2U << 20U;
  const auto info = open_trace(source_of(traced({"copy,bytes=3MiB"})))[0]->info();
  // Arrays of 3 MiB at 2 MiB and at 6 MiB: granules 1, 2 and 3, 4.
  CHECK(info.regions == std::vector<strata::trace::Region>{{piece, 4 * piece}});
  TouchedRegions touched;
  for (const std::uint64_t at : {9U, 2U, 4U, 3U, 9U, 20U}) touched.touch(at * piece + 5, 4);
  touched.touch(12 * piece - 1, 2);  // across the border
  CHECK(touched.list() ==
        std::vector<strata::trace::Region>{
            {2 * piece, 3 * piece}, {9 * piece, piece}, {11 * piece, 2 * piece}, {20 * piece, piece}});
}

TEST_CASE("writers_refuse_blocks_twice_and_warps_out_of_order") {
  strata::trace::KernelInfo info;
  info.grid = {2, 1, 1};
  info.block = {128, 1, 1};
  MemorySink sink;
  TraceWriter writer(sink);
  writer.begin_kernel(info);
  CHECK_THROWS_AS(writer.begin_block(2), std::invalid_argument);
  writer.begin_block(1);
  writer.begin_warp(2);
  writer.add({});
  CHECK_THROWS_AS(writer.begin_warp(2), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_warp(4), std::invalid_argument);
  writer.end_block();
  writer.begin_block(1);
  writer.begin_warp(0);
  writer.add({});
  writer.end_block();
  CHECK_THROWS_AS(writer.end_kernel(), std::invalid_argument);
}

TEST_CASE("a_summary_counts_what_was_written") {
  MemorySource source(traced({"sgemm_tiled,n=64", "vecadd,n=512"}));
  const TraceSummary summary = summarise(source);
  REQUIRE(summary.kernels.size() == 2);
  // 4 blocks of 32 warps, 41 instructions and 86 for each of 2 tiles.
  CHECK(summary.kernels[0].instructions == 4 * 32 * (41 + 2 * 86));
  CHECK(summary.kernels[0].blocks_with_instructions == 4);
  CHECK(summary.kernels[1].instructions == 16 * 20);
  CHECK(verify_trace(source_of(traced({"sgemm_tiled,n=64"}))) == 4 * 32 * (41 + 2 * 86));
}

TEST_CASE("opening_a_long_trace_reads_its_index_only") {
  const Buffer bytes = traced({"gather,n=200000"});
  const auto source = source_of(bytes);
  const auto list = open_trace(source);
  CHECK(source->bytes_read() < 1000);
  const auto block = list[0]->open(400);
  Instruction i;
  CHECK(block->warp(0).next(i));
  // A page of the index and one chunk.
  CHECK(source->bytes_read() < bytes.size() / 10);
}

TEST_CASE("CU-15: numbers_in_a_trace_are_little_endian") {
  Buffer bytes;
  put_u32(bytes, 0x01020304);
  CHECK(bytes == Buffer{4, 3, 2, 1});
  bytes.clear();
  put_u64(bytes, 0x0102030405060708);
  CHECK(bytes == Buffer{8, 7, 6, 5, 4, 3, 2, 1});
  // And so is the version behind the name of a file.
  const Buffer file = traced({"vecadd,n=100"});
  const std::string magic = "\x89STRACE";
  REQUIRE(std::equal(magic.begin(), magic.end(), file.begin(),
                     [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }));
  CHECK(Buffer(file.begin() + 8, file.begin() + 12) == Buffer{1, 0, 0, 0});
}
