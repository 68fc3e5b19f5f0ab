// SPDX-License-Identifier: Apache-2.0
// The named sections of a machine as a graph: the inverse of expand_graph().
#pragma once
#include "config/effective.hpp"
#include "config/value/value.hpp"

namespace strata::machine {

/// tree: with overrides. YAML of the result, as config::write_effective() writes it, binds to the same spec.
config::Effective with_graph(config::Value tree);

}  // namespace strata::machine
