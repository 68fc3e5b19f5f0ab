// SPDX-License-Identifier: Apache-2.0
#include "parallel/window_order.hpp"

namespace strata::tools {

WindowOrder::WindowOrder(std::size_t processes) : ended_(processes) { begun_.store(true, std::memory_order_release); }

void WindowOrder::begin() const { static_cast<void>(begun_.load(std::memory_order_acquire)); }

void WindowOrder::end(std::size_t process) { ended_[process].store(true, std::memory_order_release); }

void WindowOrder::close() const {
  for (const std::atomic<bool>& each : ended_) static_cast<void>(each.load(std::memory_order_acquire));
}

}  // namespace strata::tools
