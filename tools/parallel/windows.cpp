// SPDX-License-Identifier: Apache-2.0
#include "parallel/windows.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "parallel/window_order.hpp"

namespace strata::tools {

void on_threads(std::size_t threads, const std::function<void()>& work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, 4 * cores);
  // TBB starts at most one thread per core unless configured otherwise, and prints a warning on
  // stderr.
  std::optional<tbb::global_control> as_many_as_asked;
  if (threads > 0) as_many_as_asked.emplace(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads));
  arena.execute([&] { work(); });
}

void OnIdleThreads::each(std::size_t count, const std::function<void(std::size_t)>& one) {
  if (tbb::this_task_arena::max_concurrency() == 1) {
    for (std::size_t i = 0; i < count; ++i) one(i);
    return;
  }
  WindowOrder order(count);
  // Isolated: a thread that waits for the others must not begin another point meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        std::size_t{0}, count, std::size_t{1},
        [&](std::size_t i) {
          order.begin();
          one(i);
          order.end(i);
        },
        tbb::simple_partitioner{});
  });
  order.close();
}

}  // namespace strata::tools
