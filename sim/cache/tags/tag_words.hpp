// SPDX-License-Identifier: Apache-2.0
// The words of a cache's tags and the policies over them, which caches share with TLBs.
#pragma once
#include "replacement/line_word.hpp"
#include "replacement/policy.hpp"

namespace strata::cache {

using memory::SectorMask;
using replacement::LineNumber;
using replacement::LineWord;
using replacement::no_way;

}  // namespace strata::cache
