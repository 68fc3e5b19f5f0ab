// SPDX-License-Identifier: Apache-2.0
// A timeline as Perfetto and Chrome's about:tracing open it: Google's Trace Event
// Format, JSON. A process is a core and its threads the places of its blocks; the
// stages of the memory system are processes too, with as many threads as requests
// were in a stage at once. A request is a flow: it starts in its block's slice at
// the time of issue and steps from stage to stage. docs/formats/timeline.md has
// every field.
#pragma once
#include <functional>
#include <string_view>

#include "report/data.hpp"
#include "stats/timeline.hpp"

namespace strata::report {

/// Written in pieces, so that a large one need not be held as text.
void timeline_json(const Heading& heading, const stats::Timeline& timeline,
                   const std::function<void(std::string_view)>& write);

}  // namespace strata::report
