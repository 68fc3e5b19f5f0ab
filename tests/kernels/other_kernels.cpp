// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "warps.hpp"

using namespace strata::test;
using strata::kernels::kernel_kinds;

TEST_CASE("every_kernel_of_the_contract_is_there_once") {
  std::set<std::string> names;
  for (const auto& row : kernel_kinds()) CHECK(names.emplace(row.name).second);
  for (const char* name : {"stream_read",     "stream_write",  "copy",      "scale",       "add",
                           "triad",           "pointer_chase", "gather",    "scatter",     "transpose_naive",
                           "transpose_tiled", "stencil7",      "lbm_d3q19", "sgemm_naive", "sgemm_tiled",
                           "spmv_csr",        "reduction",     "histogram", "atomic_add",  "atomic_pingpong",
                           "shared_stride",   "tmem_mma",      "empty",     "fma_chain"})
    CHECK(names.contains(name));
}

TEST_CASE("every_kernel_runs_to_its_end_at_every_warp_width") {
  for (const auto& row : kernel_kinds()) {
    CAPTURE(std::string(row.name));
    for (const std::uint32_t width : {16U, 32U, 64U}) {
      const auto kernel = strata::kernels::make_kernel(row.name, {width, 4});
      kernel->info().check();
      if (kernel->info().reads_values) continue;  // no memory answers here
      const auto streams = kernel->open(kernel->info().blocks() - 1);
      Instruction i;
      std::uint64_t issued = 0;
      for (std::uint32_t w = 0; w < kernel->info().warps_per_block(); ++w)
        while (issued < 100000 && streams->warp(w).next(i)) {
          ++issued;
          REQUIRE(std::popcount(i.active()) == i.lanes);
          REQUIRE((i.active() & ~strata::trace::first_lanes(width)) == 0);
        }
      CHECK(issued > 0);
    }
  }
}

TEST_CASE("a_kernel_gives_the_same_streams_each_time") {
  const auto one = make("gather,n=4096,seed=7");
  const auto other = make("gather,n=4096,seed=7");
  for (const std::uint32_t thread : {0U, 100U, 255U})
    CHECK(global_accesses(*one, 3, thread) == global_accesses(*other, 3, thread));
  CHECK(global_accesses(*one, 3, 0) != global_accesses(*make("gather,n=4096,seed=8"), 3, 0));
}

TEST_CASE("stream_kernels_move_each_array_once_a_pass") {
  const std::uint64_t bytes = 1 << 20U;
  for (const char* width : {"4", "8", "16"}) {
    const std::string size = std::string(",bytes=1MiB,width=") + width;
    CHECK(totals_of(*make(("stream_read" + size).c_str())).bytes_loaded == bytes);
    CHECK(totals_of(*make(("stream_write" + size).c_str())).bytes_stored == bytes);
    const Totals copy = totals_of(*make(("copy" + size + ",passes=2,blocks=3").c_str()));
    CHECK(copy.bytes_loaded == 2 * bytes);
    CHECK(copy.bytes_stored == 2 * bytes);
    const Totals triad = totals_of(*make(("triad" + size).c_str()));
    CHECK(triad.bytes_loaded == 2 * bytes);
    CHECK(triad.bytes_stored == bytes);
    CHECK(triad.flops == 2 * bytes / 4);
  }
}

TEST_CASE("stream_chunks_interleave_the_accesses_of_the_threads") {
  const auto kernel = make("stream_read,bytes=64KiB,width=16,threads=64,unroll=2,blocks=3");
  // 4096 accesses are 32 chunks of 64 threads by 2; block 1 takes 1, 4, 7 ...
  std::vector<LaneAccess> expected;
  for (std::uint64_t chunk = 1; chunk < 32; chunk += 3)
    for (std::uint64_t u = 0; u < 2; ++u) expected.push_back(ld((2U << 20U) + ((chunk * 2 + u) * 64 + 9) * 16, 16));
  CHECK(global_accesses(*kernel, 1, 9) == expected);
}

TEST_CASE("each_thread_of_stream_read_stores_its_sum_if_requested") {
  // 64 KiB are 16384 accesses; 3 blocks of 64 threads store 192 sums after the array.
  const std::string size = "stream_read,bytes=64KiB,width=4,threads=64,unroll=1,blocks=3";
  CHECK(totals_of(*make(size.c_str())).bytes_stored == 0);
  const auto kernel = make((size + ",sums=true").c_str());
  CHECK(totals_of(*kernel).bytes_loaded == 64 << 10U);
  CHECK(totals_of(*kernel).bytes_stored == 3 * 64 * 4);
  const auto accesses = global_accesses(*kernel, 2, 9);
  REQUIRE(accesses.size() == 16384 / 192 + 1);
  CHECK(accesses.back() == st((2U << 20U) + (64U << 10U) + (2 * 64 + 9) * 4, 4));
  CHECK_THROWS(make("copy,sums=true"));
}

