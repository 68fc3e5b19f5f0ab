// SPDX-License-Identifier: Apache-2.0
// What each kind of question makes a machine do, so that settings that it never
// reads can be reported.
#pragma once
#include "machine/checks/activity.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/handoff.hpp"
#include "study/latency/latency.hpp"
#include "study/litmus/litmus.hpp"

namespace strata::study {

machine::Activity activity_of(const LatencyQuestion& question);
machine::Activity activity_of(const HandoffQuestion& question);
machine::Activity activity_of(const LitmusQuestion& question);
/// loaded: one core chases pointers meanwhile.
machine::Activity activity_of(const BandwidthQuestion& question, const machine::MachineSpec& spec, bool loaded = false);
/// Of kernels, whatever they do.
machine::Activity activity_of_kernels();

}  // namespace strata::study
