// SPDX-License-Identifier: Apache-2.0
// Executors of processes; a divided run must give the same result with each of them.
#pragma once
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "engine/processes.hpp"

namespace strata::engine::test {

class LastFirst final : public Executor {
 public:
  void each(std::size_t count, const std::function<void(std::size_t)>& one) override {
    for (std::size_t i = count; i-- > 0;) one(i);
  }
};

class OnThreads final : public Executor {
 public:
  void each(std::size_t count, const std::function<void(std::size_t)>& one) override {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(one, i);
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace strata::engine::test
