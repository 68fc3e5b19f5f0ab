// SPDX-License-Identifier: Apache-2.0
#include "study/activity.hpp"

namespace strata::study {

namespace {

machine::Activity nothing() {
  machine::Activity does;
  does.global = does.shared = does.cluster = does.scalar = does.texture = does.bulk = does.code = false;
  does.stores = does.atomics = does.bypasses = false;
  does.one_lane = does.several_lanes = does.wide = false;
  does.arithmetic = does.kernels = does.several_warps = does.host = false;
  does.several_cores = does.few_cores = false;
  return does;
}

void access(machine::Activity& does, trace::Space space, memory::CacheOperator cache_operator, std::uint64_t lanes,
            std::uint64_t bytes_per_lane) {
  does.global |= space == trace::Space::global;
  does.shared |= trace::within_cores(space);
  does.cluster |= space == trace::Space::cluster;
  does.scalar |= space == trace::Space::scalar;
  does.texture |= space == trace::Space::texture;
  does.bulk |= space == trace::Space::bulk;
  does.bypasses |= cache_operator != memory::CacheOperator::ca;
  (lanes == 1 ? does.one_lane : does.several_lanes) = true;
  does.wide |= bytes_per_lane > 8;
}

}  // namespace

machine::Activity activity_of(const LatencyQuestion& question) {
  machine::Activity does = nothing();
  access(does, question.space, question.cache_operator, question.lanes, question.bytes_per_lane);
  does.one_at_a_time = question.threads == 1;
  does.several_warps = does.several_cores = question.threads > 1;
  does.few_cores = question.threads > 1 && question.placement.empty();
  does.host = question.home == ChaseHome::host;
  does.placement = question.placement;
  return does;
}

machine::Activity activity_of(const HandoffQuestion& question) {
  machine::Activity does = nothing();
  const bool shared = question.space == trace::Space::shared;
  (shared ? does.shared : does.global) = true;
  (shared ? does.several_warps : does.several_cores) = true;
  does.one_lane = does.atomics = true;
  does.kernels = shared;
  return does;
}

machine::Activity activity_of(const LitmusQuestion& question) {
  machine::Activity does = nothing();
  access(does, trace::Space::global, question.cache_operator, 1, memory::word_bytes);
  does.stores = does.several_warps = does.several_cores = true;
  return does;
}

machine::Activity activity_of(const BandwidthQuestion& question, const machine::MachineSpec& spec, bool loaded) {
  machine::Activity does = nothing();
  const std::uint64_t lanes = question.lanes == 0 ? spec.core.warp_width : question.lanes;
  access(does, question.space, question.cache_operator, lanes, question.bytes_per_lane);
  if (loaded) access(does, question.space, question.cache_operator, 1, 8);
  does.stores = trace::stores_of(question.operation) > 0;
  does.several_warps = does.several_cores = true;
  const std::uint64_t all = spec.dies.compute * spec.dies.cores_per_die;
  does.few_cores = question.cores > 0 && question.cores < all && question.placement.empty();
  does.host = question.home == Home::host;
  does.placement = question.placement;
  return does;
}

machine::Activity activity_of_kernels() {
  machine::Activity does;
  does.host = false;  // kernels that lie beyond the memory are moved into it
  return does;
}

}  // namespace strata::study
