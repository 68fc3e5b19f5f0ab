// SPDX-License-Identifier: Apache-2.0
// Independent points run side by side. Each writes its own slot of the answer,
// so what comes out does not depend on the number of threads.
#pragma once
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "parallel/progress.hpp"

namespace strata::tools {

/// answer[i] = measure(i) for all i below count, on at most `jobs` threads
/// (0: as many as there are cores). What measure() throws is thrown on. Points
/// are begun from the last, since the later ones of a curve take longest.
template <class Answer, class Measure>
std::vector<Answer> run_points(std::size_t count, std::size_t jobs, Progress& progress,
                               const Measure& measure) {
  std::vector<Answer> answers(count);
  std::atomic<std::size_t> begun{0};
  const auto one = [&](std::size_t) {
    // Taken in order rather than by range, so that no thread is left with a
    // block of slow points at the end.
    const std::size_t i = count - 1 - begun.fetch_add(1);
    answers[i] = measure(i);
    progress.step();
  };
  tbb::task_arena arena(jobs == 0 ? tbb::task_arena::automatic : static_cast<int>(jobs));
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, count, std::size_t{1}, one, tbb::simple_partitioner{});
  });
  return answers;
}

}  // namespace strata::tools
