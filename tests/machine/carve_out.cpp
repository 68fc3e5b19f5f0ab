// SPDX-License-Identifier: Apache-2.0
// The shared memory of a kernel determines the part of the cores' arrays that is L1.
#include <utility>
#include <vector>

#include "catch.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

// The splits of an H200 as l1_capacity_vs_smem has them in steps of 4 KiB, and what bounds its blocks.
MachineSpec hopper_like() {
  MachineSpec spec = monolithic();
  spec.core.warps = 64;
  spec.core.residency = {32, 65536, 256, Bytes{128}, Bytes{1024}};
  spec.core.shared_memory.size = 228_KiB;
  spec.l1.carve_outs = {{"prefer_l1", 216_KiB, 32_KiB},   {"shared_64", 184_KiB, 64_KiB},
                        {"shared_100", 148_KiB, 100_KiB}, {"shared_132", 116_KiB, 132_KiB},
                        {"shared_164", 84_KiB, 164_KiB},  {"shared_196", 52_KiB, 196_KiB},
                        {"shared_228", 20_KiB, 228_KiB}};
  spec.l1.carve_out = "prefer_l1";
  return spec;
}

trace::KernelInfo kernel_of(std::uint32_t threads, std::uint32_t shared_bytes) {
  trace::KernelInfo kernel;
  kernel.name = "k";
  kernel.block = {threads, 1, 1};
  kernel.shared_bytes = shared_bytes;
  return kernel;
}

// A warp that reads lines one after the other, and again.
class Twice final : public trace::Kernel {
 public:
  Twice(std::uint64_t lines, std::uint32_t shared_bytes) : lines_(lines) { info_ = kernel_of(32, shared_bytes); }
  const trace::KernelInfo& info() const override { return info_; }
  std::unique_ptr<trace::BlockStreams> open(std::uint64_t) override { return std::make_unique<Block>(lines_); }

 private:
  struct Block final : trace::BlockStreams, trace::WarpStream {
    explicit Block(std::uint64_t of) : lines(of) {}
    trace::WarpStream& warp(std::uint32_t) override { return *this; }
    bool next(trace::Instruction& instruction) override {
      if (at == 2 * lines) return false;
      instruction = {};
      instruction.addresses[0] = at++ % lines * 128;
      return true;
    }
    std::uint64_t lines;
    std::uint64_t at = 0;
  };
  trace::KernelInfo info_;
  std::uint64_t lines_;
};

}  // namespace

TEST_CASE("blocks_get_the_least_carve_out_that_holds_all_that_may_be_resident") {
  const MachineSpec spec = hopper_like();
  // h200 l1_capacity_vs_smem: bytes that a block allocates, KiB of L1 that it then has.
  const std::vector<std::pair<std::uint32_t, std::uint64_t>> seen = {{0, 216},      {7168, 20},   {15360, 20},
                                                                     {31744, 20},   {64512, 52},  {101376, 20},
                                                                     {134144, 116}, {166912, 84}, {199680, 52}};
  for (const auto& [shared, l1] : seen) {
    CAPTURE(shared);
    CHECK(carve_out_of(spec, kernel_of(32, shared)).size == Bytes{l1 << 10U});
  }
  // More threads a block, fewer blocks, less shared memory: eight of 5 KiB are 40.
  CHECK(carve_out_of(spec, kernel_of(256, 4096)).name == "shared_64");
  CHECK(carve_out_of(spec, kernel_of(1024, 8192)).name == "prefer_l1");
}

TEST_CASE("the_chosen_carve_out_stays_where_it_holds_the_blocks_or_says_nothing") {
  MachineSpec spec = hopper_like();
  spec.l1.carve_out = "shared_164";
  CHECK(carve_out_of(spec, kernel_of(256, 4096)).name == "shared_164");
  CHECK(carve_out_of(spec, kernel_of(32, 199680)).name == "shared_196");
  spec.l1.carve_outs[4].shared.reset();
  CHECK(carve_out_of(spec, kernel_of(32, 199680)).name == "shared_164");
}

TEST_CASE("a_machine_splits_its_arrays_again_between_kernels") {
  MachineSpec spec = monolithic();
  spec.l1.carve_outs = {{"all", 2_KiB, 0_KiB}, {"half", 1_KiB, 16_KiB}};
  spec.core.warps = 64;
  Machine machine(spec);
  const auto hits = [&](std::uint32_t shared_bytes) {
    Twice kernel(12, shared_bytes);  // 1.5 KiB
    machine.split_arrays(carve_out_of(spec, kernel.info()).name);
    const std::uint64_t before = machine.meter().snapshot().sum("core */L1/hits");
    Dispatcher dispatcher(machine, kernel, "", {});
    dispatcher.launch();
    // Balanced although the cores before are gone.
    REQUIRE(machine.run());
    const std::uint64_t after = machine.meter().snapshot().sum("core */L1/hits");
    return after < before ? after : after - before;
  };
  CHECK(hits(0) == 12);
  CHECK(hits(1024) < 12);
  CHECK(machine.spec().l1.chosen().size == 1_KiB);
  CHECK(hits(0) == 12);
}

}  // namespace strata::machine::test
