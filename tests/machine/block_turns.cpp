// SPDX-License-Identifier: Apache-2.0
// In which order cores get the blocks of a grid while the machine fills.
#include <map>
#include <memory>
#include <vector>

#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "kernels/catalogue.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "machine/blocks/shares.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

// Blocks whose warps have no instructions.
class Empty final : public trace::Kernel {
 public:
  Empty(std::uint32_t blocks, std::uint32_t threads, std::uint32_t cluster = 1) {
    info_.name = "empty";
    info_.cluster = cluster;
    info_.grid = {blocks, 1, 1};
    info_.block = {threads, 1, 1};
  }
  const trace::KernelInfo& info() const override { return info_; }
  std::unique_ptr<trace::BlockStreams> open(std::uint64_t) override { return std::make_unique<Block>(); }

 private:
  struct Block final : trace::BlockStreams, trace::WarpStream {
    trace::WarpStream& warp(std::uint32_t) override { return *this; }
    bool next(trace::Instruction&) override { return false; }
  };
  trace::KernelInfo info_;
};

// The cores of blocks 0, 1, .. that are dispatched at the launch, before any has ended.
std::vector<std::uint32_t> filled(const MachineSpec& spec, std::uint32_t blocks, std::uint32_t threads,
                                  std::uint32_t cluster = 1) {
  Machine machine(spec);
  Empty kernel(blocks, threads, cluster);
  std::vector<std::uint32_t> cores;
  Dispatcher dispatcher(machine, kernel, "", {});
  dispatcher.watch({[](void* self, std::uint64_t block, std::uint32_t core, Time) {
                      auto& all = *static_cast<std::vector<std::uint32_t>*>(self);
                      if (block == all.size()) all.push_back(core);
                    },
                    nullptr, &cores});
  dispatcher.launch();
  std::vector<std::uint32_t> at_launch = cores;
  REQUIRE(machine.run());
  REQUIRE(dispatcher.finished());
  CHECK(cores.size() == blocks);
  return at_launch;
}

// One die with this number of cores, three blocks of two warps on each.
MachineSpec in_a_row(std::uint32_t cores) {
  MachineSpec spec = monolithic();
  spec.dies.cores_per_die = cores;
  spec.placement = "die_first";
  spec.core.warps = 6;
  return spec;
}

// The number of cores by their share of the first 512 blocks.
std::map<unsigned, unsigned> shares(const MachineSpec& spec, std::uint32_t blocks, std::uint32_t threads) {
  std::vector<std::uint32_t> cores = filled(spec, blocks, threads);
  REQUIRE(cores.size() >= 512);
  std::map<std::uint32_t, unsigned> of;
  for (std::size_t block = 0; block < 512; ++block) ++of[cores[block]];
  std::map<unsigned, unsigned> counted;
  for (const auto& [core, share] : of) ++counted[share];
  return counted;
}

using Cores = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("without_cores_apart_all_get_equal_turns_until_all_are_full") {
  Cores expected;
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t core = 0; core < 5; ++core) expected.push_back(core);
  CHECK(filled(in_a_row(5), 40, 64) == expected);
}

TEST_CASE("cores_apart_get_a_turn_after_a_number_of_blocks_of_the_others") {
  MachineSpec spec = in_a_row(6);
  spec.launch.apart = 2;
  GIVEN("turns that come round before the others are full") {
    spec.launch.apart_turn = 3;
    THEN("the others continue where they were, and get the rest once those apart are full") {
      CHECK(filled(spec, 40, 64) == Cores{0, 1, 2, 3, 4, 0, 1, 5, 2, 3, 0, 1, 4, 5, 2, 3, 4, 5});
    }
    THEN("of a grid that does not fill the machine no core gets more than its share") {
      CHECK(filled(spec, 6, 64) == Cores{0, 1, 2, 3, 4, 5});
      CHECK(filled(spec, 9, 64) == Cores{0, 1, 2, 3, 4, 0, 1, 5, 2});
    }
  }
  GIVEN("turns that come round when the others are full") {
    spec.launch.apart_turn = 100;
    THEN("those apart have the first turn and the last two") {
      CHECK(filled(spec, 40, 64) == Cores{0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5, 0, 1, 0, 1});
    }
  }
  GIVEN("no core that is not apart") {
    spec.launch.apart = 6;
    THEN("all have turns alike") { CHECK(filled(spec, 7, 64) == Cores{0, 1, 2, 3, 4, 5, 0}); }
  }
}

