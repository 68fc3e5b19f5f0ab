// SPDX-License-Identifier: Apache-2.0
#include "trace/relocated.hpp"

#include "catch.hpp"

namespace strata::trace {
namespace {

constexpr std::uint64_t MiB = std::uint64_t{1} << 20U;

class Nothing final : public Kernel {
 public:
  explicit Nothing(std::vector<Region> regions) { info_.regions = std::move(regions); }
  const KernelInfo& info() const override { return info_; }
  std::unique_ptr<BlockStreams> open(std::uint64_t) override { return nullptr; }

 private:
  KernelInfo info_;
};

}  // namespace

TEST_CASE("regions are packed in ascending order, each at its place within a page") {
  LaunchList launches;
  launches.push_back(std::make_unique<Nothing>(std::vector<Region>{{0x7f0000400000, 3 * MiB}, {0x7e0000000100, 64}}));
  launches.push_back(std::make_unique<Nothing>(std::vector<Region>{{0x7f0000400000 + 3 * MiB, MiB}}));
  const Relocation relocation(launches);
  CHECK(relocation.needed(std::uint64_t{1} << 40U));
  // One page before all, one for the lower region, two for the 4 MiB of the upper.
  CHECK(relocation(0x7e0000000100) == 2 * MiB + 0x100);
  CHECK(relocation(0x7f0000400000) == 4 * MiB);
  CHECK(relocation(0x7f0000400000 + 4 * MiB - 1) == 8 * MiB - 1);
  CHECK(relocation.bytes() == 8 * MiB);
  CHECK(relocation(0x1234) == 0x1234);  // of no region
}

TEST_CASE("lanes that span two regions are taken apart") {
  LaunchList launches;
  launches.push_back(
      std::make_unique<Nothing>(std::vector<Region>{{0x7e0000000000, 2 * MiB}, {0x7f0000000000, 2 * MiB}}));
  const Relocation relocation(launches);
  Instruction access;
  access.lanes = 2;
  access.strided = true;
  access.addresses[0] = 0x7e0000000040;
  access.lane_stride = 64;
  relocation.apply(access);
  CHECK(access.strided);
  CHECK(access.address(1) == 2 * MiB + 0x80);
  Instruction plain;
  plain.lanes = 2;
  plain.addresses = {0x7e0000000040, 0x7f0000000008};
  relocation.apply(plain);
  CHECK(plain.address(0) == 2 * MiB + 0x40);
  CHECK(plain.address(1) == 4 * MiB + 8);
}

}  // namespace strata::trace
