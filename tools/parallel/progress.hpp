// SPDX-License-Identifier: Apache-2.0
// Progress of a long run, on stderr: a bar with rate and remaining time on a terminal,
// occasional lines elsewhere, nothing when quiet.
#pragma once
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace strata::tools {

class Progress {
 public:
  Progress(std::string what, std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// One more point is done; any thread may call it.
  void step();
  /// This number of the total is done.
  void reach(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;
  void show_now_and_then();
  void show(Clock::time_point now);

  std::mutex mutex_;
  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool quiet_;
  bool terminal_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point shown_ = begun_;
};

}  // namespace strata::tools
