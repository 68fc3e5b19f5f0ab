// SPDX-License-Identifier: Apache-2.0
// Whole runs divided into processes: the time of one thread for a kernel on machines of several dies, and
// the possible speed-up by more threads. A window takes at least the time of its longest process on any
// number of threads, so the sum of these is the minimum of a run; waits between threads are added.
#include <fmt/format.h>

#include <algorithm>

#include "bench.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "kernels/catalogue.hpp"
#include "study/run/run.hpp"

namespace strata::bench {

namespace {

// One process after the other, by the clock.
class Timed final : public engine::Executor {
 public:
  void each(std::size_t count, const std::function<void(std::size_t)>& one) override {
    double longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double begun = processor_seconds();
      one(i);
      const double spent = processor_seconds() - begun;
      longest = std::max(longest, spent);
      all_ += spent;
    }
    longest_ += longest;
    processes_ = count;
    ++windows_;
  }
  double all() const { return all_; }
  double longest() const { return longest_; }
  double processes() const { return static_cast<double>(processes_); }
  double windows() const { return windows_; }

 private:
  double all_ = 0, longest_ = 0, windows_ = 0;
  std::size_t processes_ = 1;
};

}  // namespace

std::vector<Figure> process_figures() {
  const tools::Library library = tools::Library::beside_program();
  std::vector<Figure> figures;
  for (const char* const gpu : {"b200", "h200", "mi300x", "pvc"}) {
    const auto loaded = config::load<machine::MachineSpec>(library.gpu(gpu), library.configurations(), {});
    trace::LaunchList list;
    list.push_back(kernels::make_kernel("copy,bytes=24MiB", study::target_of(loaded.spec)));
    Timed timed;
    study::RunQuestion question;
    question.executor = &timed;
    const double begun = processor_seconds();
    const study::RunResult result = study::measure_run(loaded.spec, list, question);
    const double spent = processor_seconds() - begun;
    figures.push_back({fmt::format("{} copy, processes", gpu), timed.processes(), ""});
    figures.push_back(
        {fmt::format("{} copy, one thread", gpu), static_cast<double>(result.transactions) / spent, "lines/s"});
    figures.push_back({fmt::format("{} copy, windows", gpu), timed.windows(), ""});
    figures.push_back({fmt::format("{} copy, most speed-up by threads", gpu), timed.all() / timed.longest(), "times"});
  }
  return figures;
}

}  // namespace strata::bench
