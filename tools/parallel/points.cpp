// SPDX-License-Identifier: Apache-2.0
#include "points.hpp"

#include <tbb/parallel_for.h>

#include "windows.hpp"

namespace strata::tools::detail {

// Threads that points leave idle execute processes of the others (OnIdleThreads).
void run_on_threads(std::size_t count, std::size_t jobs, const std::function<void()>& one) {
  on_threads(jobs, [&] {
    tbb::parallel_for(std::size_t{0}, count, std::size_t{1}, [&](std::size_t) { one(); }, tbb::simple_partitioner{});
  });
}

}  // namespace strata::tools::detail
