// SPDX-License-Identifier: Apache-2.0
// Which machines and which readings the expectations need.
#include <algorithm>
#include <set>
#include <tuple>

#include "study/expectation/evaluate.hpp"
#include "study/expectation/evaluate_readings.hpp"

namespace strata::study {

namespace {

// All options of a question. An option that is added to it and not here does not compile.
auto key(const LatencyQuestion& question) {
  const auto& [stride, threads, segmented, lanes, width, space, cache_operator, order, home, placement, seed,
               timed_loads, whole_warm_up, warm_laps, statistics, stages, paths] = question;
  return std::tie(space, cache_operator, stride, threads, segmented, lanes, width, order, home, placement, seed,
                  timed_loads, whole_warm_up, warm_laps, statistics, stages, paths);
}

auto key(const BandwidthQuestion& question) {
  const auto& [operation, cores, dies, placement, space, cache_operator, sharing, part, block_warps, home, warps, lanes,
               width, lane_stride, unroll, batch, per_access, per_batch, blocked, lockstep, whole, timed_bytes, seed,
               statistics] = question;
  return std::tie(operation, cores, dies, placement, space, cache_operator, sharing, part, block_warps, home, warps,
                  lanes, width, lane_stride, unroll, batch, per_access, per_batch, blocked, lockstep, whole,
                  timed_bytes, seed, statistics);
}

auto key(const KernelQuestion& question) { return std::tie(question.kernel, question.after, question.sampled); }

auto key(const HandoffDraw& draw) {
  const auto& [space, address, home, loop_cycles, handoffs, statistics] = static_cast<const HandoffQuestion&>(draw);
  return std::tie(space, address, home, loop_cycles, handoffs, statistics, draw.pairs, draw.seed);
}

template <class Question>
bool before(const ReadingOf<Question>& a, const ReadingOf<Question>& b) {
  if (a.machine != b.machine) return a.machine < b.machine;
  const auto left = key(a.question);
  const auto right = key(b.question);
  return left != right ? left < right : a.footprint_bytes < b.footprint_bytes;
}

// The readings of a row: its forms, and the curves among them.
template <class Visit>
void for_each_measure(const Expectation& expectation, const Visit& visit) {
  visit(expectation.measure);
  if (expectation.right) visit(*expectation.right);
}

template <class Visit>
void for_each_form(const Measure& measure, const Visit& visit) {
  visit(measure);
  if (measure.minus) visit(*measure.minus);
  if (measure.over) visit(*measure.over);
}

// The readings that are needed and not known, each once.
class Wanted {
 public:
  explicit Wanted(const Readings& known) : known_(known) {}

  void ask(const Measure& measure, const config::Position& where) {
    where_ = &where;
    if (measure.curve)
      for (const CurvePoint& point : measure.curve->points)
        request(reading_of(measure, *measure.curve, point.footprint.value));
    if (measure.bandwidth_curve)
      for (const BandwidthCurvePoint& point : measure.bandwidth_curve->points) request(reading_of(measure, point));
    for_each_form(measure, [this](const Form& form) { ask(form); });
  }

  std::vector<Reading> by_work() const {
    std::vector<Reading> all(latency_.begin(), latency_.end());
    all.insert(all.end(), bandwidth_.begin(), bandwidth_.end());
    all.insert(all.end(), kernels_.begin(), kernels_.end());
    all.insert(all.end(), handoffs_.begin(), handoffs_.end());
    std::stable_sort(all.begin(), all.end(), [](const Reading& a, const Reading& b) { return work(a) < work(b); });
    return all;
  }

 private:
  void ask(const Form& form) {
    if (form.latency) request(reading_of(form, *form.latency, form.latency->footprint.value));
    if (form.bandwidth) request(reading_of(form, *form.bandwidth));
    if (form.bottleneck) request(reading_of(form, *form.bottleneck));
    if (form.kernel) request(reading_of(form, *form.kernel));
    if (form.handoff) request(reading_of(form, *form.handoff));
    if (!form.knee) return;
    const KneeSearch search = search_knee(*form.knee, [&](std::uint64_t footprint) {
      const auto found = known_.latency.find(reading_of(form, *form.knee, footprint));
      return found == known_.latency.end() ? nullptr : &found->second.latency_cycles;
    });
    for (const std::uint64_t footprint : search.wanted) request(reading_of(form, *form.knee, footprint));
  }

