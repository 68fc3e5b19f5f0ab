// SPDX-License-Identifier: Apache-2.0
// The graph of a machine as text: two tables, a JSON document, a drawing in the language of Graphviz.
#pragma once
#include <string>

#include "machine/layout/graph.hpp"

namespace strata::cli {

/// A table of nodes and one of edges, with figures in the units of their settings.
std::string graph_table(const machine::Graph& graph);
/// gpu: as it was given. Members `nodes` and `edges`; figures also in bytes per second and nanoseconds.
std::string graph_json(const machine::Graph& graph, const std::string& gpu);
std::string graph_dot(const machine::Graph& graph, const std::string& gpu);

}  // namespace strata::cli
