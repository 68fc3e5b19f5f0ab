// SPDX-License-Identifier: Apache-2.0
// A point of `sweep --question latency`: one pointer chase.
#include <fmt/format.h>

#include <stdexcept>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "chase_options.hpp"
#include "machine/machine.hpp"
#include "study/activity.hpp"
#include "study/latency/latency.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

namespace {

class Chase final : public SweepQuestion {
 public:
  explicit Chase(const Options& options) : question_(read_chase(options)) {
    if (!options.has("footprint"))
      throw InputError(Diagnostic{
          "--footprint", 0, 0, "give the memory that the chase walks, as --footprint 32MiB, or vary it", {}});
    footprint_ = footprint_of_chase(one_footprint(options).value, question_);
  }

  void check(machine::Machine& machine) const override {
    const machine::MachineSpec& spec = machine.spec();
    study::check_space(spec, question_.space);
    std::vector<std::uint64_t> asked{footprint_};
    study::keep_what_fits(asked, spec, question_);
    if (asked.empty()) throw InvalidRequest(fmt::format("a footprint of {} bytes does not fit", footprint_));
  }

  machine::Activity does(const machine::MachineSpec&) const override { return study::activity_of(question_); }

  std::vector<report::Setting> unread_options(const Given& given, const machine::MachineSpec& spec) const override {
    return cli::unread_options(given, question_, spec);
  }

  SweepAnswer measure(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    study::LatencyQuestion question = question_;
    question.statistics = statistics;
    return answer(study::measure_latency(spec, question, footprint_));
  }

  SweepAnswer explained(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    study::LatencyQuestion question = question_;
    question.stages = true;
    question.statistics = statistics;
    return answer(study::measure_latency(spec, question, footprint_));
  }

 private:
  static SweepAnswer answer(const study::LatencyPoint& point) {
    SweepAnswer answer{{static_cast<double>(point.footprint_bytes), point.latency_ns, point.latency_cycles},
                       {},
                       {},
                       point.fingerprint};
    for (const study::LevelShare& share : point.served_by) answer.shares.emplace_back(share.level, share.share);
    for (const stats::NamedShare& stage : point.stages) answer.parts.push_back({"stages", stage.name, stage.mean_ns});
    for (const study::LevelShare& share : point.served_by)
      answer.parts.push_back({"served by", share.level, share.share});
    if (!point.statistics.empty()) answer.statistics.push_back({{}, point.statistics});
    return answer;
  }

  study::LatencyQuestion question_;
  std::uint64_t footprint_ = 0;
};

void describe_swept_chase(po::options_description& description) {
  description.add_options()("footprint", po::value<std::string>()->value_name("SIZE"),
                            "memory that the chase walks, in whole strides");
  describe_chase(description);
}

std::unique_ptr<SweepQuestion> read_swept_chase(const Options& options) { return std::make_unique<Chase>(options); }

}  // namespace

SweepQuestionKind sweep_latency() {
  report::SweepFigure footprint{"footprint_bytes", "footprint", "B", 1, 0, true, false};
  return {"latency",
          "load-to-use latency",
          "--vary l2.cache.hit_latency='*0.8,*1.0,*1.2' --vary footprint=1MiB..64MiB:x2",
          describe_swept_chase,
          read_swept_chase,
          {footprint, {"latency_ns", "latency", "ns"}, {"latency_cycles", "latency", "cycles"}},
          1,
          {},
          "hit_level_shares",
          "served by"};
}

}  // namespace strata::cli
