// SPDX-License-Identifier: Apache-2.0
// How a form is put as readings: the one place that says which run of which
// machine answers for a latency, a point of a curve, a step of a knee, a
// bandwidth.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "study/expectation/evaluate.hpp"

namespace strata::study {

/// The machine that a form asks a question with settings of its own, as all
/// questions but those about the configuration have.
template <class Asked>
MachineKey machine_of(const Form& form, const Asked& asked) {
  MachineKey key{form.gpu, form.set};
  key.set.insert(key.set.end(), asked.set.begin(), asked.set.end());
  return key;
}

/// The machine that a form asks, whatever the form.
inline MachineKey machine_of(const Form& form) {
  if (form.latency) return machine_of(form, *form.latency);
  if (form.knee) return machine_of(form, *form.knee);
  if (form.bandwidth) return machine_of(form, *form.bandwidth);
  if (form.bottleneck) return machine_of(form, *form.bottleneck);
  if (form.kernel) return machine_of(form, *form.kernel);
  if (form.handoff) return machine_of(form, *form.handoff);
  return {form.gpu, form.set};
}

inline LatencyReading reading_of(const Form& form, const Chase& chase, std::uint64_t footprint_bytes) {
  return {machine_of(form, chase),
          static_cast<const LatencyQuestion&>(chase),
          whole_strides(footprint_bytes, chase.stride),
          {}};
}

inline BandwidthReading reading_of(const Form& form, const BandwidthAt& stream) {
  BandwidthReading reading{
      machine_of(form, stream), static_cast<const BandwidthQuestion&>(stream), stream.footprint.value, {}};
  reading.question.timed_bytes = stream.timed.value;
  return reading;
}

inline KernelReading reading_of(const Form& form, const KernelAt& kernel) {
  return {machine_of(form, kernel), {kernel.run, kernel.after, kernel.sampled}, 0, {}};
}

inline HandoffReading reading_of(const Form& form, const HandoffAt& handoff) {
  return {machine_of(form, handoff), static_cast<const HandoffDraw&>(handoff), 0, {}};
}

/// How far a knee has been closed in on.
struct KneeSearch {
  std::vector<std::uint64_t> wanted;                            ///< footprints to measure next; empty: done
  double footprint = std::numeric_limits<double>::quiet_NaN();  ///< in bytes; NaN: no step there
};

/// Halves the logarithm of the footprint between the ends until they are a
/// thirty-second of an octave or a stride apart, then interpolates in it.
/// latency(footprint) gives a latency or null where it is not known yet.
template <class Latency>
KneeSearch search_knee(const Knee& knee, const Latency& latency) {
  // Below this the two ends are one plateau and any crossing would be noise.
  constexpr double least_step = 1.02;
  constexpr double octaves = 1.0 / 32;
  std::uint64_t low = whole_strides(knee.from.value, knee.stride);
  std::uint64_t high = whole_strides(knee.to.value, knee.stride);
  const double* at_low = latency(low);
  const double* at_high = latency(high);
  if (at_low == nullptr || at_high == nullptr) {
    KneeSearch ends;
    if (at_low == nullptr) ends.wanted.push_back(low);
    if (at_high == nullptr) ends.wanted.push_back(high);
    return ends;
  }
  if (*at_high < *at_low * least_step) return {};
  const double half = (*at_low + *at_high) / 2;
  const auto real = [](std::uint64_t whole) { return static_cast<double>(whole); };
  while (std::log2(real(high) / real(low)) > octaves) {
    const double root = std::sqrt(real(low) * real(high));
    const std::uint64_t middle = whole_strides(static_cast<std::uint64_t>(root + 0.5), knee.stride);
    if (middle <= low || middle >= high) break;
    const double* at_middle = latency(middle);
    if (at_middle == nullptr) return {{middle}, {}};
    (*at_middle < half ? low : high) = middle;
    (*at_middle < half ? at_low : at_high) = at_middle;
  }
  const double share = (half - *at_low) / (*at_high - *at_low);
  return {{}, real(low) * std::exp2(share * std::log2(real(high) / real(low)))};
}

}  // namespace strata::study
