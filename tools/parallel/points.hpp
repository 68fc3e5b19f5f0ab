// SPDX-License-Identifier: Apache-2.0
// Independent points run side by side. Each writes its own slot of the answer,
// so what comes out does not depend on the number of threads.
#pragma once
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/progress.hpp"

namespace strata::tools {

/// answer[i] = measure(i) for all i below count, on at most `jobs` threads
/// (0: as many as there are cores). Points are begun from the last, since the
/// later ones of a curve take longest. Where measure() throws, no more points
/// are begun and what the last failing point threw is thrown on: every point
/// after it was begun before it, so it is the same one at any `jobs`.
template <class Answer, class Measure>
std::vector<Answer> run_points(std::size_t count, std::size_t jobs, Progress& progress,
                               const Measure& measure) {
  std::vector<Answer> answers(count);
  std::vector<std::exception_ptr> failures(count);
  // All that threads share is behind this mutex, which the thread sanitizer sees,
  // as against what TBB's own library does.
  std::mutex mutex;
  std::size_t begun = 0;
  bool failed = false;
  const auto one = [&](std::size_t) {
    std::unique_lock lock(mutex);
    if (failed) return;
    // Taken in order rather than by range, so that no thread is left with a
    // block of slow points at the end.
    const std::size_t i = count - ++begun;
    lock.unlock();
    try {
      Answer answer = measure(i);
      lock.lock();
      answers[i] = std::move(answer);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failures[i] = std::current_exception();
      failed = true;
    }
    lock.unlock();
    progress.step();
  };
  // More threads than points would only wait, and many more than cores may not
  // be had at all.
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (jobs > 0) jobs = std::max<std::size_t>(1, std::min({jobs, count, 4 * cores}));
  // TBB starts no more threads than there are cores unless told to, and says so on stderr.
  std::optional<tbb::global_control> as_many_as_asked;
  if (jobs > 0) as_many_as_asked.emplace(tbb::global_control::max_allowed_parallelism, jobs);
  tbb::task_arena arena(jobs == 0 ? tbb::task_arena::automatic : static_cast<int>(jobs));
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, count, std::size_t{1}, one, tbb::simple_partitioner{});
  });
  const std::lock_guard all_is_seen(mutex);
  const auto last = std::find_if(failures.rbegin(), failures.rend(), [](const auto& failure) { return failure != nullptr; });
  if (last != failures.rend()) std::rethrow_exception(*last);
  return answers;
}

}  // namespace strata::tools