TEST_CASE("a_small_grid_is_spread_over_groups_and_over_the_units_of_a_group") {
  MachineSpec spec = in_a_row(12);
  spec.dies.cores_per_group = 6;
  CHECK(filled(spec, 4, 64) == Cores{0, 1, 2, 3});
  spec.launch.spread = 2;
  CHECK(filled(spec, 1, 64) == Cores{0});
  CHECK(filled(spec, 4, 64) == Cores{0, 2, 6, 8});
  CHECK(filled(spec, 5, 64) == Cores{0, 2, 4, 6, 8});
  CHECK(filled(spec, 8, 64) == Cores{0, 1, 2, 4, 6, 7, 8, 10});
  // Of 15 blocks all have one, three a second.
  CHECK(filled(spec, 15, 64) == Cores{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 2, 6});
  // Two cores apart are groups of their own.
  spec.launch.apart = 2;
  CHECK(filled(spec, 2, 64) == Cores{0, 1});
  CHECK(filled(spec, 6, 64) == Cores{0, 1, 2, 4, 6, 8});
}

TEST_CASE("the_cores_of_a_grid_are_those_that_its_blocks_get") {
  MachineSpec spec = in_a_row(12);
  spec.dies.cores_per_group = 6;
  for (const std::uint64_t unit : {0U, 2U}) {
    spec.launch.spread = unit;
    for (const std::uint64_t apart : {0U, 2U}) {
      spec.launch.apart = apart;
      for (std::uint32_t blocks = 1; blocks <= 12; ++blocks)
        CHECK(cores_of_grid(spec, "", blocks) == filled(spec, blocks, 64));
    }
  }
  CHECK(cores_of_grid(spec, "", 100).size() == 12);
  // A policy that is named is followed, whatever launches do.
  CHECK(cores_of_grid(spec, "die_first", 4) == Cores{0, 1, 2, 3});
  spec.dies.compute = 2;
  spec.dies.cores_per_die = 6;
  spec.dies.cores_per_group = 3;
  spec.launch.apart = 0;
  CHECK(cores_of_grid(spec, "", 3, {1}) == Cores{6, 8, 9});
  CHECK(cores_of_grid(spec, "die_first", 3, {1}) == Cores{6, 7, 8});
}