TEST_CASE("lattice_boltzmann_moves_153_or_77_bytes_a_cell") {
  const std::uint64_t cells = 32 * 32 * 32;
  const Totals single = totals_of(*make("lbm_d3q19,n=32"));
  CHECK(single.bytes_loaded + single.bytes_stored == 153 * cells);
  const Totals half = totals_of(*make("lbm_d3q19,n=32,storage=fp16s,step=1"));
  CHECK(half.bytes_loaded + half.bytes_stored == 77 * cells);
  CHECK(single.flops == 261 * cells);
}

TEST_CASE("lattice_boltzmann_reads_and_writes_the_places_of_esoteric_pull") {
  // load_f and store_f of the published code, for a cell at the edge, where neighbours wrap.
  const int n = 32;
  const std::uint64_t cells = std::uint64_t{n} * n * n;
  const int dx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0};
  const int dy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 1, -1};
  const int dz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1, 1};
  const int x = 31, y = 0, z = 17;
  const auto at = [&](int i) {
    const auto wrap = [](int v) { return static_cast<std::uint64_t>((v + n) % n); };
    return wrap(x + dx[i]) + n * (wrap(y + dy[i]) + n * wrap(z + dz[i]));
  };
  for (const int step : {0, 1}) {
    const auto kernel = make(step == 0 ? "lbm_d3q19,n=32,step=0" : "lbm_d3q19,n=32,step=1");
    const std::uint64_t f = 2U << 20U;
    const std::uint64_t flags = (f + 19 * cells * 4 + 511) / 512 * 512;  // less than 2 MiB of them
    const std::uint64_t cell = at(0);
    const auto place = [&](std::uint64_t c, int i) { return f + (static_cast<std::uint64_t>(i) * cells + c) * 4; };
    std::vector<LaneAccess> expected{ld(flags + cell, 1), ld(place(cell, 0))};
    for (int i = 1; i < 19; i += 2) {
      expected.push_back(ld(place(cell, step % 2 == 1 ? i : i + 1)));
      expected.push_back(ld(place(at(i), step % 2 == 1 ? i + 1 : i)));
    }
    expected.push_back(st(place(cell, 0)));
    for (int i = 1; i < 19; i += 2) {
      expected.push_back(st(place(at(i), step % 2 == 1 ? i + 1 : i)));
      expected.push_back(st(place(cell, step % 2 == 1 ? i : i + 1)));
    }
    CHECK(global_accesses(*kernel, cell / 64, static_cast<std::uint32_t>(cell % 64)) == expected);
  }
}

TEST_CASE("gravity_covers_the_map_of_85_megabytes") {
  const auto kernel = make("gravity,sources=4");
  CHECK(kernel->info().blocks() == (2360 * 2250 + 255) / 256);
  const Totals totals = totals_of(*kernel);
  CHECK(totals.bytes_stored == 2360 * 2250 * 8);
  CHECK(totals.flops == 2360ULL * 2250 * 4 * 20);
}

TEST_CASE("histogram_counts_every_element_once") {
  const auto kernel = make("histogram,n=10000,bins=100");
  Instruction i;
  std::uint64_t counted = 0, added = 0;
  for (std::uint64_t b = 0; b < kernel->info().blocks(); ++b) {
    const auto streams = kernel->open(b);
    for (std::uint32_t w = 0; w < 8; ++w)
      while (streams->warp(w).next(i))
        if (i.is_access() && i.operation == strata::memory::Operation::atomic)
          (i.space == Space::shared ? counted : added) += i.lanes;
  }
  CHECK(counted == 10000);
  CHECK(added == kernel->info().blocks() * 100);
}

TEST_CASE("without_shared_memory_a_histogram_adds_each_element_to_a_global_bin") {
  const auto kernel = make("histogram,n=10000,bins=100,shared=false");
  CHECK(kernel->info().shared_bytes == 0);
  Instruction i;
  std::uint64_t added = 0;
  for (std::uint64_t b = 0; b < kernel->info().blocks(); ++b) {
    const auto streams = kernel->open(b);
    for (std::uint32_t w = 0; w < 8; ++w)
      while (streams->warp(w).next(i)) {
        CHECK(i.op_class != strata::trace::OpClass::barrier);
        if (!i.is_access()) continue;
        CHECK(i.space == Space::global);
        added += i.operation == strata::memory::Operation::atomic ? i.lanes : 0;
      }
  }
  CHECK(added == 10000);
}

TEST_CASE("false_sharing_puts_as_many_counters_into_a_line_as_its_stride_allows") {
  for (const auto& [stride, lines] :
       {std::pair{4U, 2U}, std::pair{32U, 16U}, std::pair{128U, 64U}, std::pair{512U, 64U}}) {
    CAPTURE(stride);
    const auto kernel =
        make(("false_sharing,blocks=64,updates=3,atomic=true,stride=" + std::to_string(stride) + "B").c_str());
    std::set<std::uint64_t> touched;
    std::uint64_t updates = 0;
    Instruction i;
    for (std::uint64_t b = 0; b < kernel->info().blocks(); ++b) {
      const auto streams = kernel->open(b);
      while (streams->warp(0).next(i)) {
        if (!i.is_access()) continue;
        CHECK(i.lanes == 1);
        touched.insert(i.address(0) / 128);
        ++updates;
      }
    }
    CHECK(updates == 64 * 3);
    CHECK(touched.size() == lines);
  }
  const Totals plain = totals_of(*make("false_sharing,blocks=8,updates=5,atomic=false"));
  CHECK(plain.bytes_loaded == 8 * 5 * 4);
  CHECK(plain.bytes_stored == 8 * 5 * 4);
}

