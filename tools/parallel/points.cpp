// SPDX-License-Identifier: Apache-2.0
#include "points.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace strata::tools::detail {

void run_on_threads(std::size_t count, std::size_t jobs, const std::function<void()>& one) {
  // More threads than points would only wait, and many more than cores may not
  // be had at all.
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (jobs > 0) jobs = std::max<std::size_t>(1, std::min({jobs, count, 4 * cores}));
  // TBB starts no more threads than there are cores unless configured to, and says so on stderr.
  std::optional<tbb::global_control> as_many_as_asked;
  if (jobs > 0) as_many_as_asked.emplace(tbb::global_control::max_allowed_parallelism, jobs);
  tbb::task_arena arena(jobs == 0 ? tbb::task_arena::automatic : static_cast<int>(jobs));
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, count, std::size_t{1}, [&](std::size_t) { one(); }, tbb::simple_partitioner{});
  });
}

}  // namespace strata::tools::detail