  void request(LatencyReading reading) { request(std::move(reading), known_.latency, latency_); }
  void request(BandwidthReading reading) { request(std::move(reading), known_.bandwidth, bandwidth_); }
  void request(KernelReading reading) { request(std::move(reading), known_.kernels, kernels_); }
  void request(HandoffReading reading) { request(std::move(reading), known_.handoffs, handoffs_); }

  template <class One, class Known>
  void request(One reading, const Known& known, std::set<One>& wanted) {
    reading.where = *where_;
    if (!known.contains(reading)) wanted.insert(std::move(reading));
  }

  // The duration of a reading depends on the lines to warm, and on the threads or lines to
  // time.
  static std::pair<std::uint64_t, std::uint64_t> work(const Reading& reading) {
    if (const auto* chase = std::get_if<LatencyReading>(&reading))
      return {chase->footprint_bytes / chase->question.stride.value, chase->question.threads};
    if (std::holds_alternative<KernelReading>(reading)) return {std::uint64_t{1} << 24U, 0};  // a few seconds
    if (const auto* handoffs = std::get_if<HandoffReading>(&reading))
      return {handoffs->question.pairs * handoffs->question.handoffs, 0};
    const auto& stream = std::get<BandwidthReading>(reading);
    return {(stream.footprint_bytes + stream.question.timed_bytes) / memory::block_bytes, 0};
  }

  const Readings& known_;
  const config::Position* where_ = nullptr;
  std::set<LatencyReading> latency_;
  std::set<BandwidthReading> bandwidth_;
  std::set<KernelReading> kernels_;
  std::set<HandoffReading> handoffs_;
};

}  // namespace

bool operator<(const LatencyReading& a, const LatencyReading& b) { return before(a, b); }
bool operator<(const BandwidthReading& a, const BandwidthReading& b) { return before(a, b); }
bool operator<(const KernelReading& a, const KernelReading& b) { return before(a, b); }
bool operator<(const HandoffReading& a, const HandoffReading& b) { return before(a, b); }

void Readings::add(const Reading& reading, Answer answer) {
  if (const auto* chase = std::get_if<LatencyReading>(&reading))
    latency.emplace(*chase, std::get<LatencyPoint>(std::move(answer)));
  else if (const auto* kernel = std::get_if<KernelReading>(&reading))
    kernels.emplace(*kernel, std::get<KernelRun>(std::move(answer)));
  else if (const auto* draw = std::get_if<HandoffReading>(&reading))
    handoffs.emplace(*draw, std::get<std::vector<HandoffPoint>>(std::move(answer)));
  else
    bandwidth.emplace(std::get<BandwidthReading>(reading), std::get<BandwidthPoint>(std::move(answer)));
}

std::map<MachineKey, config::Position> machines_of(std::span<const Expectation> expectations) {
  std::map<MachineKey, config::Position> all;
  for (const Expectation& expectation : expectations) {
    const auto add = [&](MachineKey machine) { all.emplace(std::move(machine), expectation.where); };
    for_each_measure(expectation, [&add](const Measure& measure) {
      if (measure.curve) add(machine_of(measure, *measure.curve));
      if (measure.bandwidth_curve)
        for (const BandwidthCurvePoint& point : measure.bandwidth_curve->points) add(machine_of(measure, point));
      if (!measure.is_curve()) for_each_form(measure, [&add](const Form& form) { add(machine_of(form)); });
    });
  }
  return all;
}

std::vector<Reading> needed(std::span<const Expectation> expectations, const Readings& known) {
  Wanted wanted(known);
  for (const Expectation& expectation : expectations)
    for_each_measure(expectation, [&](const Measure& measure) { wanted.ask(measure, expectation.where); });
  return wanted.by_work();
}

}  // namespace strata::study
