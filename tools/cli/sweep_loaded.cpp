// SPDX-License-Identifier: Apache-2.0
// A point of `sweep --question loaded`: a dependent load while all other cores stream.
#include "bandwidth_options.hpp"
#include "base/diagnostic.hpp"
#include "gpu.hpp"
#include "machine/machine.hpp"
#include "study/activity.hpp"
#include "study/bandwidth/loaded.hpp"
#include "study/bandwidth/streaming_load.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

namespace {

class Loaded final : public SweepQuestion {
 public:
  explicit Loaded(const Options& options) : stream_(read_stream(options)) {
    if (!options.has("footprint"))
      throw InputError(
          Diagnostic{"--footprint",
                     0,
                     0,
                     "give the memory that is chased and streamed through, as --footprint 256MiB, or vary it",
                     {}});
    footprint_ = one_footprint(options).value;
    const std::vector<double> all = rates("inject", *options.text("inject"));
    if (all.size() != 1)
      throw InputError(Diagnostic{"--inject", 0, 0, "is one rate of a point; give several with --vary inject=", {}});
    injected_ = all.front();
    chains_ = options.count("chains", 1, study::most_chains);
  }

  machine::Activity does(const machine::MachineSpec& spec) const override {
    return study::activity_of(stream_.on(spec), spec, true);
  }

  std::vector<report::Setting> unread_options(const Given& given, const machine::MachineSpec& spec) const override {
    return together(cli::unread_options(given, stream_.on(spec), spec, true), stream_.notes(spec));
  }

  void check(machine::Machine& machine) const override {
    const study::StreamingLoad load(machine, stream_.on(machine.spec()), footprint_, 1);
  }

  SweepAnswer measure(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    study::BandwidthQuestion question = stream_.on(spec);
    question.statistics = statistics;
    const study::LoadedPoint point = study::measure_loaded(spec, question, footprint_, injected_, chains_);
    SweepAnswer answer{{static_cast<double>(footprint_), point.injected_bytes_per_second, point.bytes_per_second,
                        point.latency_ns, point.latency_cycles, static_cast<double>(point.loads)},
                       {},
                       {},
                       point.fingerprint};
    for (const study::LevelShare& share : point.served_by) answer.shares.emplace_back(share.level, share.share);
    if (!point.statistics.empty()) answer.statistics.push_back({{}, point.statistics});
    return answer;
  }

  SweepAnswer explained(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    return measure(spec, statistics);
  }

 private:
  StreamOptions stream_;
  std::uint64_t footprint_ = 0;
  double injected_ = 0;
  std::uint64_t chains_ = 1;
};

void describe_swept_loaded(po::options_description& description) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  description.add_options()("footprint", po::value<std::string>()->value_name("SIZE"),
                            "memory that is chased and streamed through, of all arrays")(
      "inject", text("RATE", "0"), "rate at which all other cores stream, as 0, 500GB/s or max")(
      "chains", text("N", "1"), "chains of dependent loads on the core reserved for them");
  describe_stream(description);
}

std::unique_ptr<SweepQuestion> read_swept_loaded(const Options& options) { return std::make_unique<Loaded>(options); }

}  // namespace

SweepQuestionKind sweep_loaded() {
  return {"loaded",
          "latency under load",
          "--vary inject=0,100GB/s,200GB/s,max --footprint 64MiB",
          describe_swept_loaded,
          read_swept_loaded,
          {{"footprint_bytes", "footprint", "B", 1, 0, true, false},
           {"injected_bytes_per_second", "injected", "GB/s", 1e9, 1, false, false},
           {"bytes_per_second", "achieved", "GB/s", 1e9},
           {"latency_ns", "latency", "ns"},
           {"latency_cycles", "latency", "cycles"},
           {"loads", "loads", "", 1, 0, true, false}},
          3,
          {},
          "hit_level_shares",
          "served by"};
}

}  // namespace strata::cli
