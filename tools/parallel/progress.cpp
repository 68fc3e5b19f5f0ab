// SPDX-License-Identifier: Apache-2.0
#include "parallel/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace strata::tools {

namespace {
// A run does not fail because its progress cannot be written.
void say(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }
}  // namespace

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)), total_(total), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (!quiet_ && terminal_ && done_ > 0) say("\r\x1b[K");
}

void Progress::step() {
  const std::lock_guard lock(mutex_);
  ++done_;
  show_now_and_then();
}

void Progress::reach(std::size_t done) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  show_now_and_then();
}

void Progress::show_now_and_then() {
  const Clock::time_point now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (quiet_ || now - shown_ < pause) return;
  shown_ = now;
  show(now);
}

void Progress::show(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(done_) / seconds;
  const double left = static_cast<double>(total_ - done_) / rate;
  if (terminal_) {
    constexpr std::size_t width = 24;
    const std::size_t full = width * done_ / total_;
    say(fmt::format("\r{} [{}{}] {}/{}  {:.1f}/s  {:.0f} s left\x1b[K", what_, std::string(full, '#'),
                    std::string(width - full, '.'), done_, total_, rate, left));
  } else {
    say(fmt::format("{}: {} of {}, {:.0f} s left\n", what_, done_, total_, left));
  }
  std::fflush(stderr);
}

}  // namespace strata::tools
