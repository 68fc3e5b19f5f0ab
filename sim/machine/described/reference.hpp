// SPDX-License-Identifier: Apache-2.0
// The reference of `graph:` in Markdown: kinds of nodes and settings of edges, from the tables that read them.
#pragma once
#include <string>

namespace strata::machine {

std::string graph_reference();

}  // namespace strata::machine
