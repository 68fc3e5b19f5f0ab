// SPDX-License-Identifier: Apache-2.0
// Addresses that are affine in a thread's place in its block, against a call for each lane.
#include "base/random.hpp"
#include "catch.hpp"
#include "kernels/program.hpp"
#include "warps.hpp"

using namespace strata;
using namespace strata::test;

namespace {

struct Affine {
  std::uint64_t first, per_x, per_y;
  std::uint64_t lanes = ~std::uint64_t{0};  ///< of the active ones, those that take part
  bool by_lane = false;
};

kernels::Program program(kernels::Warp& w, const Affine& p) {
  w.active &= p.lanes;
  if (p.by_lane)
    co_yield w.load(kernels::reg(1), 4).at([&](unsigned lane) {
      return p.first + w.x(lane) * p.per_x + w.y(lane) * p.per_y;
    });
  else
    co_yield w.load(kernels::reg(1), 4).at(p.first, p.per_x, p.per_y);
}

}  // namespace

TEST_CASE("addresses_by_a_threads_place_are_those_of_each_lane") {
  RandomSequence random{3};
  unsigned strided = 0;
  for (const trace::Dimensions block :
       {trace::Dimensions{32, 8, 1}, {32, 32, 1}, {16, 4, 1}, {24, 3, 2}, {5, 3, 7}, {256, 1, 1}, {1, 64, 1}})
    for (const std::uint32_t width : {16U, 32U, 64U})
      for (const std::uint64_t lanes : {~std::uint64_t{0}, ~std::uint64_t{1}, std::uint64_t{0xFF0}, random.next()}) {
        const trace::KernelInfo info{"affine", {2, 2, 1}, block, 32, 0, width};
        Affine at{random.below(1 << 20), random.below(64) * 4, random.below(1 << 16) * 4, lanes};
        if (random.below(4) == 0) at.per_x += std::uint64_t{1} << 33U;  // wider than a stride of lanes
        Affine each = at;
        each.by_lane = true;
        kernels::ProgramKernel<Affine> by_place(info, at, program), by_lane(info, each, program);
        for (std::uint32_t warp = 0; warp < info.warps_per_block(); ++warp) {
          const auto here = instructions_of(by_place, 1, warp), there = instructions_of(by_lane, 1, warp);
          REQUIRE(here.size() == 1);
          REQUIRE(here.front().lanes == there.front().lanes);
          REQUIRE(here.front().active() == there.front().active());
          for (unsigned lane = 0; lane < here.front().lanes; ++lane)
            REQUIRE(here.front().address(lane) == there.front().address(lane));
          strided += here.front().strided ? 1U : 0U;
        }
      }
  CHECK(strided > 100);  // rows are found
}
