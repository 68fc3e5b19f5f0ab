// SPDX-License-Identifier: Apache-2.0
#include "study/run/sampling.hpp"
#include "machine/levels.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"

namespace strata::study {
namespace {

constexpr double halves_agree = 0.02;
constexpr std::uint64_t skipped_caches = 2;  // of traffic before the window
constexpr std::uint64_t skipped_rounds = 2;  // of resident blocks, as well
constexpr std::uint64_t least_caches = 4;    // of traffic in all: below, a part saves too little
constexpr std::uint64_t points_of_window = 8;
constexpr std::uint64_t least_compared = 64;          // blocks
constexpr std::uint64_t most_compared = 8192;         // blocks
constexpr std::uint64_t compared_length = 1U << 22U;  // instructions of all compared blocks, if more than the least
constexpr std::uint64_t least_blocks = 2 * least_compared;
constexpr double most_blocks_differ = 0.2;
// An access of a warp moves some 512 bytes at most, so a point is met within half its distance.
constexpr std::uint64_t bytes_of_access = 512;

std::uint64_t instructions_of(trace::Kernel& kernel, std::uint64_t block) {
  const std::unique_ptr<trace::BlockStreams> streams = kernel.open(block);
  std::uint64_t count = 0;
  trace::Instruction instruction;
  for (std::uint32_t warp = 0; warp < kernel.info().warps_per_block(); ++warp)
    while (streams->warp(warp).next(instruction)) count += instruction.is_access() ? 1U : instruction.repeat;
  return count;
}

}  // namespace

Sampler::Sampler(machine::Machine& machine, trace::Kernel& kernel, std::uint64_t resident, double least_share)
    : machine_(machine),
      kernel_(kernel),
      resident_(resident),
      least_share_(least_share),
      cache_(machine::last_cache_bytes(machine.spec())),
      before_(memory_bytes(machine.meter().counted_traffic())),
      pause_(std::max<std::uint64_t>(1, cache_ / points_of_window / bytes_of_access / 2)),
      next_mark_(skipped_caches * cache_),
      next_done_(skipped_rounds * resident),
      next_point_(next_mark_) {
  compare_blocks();
}

// Instructions of a block at random in each of as many equal parts of the grid. Blocks at fixed places would count the
// first and the last one too often, which are the edges of a domain.
void Sampler::compare_blocks() {
  const std::uint64_t blocks = kernel_.info().blocks();
  if (blocks < least_blocks) {
    whole_because_ = fmt::format("it has {} blocks, under {}", blocks, least_blocks);
    return;
  }
  const std::uint64_t length = std::max<std::uint64_t>(1, instructions_of(kernel_, blocks / 2));
  compared_blocks_ = std::min(std::clamp(compared_length / length, least_compared, most_compared), blocks);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < compared_blocks_; ++i) {
    const std::uint64_t from = i * blocks / compared_blocks_;
    const std::uint64_t to = (i + 1) * blocks / compared_blocks_;
    const auto count = static_cast<double>(instructions_of(kernel_, from + scale_to(mix(i), to - from)));
    sum += count;
    squares += count * count;
  }
  const auto n = static_cast<double>(compared_blocks_);
  block_instructions_ = sum / n;
  blocks_differ_ =
      std::sqrt(std::max(0.0, squares / n - block_instructions_ * block_instructions_)) / block_instructions_;
  if (!(blocks_differ_ <= most_blocks_differ))
    whole_because_ =
        fmt::format("its blocks differ: their numbers of instructions differ by {:.0f} %", 100 * blocks_differ_);
}

std::uint64_t Sampler::memory_bytes(const std::vector<machine::LevelTraffic>& levels) const {
  return levels.back().bytes_read + levels.back().bytes_written;
}