TEST_CASE("blocks_of_a_cluster_get_cores_of_one_group_and_the_next_cluster_follows_when_all_have_ended") {
  MachineSpec spec = in_a_row(10);
  spec.dies.cores_per_group = 5;
  spec.core.warps = 2;  // a block
  spec.core.cluster = compute::ClusterSpec{BytesPerClock{16}, Bytes{32}, Cycles{50}};
  // Of five cores of a group two have no place in a cluster of three.
  CHECK(filled(spec, 12, 64, 3) == Cores{0, 1, 2, 5, 6, 7});
  CHECK(filled(spec, 12, 64, 2) == Cores{0, 1, 2, 3, 5, 6, 7, 8});
  spec.core.warps = 4;
  CHECK(filled(spec, 12, 64, 3) == Cores{0, 1, 2, 5, 6, 7, 0, 1, 2, 5, 6, 7});
  Machine machine(spec);
  const auto refused = [](Machine& on, std::uint32_t blocks, std::uint32_t cluster) {
    try {
      Empty kernel(blocks, 64, cluster);
      const Dispatcher dispatcher(on, kernel, "", {});
    } catch (const InvalidRequest& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused(machine, 12, 6).find("no group of tiny has as many cores") != std::string::npos);
  spec.core.cluster.reset();
  Machine without(spec);
  CHECK(refused(without, 12, 2).find("core.cluster is none") != std::string::npos);
  CHECK_THROWS_WITH(
      Empty(7, 64, 2).info().check(),
      "kernel 'empty': 7 blocks in clusters of 2; a cluster has 1 to 16 blocks, and the grid whole clusters");
}

TEST_CASE("of_the_first_512_blocks_the_sms_of_an_h200_have_the_shares_that_were_seen") {
  MachineSpec spec = in_a_row(132);
  spec.core.warps = 64;
  spec.launch.apart = 8;
  spec.launch.apart_turn = 92;
  using Shares = std::map<unsigned, unsigned>;
  // h200 block_placement: SMs 124 to 131 got 6 of a grid of 1056 blocks of 256 threads.
  CHECK(shares(spec, 1056, 256) == Shares{{3, 32}, {4, 92}, {6, 8}});
  CHECK(shares(spec, 4096, 256) == Shares{{3, 32}, {4, 92}, {6, 8}});
  // First-hand on an H100: 512 blocks of 256 threads alone, which do not fill it.
  CHECK(shares(spec, 512, 256) == Shares{{3, 16}, {4, 116}});
  // And of 528 blocks of 512 threads, of which four fit an SM, all at most 4.
  CHECK(shares(spec, 528, 512) == Shares{{3, 16}, {4, 116}});
}

TEST_CASE("a_dispatcher_of_each_die_deals_every_n_th_block_to_its_cores") {
  MachineSpec spec = chiplets();  // eight dies of two cores, placed a die at a time in turn
  spec.core.warps = 4;            // two blocks of two warps each
  spec.launch.dispatcher_per_die = true;
  const Cores at_launch = filled(spec, 100, 64);
  REQUIRE(at_launch.size() == 32);
  for (std::uint32_t block = 0; block < 32; ++block) CHECK(at_launch[block] / 2 == block % 8);
}

TEST_CASE("a_launch_follows_its_settings_in_time") {
  MachineSpec spec = chiplets();
  spec.core.warps = 64;
  spec.launch.before = 100_ns;
  spec.launch.before_next = 60_ns;
  spec.launch.per_block = 8_ns;
  spec.launch.per_warp = 1_ns;
  spec.launch.block_start = 30_clk;  // 30 ns
  const auto begins = [&](std::uint32_t blocks, std::uint32_t threads, bool follows = false) {
    Machine machine(spec);
    Empty kernel(blocks, threads);
    std::vector<double> at(blocks);
    struct Noted {
      Machine& machine;
      std::vector<double>& at;
    } noted{machine, at};
    Dispatcher dispatcher(machine, kernel, "", {});
    dispatcher.watch({[](void* self, std::uint64_t block, std::uint32_t, Time t) {
                        const auto& to = *static_cast<Noted*>(self);
                        to.at[block] = to.machine.timebase().to_nanoseconds(t - Time{});
                      },
                      nullptr, &noted});
    dispatcher.launch(follows);
    REQUIRE(machine.run());
    return at;
  };
  SECTION("one dispatcher: a block each 8 ns, or a warp each ns if that takes longer") {
    CHECK(begins(3, 64) == std::vector<double>{130, 138, 146});
    CHECK(begins(3, 512) == std::vector<double>{130, 146, 162});
  }
  SECTION("a launch that follows another begins sooner") { CHECK(begins(1, 64, true) == std::vector<double>{90}); }
  SECTION("eight dispatchers in parallel") {
    spec.launch.dispatcher_per_die = true;
    const std::vector<double> at = begins(10, 64);
    CHECK(std::vector<double>(at.begin(), at.begin() + 8) == std::vector<double>(8, 130));
    CHECK(at[8] == 138);
    CHECK(at[9] == 138);
  }
  SECTION("the first block of a core waits for cold caches, and so do those that come meanwhile") {
    spec.dies.cores_per_die = 1;
    spec.launch.dispatcher_per_die = true;
    spec.launch.cold_start = 20_clk;  // 20 ns
    const std::vector<double> at = begins(32, 64);
    CHECK(at[0] == 150);
    CHECK(at[8] == 150);   // dispatched 8 ns later
    CHECK(at[24] == 154);  // 24 ns later, when all is there
  }
}

TEST_CASE("private_l2s_write_back_at_the_end_of_a_kernel") {
  MachineSpec spec = chiplets();
  spec.core.exit_waits_for_stores = true;
  const auto lines_written = [&] {
    Machine machine(spec);
    const auto kernel = kernels::make_kernel("stream_write,bytes=4KiB,width=4,unroll=1,threads=64", {32, 16});
    Dispatcher dispatcher(machine, *kernel, "", {});
    dispatcher.launch();
    REQUIRE(machine.run());
    return std::pair{machine.meter().snapshot().sum("die */L2 slice */write-backs"), dispatcher.ended()};
  };
  const auto [kept, early] = lines_written();
  CHECK(kept == 0);
  spec.launch.flushes_l2 = true;
  const auto [flushed, late] = lines_written();
  CHECK(flushed == 4096 / 128);
  CHECK(late > early);
}

}  // namespace strata::machine::test