TEST_CASE("tensor_product_makes_two_operations_for_each_product") {
  const Totals totals = totals_of(*make("tmem_mma,n=512,depth=32"));
  CHECK(totals.flops == 2ULL * 512 * 512 * 512);
  CHECK(totals.bytes_stored == 512 * 512 * 4);
  // Each of four warps makes a quarter of the 256 operations of 16 x 8 x 16 of a product: on a B200, whose
  // partitions make 1024 multiplications and additions a clock, 64 of 2 clk take 128 clk.
  CHECK(totals.flops / totals.tensor_operations == 2 * 16 * 8 * 16);
  // Each of the 2 x 4 tiles reads 128 rows of A and 256 of B, 2 B an element.
  CHECK(totals.bytes_loaded == 8ULL * (128 + 256) * 512 * 2);
}

TEST_CASE("with_tensor_memory_a_block_makes_each_product_once_and_copies_its_tiles") {
  const auto kernel = strata::kernels::make_kernel("tmem_mma,n=512,depth=32,stages=3",
                                                   {.warp_width = 32, .cores = 1, .tensor_memory = true});
  CHECK(kernel->info().shared_bytes == 3 * (128 + 256) * 32 * 2);
  std::uint64_t flops = 0, products = 0, copied = 0, loaded = 0, stored = 0, held = 0;
  std::map<std::uint64_t, unsigned> copies_of_first_tile;  // by address
  for (std::uint64_t b = 0; b < kernel->info().blocks(); ++b)
    for (std::uint32_t w = 0; w < 4; ++w)
      for (const Instruction& i : instructions_of(*kernel, b, w)) {
        const std::uint64_t bytes = std::uint64_t{i.lanes} * i.bytes_per_lane;
        flops += std::uint64_t{i.flops} * i.lanes;
        products += i.op_class == OpClass::tensor_product ? 1 : 0;
        if (i.op_class == OpClass::tensor_allocate) held += i.tensor.columns;
        if (i.op_class == OpClass::tensor_free) held -= i.tensor.columns;
        if (!i.is_access()) continue;
        if (i.space == Space::bulk) copied += bytes;
        if (i.space == Space::tensor) loaded += bytes;
        if (i.space == Space::global) stored += bytes;
        for (unsigned lane = 0; b == 0 && i.space == Space::bulk && lane < i.lanes; ++lane)
          ++copies_of_first_tile[i.address(lane)];
      }
  CHECK(held == 0);
  CHECK(flops == 2ULL * 512 * 512 * 512);
  CHECK(products == 8 * 512 / 16);
  CHECK(copied == 8ULL * (128 + 256) * 512 * 2);
  CHECK(loaded == 512 * 512 * 4);
  CHECK(stored == 512 * 512 * 4);
  // 128 rows of A and 256 of B of 1 KiB, each 64 B once.
  CHECK(copies_of_first_tile.size() == (128 + 256) * 1024 / 64);
  for (const auto& [address, times] : copies_of_first_tile) CHECK((times == 1 && address % 64 == 0));
}

TEST_CASE("blocks_of_a_cluster_meet_before_and_after_they_count_in_a_histogram") {
  for (const bool clusters : {false, true}) {
    const auto kernel = make(clusters ? "histogram,n=20000,cluster=4" : "histogram,n=20000");
    for (std::uint32_t w = 0; w < kernel->info().warps_per_block(); ++w) {
      unsigned barriers = 0;
      for (const Instruction& i : instructions_of(*kernel, 1, w)) {
        if (i.op_class != OpClass::barrier) continue;
        CHECK(i.of_cluster == clusters);
        ++barriers;
      }
      CHECK(barriers == 2);
    }
  }
}

TEST_CASE("wrong_names_and_values_of_kernels_are_reported_with_the_nearest_one") {
  const auto error = [](const char* text) {
    try {
      make(text);
    } catch (const strata::InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(error("stream_reed").find("did you mean 'stream_read'?") != std::string::npos);
  CHECK(error("triad,byte=4MiB").find("there is no parameter 'byte' (did you mean 'bytes'?)") != std::string::npos);
  CHECK(error("spin_lock,x=4").find("there is no parameter 'x' (parameters: ") != std::string::npos);
  CHECK(error("triad,bytes=4").find("--kernel") != std::string::npos);
  CHECK(error("sgemm_tiled,n=33").find("multiple of 32") != std::string::npos);
  CHECK(error("triad,bytes=4MiB,width=12").find("width") != std::string::npos);
}
