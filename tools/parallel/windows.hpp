// SPDX-License-Identifier: Apache-2.0
// Executes the processes of one run on the threads that points leave idle.
#pragma once
#include "engine/processes.hpp"

namespace strata::tools {

/// Calls work() with this number of threads for its parallel parts; 0: one per core. Numbers far above
/// the cores are reduced.
void on_threads(std::size_t threads, const std::function<void()>& work);

/// In the arena of the caller: within collect_points() on the threads of its jobs.
class OnIdleThreads final : public engine::Executor {
 public:
  void each(std::size_t count, const std::function<void(std::size_t)>& one) override;
};

}  // namespace strata::tools
