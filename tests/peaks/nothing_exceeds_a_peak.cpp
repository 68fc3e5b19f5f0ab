// SPDX-License-Identifier: Apache-2.0
// Nothing exceeds a peak: of any machine, operation, footprint and window, levels move no more
// than their ports allow and no resource is busy for longer than the observed time. Another
// sample: STRATA_SEED=7 STRATA_CASES=500 build/tests/test_peaks
#include <fmt/format.h>

#include <cstdlib>

#include "base/random.hpp"
#include "catch.hpp"
#include "sampling.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/run/run.hpp"

using namespace strata;
using test::asked;
using test::spec_of;

namespace {

constexpr std::uint64_t mib = 1U << 20U;
constexpr double rounding = 1e-9;

void check(const std::vector<stats::LevelUse>& levels, const std::vector<stats::ResourceUse>& resources) {
  for (const stats::LevelUse& level : levels) {
    INFO(level.name);
    if (level.requests == 0) continue;
    CHECK(level.busy_fraction <= 1 + rounding);
    CHECK(level.bytes_per_second <= level.peak_bytes_per_second * (1 + rounding));
  }
  for (const stats::ResourceUse& resource : resources) {
    INFO(resource.busiest);
    CHECK(resource.busy_fraction <= 1 + rounding);
    CHECK(resource.busiest_busy_fraction <= 1 + rounding);
  }
}

}  // namespace

TEST_CASE("nothing_exceeds_a_peak_in_any_window_of_any_stream") {
  const std::vector<std::string> gpus = tools::Library(STRATA_SOURCE_DIR).gpus();
  RandomSequence random{asked("STRATA_SEED", 1)};
  for (std::uint64_t n = asked("STRATA_CASES", 16); n > 0; --n) {
    const std::string gpu = gpus[random.below(gpus.size())];
    study::BandwidthQuestion question;
    question.operation = static_cast<trace::StreamOperation>(random.below(6));
    question.unroll = std::uint64_t{1} << random.below(5);
    question.bytes_per_lane = std::uint64_t{4} << random.below(3);
    question.batch = random.below(4) == 0;
    question.sharing = random.below(4) == 0 ? study::Sharing::each : study::Sharing::split;
    question.whole = random.below(4) == 0;
    question.timed_bytes = (std::uint64_t{1} << random.below(6)) * (256U << 10U);
    // Where each core has all of it, a little is much.
    const std::uint64_t footprint = question.sharing == study::Sharing::each ? mib : 8 * mib << random.below(5);
    INFO(fmt::format("{} operation {} footprint {} timed {} unroll {} width {} batch {} sharing {} whole {}", gpu,
                     static_cast<int>(question.operation), footprint, question.timed_bytes, question.unroll,
                     question.bytes_per_lane, question.batch, static_cast<int>(question.sharing), question.whole));
    const study::BandwidthPoint point = study::measure_bandwidth(spec_of(gpu), question, footprint);
    check(point.levels, point.resources);
  }
}

TEST_CASE("nothing_exceeds_a_peak_in_a_kernel_with_pending_stores_at_its_end") {
  for (const char* const kernel : {"stencil7,n=32", "stream_write,bytes=1MiB", "copy,bytes=1MiB"}) {
    INFO(kernel);
    const machine::MachineSpec spec = spec_of("rtx4060");
    trace::LaunchList list;
    list.push_back(kernels::make_kernel(kernel, study::target_of(spec)));
    const study::RunResult result = study::measure_run(spec, list, {});
    check(result.kernels.front().levels, result.kernels.front().resources);
    CHECK(result.kernels.front().watched_seconds >= result.kernels.front().seconds);
  }
}

TEST_CASE("a_window_grows_until_its_halves_agree") {
  const machine::MachineSpec spec = spec_of("h100-sxm");
  study::BandwidthQuestion question;
  question.timed_bytes = 8 * mib;
  // A third more than the L1s hold: at first they still hit as after the warm-up.
  const study::BandwidthPoint first = study::measure_bandwidth(spec, question, 36 * mib);
  REQUIRE(first.steadiness);
  CHECK_FALSE(first.steadiness->steady);
  const study::BandwidthPoint point = study::measure_steady_bandwidth(spec, question, 36 * mib);
  REQUIRE(point.steadiness);
  CHECK(point.steadiness->steady);
  CHECK(point.steadiness->halves_differ <= study::Steadiness::within);
  CHECK(point.timed_bytes >= 2 * first.timed_bytes);
  // The bytes of the cores come from the L2 and from the L1: no more than both moved.
  CHECK(point.bytes_per_second <= 1.02 * point.levels[0].bytes_per_second);
}
