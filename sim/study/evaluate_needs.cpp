// SPDX-License-Identifier: Apache-2.0
// Which machines and which readings the expectations need.
#include <algorithm>
#include <set>
#include <tuple>

#include "study/evaluate.hpp"
#include "study/evaluate_readings.hpp"

namespace strata::study {

namespace {

auto key(const Reading& r) {
  const LatencyQuestion& q = r.question;
  return std::tie(r.machine, q.space, q.cache_operator, q.stride, q.threads, q.segmented, q.lanes,
                  q.bytes_per_lane, q.order, q.placement, q.seed, q.timed_loads, q.whole_warm_up,
                  r.footprint_bytes);
}

// Every form of a row with the GPU that it asks.
template <class Visit>
void for_each_form(const Expectation& expectation, const Visit& visit) {
  const auto measure = [&visit](const Measure& m) {
    visit(m.gpu, m, m.curve ? &*m.curve : nullptr);
    if (m.minus) visit(m.gpu, *m.minus, nullptr);
    if (m.over) visit(m.gpu, *m.over, nullptr);
  };
  measure(expectation.measure);
  if (expectation.right) measure(*expectation.right);
}

std::vector<Reading> readings_of(const std::string& gpu, const Form& form, const Curve* curve,
                                 const Readings& known) {
  std::vector<Reading> out;
  if (curve != nullptr)
    for (const CurvePoint& point : curve->points)
      out.push_back(reading_of(gpu, form, *curve, point.footprint.value));
  if (form.latency) out.push_back(reading_of(gpu, form, *form.latency, form.latency->footprint.value));
  if (form.knee) {
    const KneeSearch search = search_knee(*form.knee, [&](std::uint64_t footprint) {
      const auto found = known.find(reading_of(gpu, form, *form.knee, footprint));
      return found == known.end() ? nullptr : &found->second.latency_cycles;
    });
    for (const std::uint64_t footprint : search.wanted)
      out.push_back(reading_of(gpu, form, *form.knee, footprint));
  }
  return out;
}

}  // namespace

bool operator<(const Reading& a, const Reading& b) { return key(a) < key(b); }

std::map<MachineKey, config::Position> machines_of(std::span<const Expectation> expectations) {
  std::map<MachineKey, config::Position> all;
  for (const Expectation& expectation : expectations)
    for_each_form(expectation, [&](const std::string& gpu, const Form& form, const Curve* curve) {
      all.emplace(curve != nullptr ? machine_of(gpu, form, curve) : machine_of(gpu, form),
                  expectation.where);
    });
  return all;
}

std::vector<Reading> needed(std::span<const Expectation> expectations, const Readings& known) {
  std::set<Reading> wanted;
  for (const Expectation& expectation : expectations)
    for_each_form(expectation, [&](const std::string& gpu, const Form& form, const Curve* curve) {
      for (Reading& reading : readings_of(gpu, form, curve, known)) {
        reading.where = expectation.where;
        if (!known.contains(reading)) wanted.insert(std::move(reading));
      }
    });
  std::vector<Reading> all(wanted.begin(), wanted.end());
  // Lines to warm, and threads, decide how long a reading takes.
  const auto work = [](const Reading& r) {
    return std::pair(r.footprint_bytes / r.question.stride.value, r.question.threads);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&work](const Reading& a, const Reading& b) { return work(a) < work(b); });
  return all;
}

}  // namespace strata::study
