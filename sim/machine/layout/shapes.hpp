// SPDX-License-Identifier: Apache-2.0
// How many of what a machine's crossbars, TLBs and first buffers serve: what the blocks are built by and the graph of a
// machine shows.
#pragma once
#include <cstdint>

#include "cache/spec/cache_spec.hpp"
#include "fabric/crossbar.hpp"
#include "machine/spec.hpp"
#include "translation/translator.hpp"

namespace strata::machine {

/// Of one die, without the clock of its sources. Where groups have levels of their own, the crossbar joins groups, each
/// a source, with the slices.
fabric::CrossbarShape crossbar_shape(const MachineSpec& spec);

translation::TranslatorShape translator_shape(const MachineSpec& spec);

/// Requests in the buffer in front of a first-level cache.
std::uint32_t first_level_depth(const MachineSpec& spec, const cache::CacheSpec& first);

}  // namespace strata::machine
