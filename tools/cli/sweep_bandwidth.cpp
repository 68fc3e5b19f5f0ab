// SPDX-License-Identifier: Apache-2.0
// A point of `sweep --question bandwidth`: one streaming load in its steady state.
#include <limits>

#include "bandwidth_options.hpp"
#include "base/diagnostic.hpp"
#include "gpu.hpp"
#include "machine/machine.hpp"
#include "parallel/windows.hpp"
#include "report/bandwidth/data.hpp"
#include "study/activity.hpp"
#include "study/bandwidth/streaming_load.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

namespace {

class Stream final : public SweepQuestion {
 public:
  explicit Stream(const Options& options) : stream_(read_stream(options)) {
    if (!options.has("footprint"))
      throw InputError(Diagnostic{
          "--footprint", 0, 0, "give the memory that the cores stream through, as --footprint 32MiB, or vary it", {}});
    footprint_ = one_footprint(options).value;
    fixed_window_ = options.has("fixed-window");
  }

  void check(machine::Machine& machine) const override {
    const study::StreamingLoad load(machine, stream_.on(machine.spec()), footprint_);
  }

  machine::Activity does(const machine::MachineSpec& spec) const override {
    return study::activity_of(stream_.on(spec), spec);
  }

  std::vector<report::Setting> unread_options(const Given& given, const machine::MachineSpec& spec) const override {
    return together(cli::unread_options(given, stream_.on(spec), spec, false), stream_.notes(spec));
  }

  SweepAnswer measure(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    study::BandwidthQuestion question = stream_.on(spec);
    question.statistics = statistics;
    const auto measured = fixed_window_ ? study::measure_bandwidth : study::measure_steady_bandwidth;
    tools::OnIdleThreads executor;
    const study::BandwidthPoint point = measured(spec, question, footprint_, &executor);
    const bool any = !point.resources.empty();
    SweepAnswer answer;
    answer.figures = {static_cast<double>(point.footprint_bytes),
                      point.bytes_per_second,
                      static_cast<double>(point.cores),
                      static_cast<double>(point.warps),
                      point.bytes_per_clock_per_core,
                      point.mean_latency_ns,
                      any ? point.resources.front().busy_fraction : 0,
                      point.steadiness ? point.steadiness->halves_differ : std::numeric_limits<double>::quiet_NaN()};
    answer.words = {report::bottleneck_in_words({point.levels, point.resources, point.shortages, nullptr,
                                                 report::queues(point.mean_latency_ns, point.unhindered_latency_ns)})};
    for (const stats::LevelUse& level : point.levels)
      if (level.peak_bytes_per_second > 0)
        answer.shares.emplace_back(level.name, level.bytes_per_second / level.peak_bytes_per_second);
    answer.fingerprint = point.fingerprint;
    add_use(answer, point.levels, point.resources);
    if (!point.statistics.empty()) answer.statistics.push_back({{}, point.statistics});
    return answer;
  }

  SweepAnswer explained(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    return measure(spec, statistics);
  }

 private:
  StreamOptions stream_;
  std::uint64_t footprint_ = 0;
  bool fixed_window_ = false;
};

void describe_swept_stream(po::options_description& description) {
  description.add_options()("footprint", po::value<std::string>()->value_name("SIZE"),
                            "memory that is streamed through, of all arrays");
  describe_stream(description);
}

std::unique_ptr<SweepQuestion> read_swept_stream(const Options& options) { return std::make_unique<Stream>(options); }

}  // namespace

SweepQuestionKind sweep_bandwidth() {
  return {"bandwidth",
          "bandwidth",
          "--vary cores=1..64:x4 --vary op=read,write --footprint 8MiB",
          describe_swept_stream,
          read_swept_stream,
          {{"footprint_bytes", "footprint", "B", 1, 0, true, false},
           {"bytes_per_second", "bandwidth", "GB/s", 1e9},
           {"cores", "cores", "", 1, 0, true, false},
           {"warps_per_core", "warps", "", 1, 0, true, false},
           {"bytes_per_clock_per_core", "bytes a clock and core", "B"},
           {"mean_latency_ns", "latency", "ns"},
           {"bottleneck_busy_fraction", "busy", "%", 0.01},
           {"halves_differ", "halves differ", "%", 0.01}},
          1,
          {"bottleneck"},
          "level_peak_fractions",
          "of its peak"};
}

}  // namespace strata::cli
