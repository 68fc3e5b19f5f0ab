// SPDX-License-Identifier: Apache-2.0
// Shared by all benchmarks: processor time of this thread, and named figures. Several
// repetitions are run and the best is reported, since a shared machine can only make a run
// slower.
#pragma once
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace strata::bench {

struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
};

/// Seconds of processor time that this thread has used.
inline double processor_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least processor seconds of `repetitions` runs of work().
inline double best_seconds(int repetitions, const std::function<void()>& work) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const double begun = processor_seconds();
    work();
    const double spent = processor_seconds() - begun;
    if (spent < best) best = spent;
  }
  return best;
}

std::vector<Figure> event_queue_figures(int repetitions);
std::vector<Figure> chase_figures(int repetitions);
std::vector<Figure> fabric_figures(int repetitions);
std::vector<Figure> cache_figures(int repetitions);
std::vector<Figure> dram_figures(int repetitions);
/// long_run: 100 M transactions as well, which take a minute or so.
std::vector<Figure> stream_figures(bool long_run);
/// Kernels on machines of several dies, divided into processes.
std::vector<Figure> process_figures();

}  // namespace strata::bench