bool Sampler::enough(std::uint64_t accesses, std::uint64_t begun, std::uint64_t done) {
  if (enough_ || !whole_because_.empty()) return false;
  const std::uint64_t blocks = kernel_.info().blocks();
  if (begun == blocks) {
    whole_because_ = "all of its blocks had begun before a window was found";
    return false;
  }
  std::vector<machine::LevelTraffic> levels = machine_.meter().counted_traffic();
  const std::uint64_t bytes = memory_bytes(levels) - before_;
  const Time now = machine_.processes().now();
  if (bytes >= next_point_) {
    points_.push_back({now, accesses});
    while (next_point_ <= bytes) next_point_ += std::max<std::uint64_t>(1, cache_ / points_of_window);
  }
  if (bytes < next_mark_ || done < next_done_) return false;
  next_mark_ = bytes + cache_ / 2;
  next_done_ = done + (resident_ + 1) / 2;
  machine_.meter().require_balance();
  if (marks_.size() == 3) marks_.erase(marks_.begin() + (steady_ ? 1 : 0));
  const stats::Snapshot figures = machine_.meter().snapshot();
  marks_.push_back({now, accesses, bytes, done, machine_.meter().transactions(), figures.sum("core */issued"), figures,
                    std::move(levels)});
  std::erase_if(points_, [&](const Point& point) { return point.time < marks_.front().time; });
  steady_ = marks_.size() == 3 && rates_differ() <= halves_agree;
  if (!steady_) return false;
  const double share = static_cast<double>(begun) / static_cast<double>(blocks);
  if (share < least_share_) {
    // The present window becomes the first half of one twice as long.
    next_mark_ = bytes + (bytes - marks_.front().bytes);
    next_done_ = done + (done - marks_.front().done);
    return false;
  }
  if (static_cast<double>(bytes) / share < static_cast<double>(least_caches * cache_)) {
    whole_because_ = fmt::format("its traffic to and from memory is less than {} times the last cache", least_caches);
    return false;
  }
  enough_ = true;
  return true;
}

// Of the window's halves, of their mean.
double Sampler::rates_differ() const {
  const auto rate = [](const Mark& a, const Mark& b) {
    return static_cast<double>(b.accesses - a.accesses) / static_cast<double>((b.time - a.time).ticks);
  };
  const double first = rate(marks_[0], marks_[1]);
  const double second = rate(marks_[1], marks_[2]);
  return std::abs(first - second) / ((first + second) / 2);
}

// The mean is that of all blocks, and those that were run may differ from it: the first ones are often an edge of a domain.
Sampler::Rest Sampler::rest(std::uint64_t issued) const {
  Rest rest;
  const Mark& begin = marks_.front();
  const Mark& end = marks_.back();
  rest.begin = &begin.figures;
  rest.end = &end.figures;
  for (std::size_t i = 0; i < end.levels.size(); ++i) rest.levels.push_back(end.levels[i] - begin.levels[i]);
  rest.duration = end.time - begin.time;
  rest.transactions = end.transactions - begin.transactions;
  const double all = static_cast<double>(kernel_.info().blocks()) * block_instructions_;
  const double left = std::max(0.0, all - static_cast<double>(issued));
  rest.times = left / static_cast<double>(end.issued - begin.issued);
  return rest;
}

stats::Sampling Sampler::describe(std::uint64_t run, Duration took, std::uint64_t issued) const {
  const auto seconds = [&](Duration duration) { return machine_.timebase().to_nanoseconds(duration) * 1e-9; };
  stats::Sampling summary;
  summary.blocks_run = run;
  summary.seconds_run = seconds(took);
  summary.blocks_differ = blocks_differ_;
  if (!enough_) {
    summary.whole_because =
        whole_because_.empty()
            ? "its traffic to and from memory did not reach three times the last cache at a steady rate"
            : whole_because_;
    return summary;
  }
  const Rest left = rest(issued);
  summary.window_seconds = seconds(left.duration);
  summary.halves_differ = rates_differ();
  // Twice the standard error of the rate, from the parts of the window.
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const double rate = static_cast<double>(points_[i].accesses - points_[i - 1].accesses) /
                        static_cast<double>((points_[i].time - points_[i - 1].time).ticks);
    sum += rate;
    squares += rate * rate;
  }
  const auto n = static_cast<double>(points_.size() - 1);
  const double mean = sum / n;
  const double rate_error =
      points_.size() < 3 ? halves_agree : 2 * std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1)) / mean;
  const double block_error = 2 * blocks_differ_ / std::sqrt(static_cast<double>(compared_blocks_));
  const double estimated = summary.window_seconds * left.times;
  summary.spread =
      estimated / (summary.seconds_run + estimated) *
      std::sqrt(summary.halves_differ * summary.halves_differ + rate_error * rate_error + block_error * block_error);
  return summary;
}

}  // namespace strata::study
