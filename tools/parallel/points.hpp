// SPDX-License-Identifier: Apache-2.0
// Independent points run in parallel. Each writes its own slot of the answer,
// so the answers do not depend on the number of threads. The calling thread only
// waits: after an interrupt it continues with the completed points, without waiting for the
// others.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/interrupt.hpp"
#include "parallel/progress.hpp"

namespace strata::tools {

/// The thread that runs the points. Waits in its destructor for started points, since they use
/// objects that the caller destroys next; a verb that does not need to wait ends with
/// leave_interrupted().
class PointsUnderWay {
 public:
  explicit PointsUnderWay(std::thread thread) : thread_(std::move(thread)) {}
  ~PointsUnderWay() { wait(); }
  PointsUnderWay(PointsUnderWay&&) = default;
  PointsUnderWay& operator=(PointsUnderWay&&) = delete;
  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

/// The points that are done, in ascending order; all of them unless interrupted.
template <class Answer>
struct Points {
  std::size_t asked = 0;
  std::vector<std::size_t> numbers;
  std::vector<Answer> answers;  ///< of the point of that number
  PointsUnderWay under_way;     ///< destroyed before the objects that measure() uses

  bool complete() const { return answers.size() == asked; }
};

namespace detail {

/// Calls one() count times on at most `jobs` threads; 0: as many as there are cores.
void run_on_threads(std::size_t count, std::size_t jobs, const std::function<void()>& one);

// All shared state, behind a mutex that the thread sanitizer observes, unlike the
// synchronisation within TBB.
template <class Answer, class Measure>
struct SharedPoints {
  SharedPoints(std::size_t count, Measure measured, Progress& shown)
      : measure(std::move(measured)), progress(shown), answers(count), failures(count) {}

  const Measure measure;
  Progress& progress;
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<std::optional<Answer>> answers;
  std::vector<std::exception_ptr> failures;
  std::size_t begun = 0;
  bool stopped = false;  // no more are begun
  bool all_done = false;

  void one() {
    std::unique_lock lock(mutex);
    if (stopped) return;
    // Taken in order rather than by range, so that no thread is left with a
    // block of slow points at the end.
    const std::size_t i = answers.size() - ++begun;
    lock.unlock();
    std::optional<Answer> answer;
    std::exception_ptr failure;
    try {
      answer.emplace(measure(i));
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
      failures[i] = failure;
      stopped = true;
    } else if (!stopped) {
      answers[i] = std::move(answer);
      progress.step();
    }
  }

  void all(std::size_t jobs) {
    run_on_threads(answers.size(), jobs, [this] { one(); });
    const std::lock_guard lock(mutex);
    all_done = true;
    ended.notify_all();
  }
};

}  // namespace detail

/// answers[i] = measure(i) for all i below count, on at most `jobs` threads
/// (0: as many as there are cores). Points are started from the last, since the later ones of a
/// curve take longest. If measure() throws, no more points are started and the exception of the
/// last failing point is rethrown: every point after it was started before it, so it is the
/// same one at any `jobs`. After an interrupt, while some Keeping is alive, it returns the
/// points done so far.
template <class Answer, class Measure>
Points<Answer> collect_points(std::size_t count, std::size_t jobs, Progress& progress, Measure measure) {
  const auto shared = std::make_shared<detail::SharedPoints<Answer, Measure>>(count, std::move(measure), progress);
  Points<Answer> points{count, {}, {}, PointsUnderWay(std::thread([shared, jobs] { shared->all(jobs); }))};
  std::unique_lock lock(shared->mutex);
  // A signal handler cannot notify, so the flag is looked at now and then.
  constexpr std::chrono::milliseconds now_and_then(50);
  while (!shared->all_done && !interrupted()) shared->ended.wait_for(lock, now_and_then);
  shared->stopped = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!shared->answers[i]) continue;
    points.numbers.push_back(i);
    points.answers.push_back(*std::move(shared->answers[i]));
  }
  const auto last = std::find_if(shared->failures.rbegin(), shared->failures.rend(),
                                 [](const auto& failure) { return failure != nullptr; });
  const std::exception_ptr failure = last == shared->failures.rend() ? nullptr : *last;
  lock.unlock();
  if (failure) std::rethrow_exception(failure);
  return points;
}

/// The same where an answer in part is of no use: an interrupt ends the process.
template <class Answer, class Measure>
std::vector<Answer> run_points(std::size_t count, std::size_t jobs, Progress& progress, const Measure& measure) {
  return collect_points<Answer>(count, jobs, progress, [&measure](std::size_t i) { return measure(i); }).answers;
}

}  // namespace strata::tools
