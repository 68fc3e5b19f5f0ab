// SPDX-License-Identifier: Apache-2.0
// How many requests a second of the host the channel serves. Hidden: a clock on
// the wall is no judge of right and wrong. Run with `test_dram "[speed]" -s`.
#include <chrono>
#include <cstdio>

#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {
namespace {

void measure(const char* name, const ChannelSpec& spec, const std::function<Access(std::uint64_t)>& pattern) {
  double best = 1e30;
  double share = 0;
  const std::uint64_t count = 400000;
  for (int i = 0; i < 5; ++i) {
    Bench bench(spec);
    const auto begin = std::chrono::steady_clock::now();
    share = bench.saturate(pattern, 1000, count).share;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / static_cast<double>(count));
  }
  std::printf("%-44s %7.1f ns a request, %6.2f M/s, %5.1f %% of the pins\n", name, best, 1e3 / best, 100 * share);
}

ChannelSpec with_queue(ChannelSpec spec, std::uint32_t depth) {
  spec.controller.read_queue = depth;
  return spec;
}

}  // namespace

TEST_CASE("requests a second on the host", "[.speed]") {
  for (const Refresh refresh : {Refresh::all_bank, Refresh::per_bank}) {
    const bool all = refresh == Refresh::all_bank;
    std::printf("%s refresh\n", all ? "all-bank" : "per-bank");
    const ChannelSpec hbm3 = with_refresh(r_hbm3(), refresh), hbm2 = with_refresh(r_hbm2(), refresh), gddr6 = with_refresh(r_gddr6(), refresh);
    const auto capacity = [](const ChannelSpec& spec) { return AddressMap(spec.address_map, spec.organisation).capacity(); };
    measure("HBM3 random reads, queue 32", with_queue(hbm3, 32), random_reads(capacity(hbm3)));
    measure("HBM3 stream of bursts, queue 32", with_queue(hbm3, 32), stream());
    measure("HBM3 two reads one write, queue 64", hbm3, two_reads_one_write(stream()));
    measure("HBM3 random two reads one write, queue 64", hbm3, two_reads_one_write(random_reads(capacity(hbm3))));
    ChannelSpec blocks = with_map(hbm3, blocks_in_a_row);
    blocks.controller.page_policy = PagePolicy::closed;
    blocks.address_map.hash_banks = true;
    const auto whole = [](std::uint64_t k) { return Access{4 * k, false, 4}; };
    measure("HBM3 stream of 128 B blocks, queue 32", with_queue(blocks, 32), whole);
    measure("HBM3 stream of 128 B blocks, queue 64", blocks, whole);
    measure("HBM3 128 B blocks, two reads one write", blocks, two_reads_one_write(whole));
    const std::uint64_t end = capacity(blocks) / 4;
    measure("HBM3 random 128 B blocks, queue 64", blocks, [=](std::uint64_t k) { return Access{mix(7, k) % end * 4, false, 4}; });
    measure("HBM2 random reads, queue 32", with_queue(hbm2, 32), random_reads(capacity(hbm2)));
    measure("HBM2 stream of bursts, queue 32", with_queue(hbm2, 32), stream());
    measure("GDDR6 random reads, queue 32", with_queue(gddr6, 32), random_reads(capacity(gddr6)));
    measure("GDDR6 stream of bursts, queue 32", with_queue(gddr6, 32), stream());
  }
}

}  // namespace strata::dram::test
