// SPDX-License-Identifier: Apache-2.0
// The order of windows, stated for the thread sanitizer: all processes begin after the last window, and the
// next one after all. The library that executes them has the same order, but neither it nor its headers
// compiled here (windows.cpp) are instrumented.
#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

namespace strata::tools {

class WindowOrder {
 public:
  explicit WindowOrder(std::size_t processes);
  /// By the thread that executes a process: before and after.
  void begin() const;
  void end(std::size_t process);
  /// By the thread that waited for all of them.
  void close() const;

 private:
  std::atomic<bool> begun_{false};
  std::vector<std::atomic<bool>> ended_;
};

}  // namespace strata::tools
