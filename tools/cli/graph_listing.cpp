// SPDX-License-Identifier: Apache-2.0
#include "graph_listing.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/printable.hpp"
#include "config/schema/scalar.hpp"
#include "listing.hpp"
#include "report/text/listing.hpp"

namespace strata::cli {

namespace {

using config::show_number;
using machine::Edge;
using machine::Graph;
using machine::Node;
using report::Listing;
using report::ListingColumn;

/// A column and what stands in it. key: in JSON, nullptr: absent there; heading: in the table, nullptr: absent there.
template <class Row>
struct Cell {
  const char* key;
  const char* heading;
  report::Align align;
  std::string (*text)(const Graph& graph, const Row& row);
};

template <class Quantity>
std::string shown(const std::optional<Quantity>& figure) {
  return figure ? show_number(*figure) : "";
}
template <class... Quantities>
std::string shown(const std::optional<std::variant<Quantities...>>& figure) {
  return figure ? std::visit([](auto value) { return show_number(value); }, *figure) : "";
}

std::string number(double value) { return fmt::format("{}", value); }
template <class Whole>
std::string whole(const std::optional<Whole>& value) {
  return value ? fmt::format("{}", *value) : "";
}
std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string bytes_per_second(const std::optional<machine::Width>& width, Frequency clock) {
  if (!width) return "";
  const auto* per_clock = std::get_if<BytesPerClock>(&*width);
  return number(per_clock != nullptr ? per_clock->value * static_cast<double>(clock.value)
                                     : std::get<BytesPerSecond>(*width).value);
}
std::string nanoseconds(const std::optional<machine::Latency>& latency, Frequency clock) {
  if (!latency) return "";
  const auto* cycles = std::get_if<Cycles>(&*latency);
  return number(cycles != nullptr ? cycles->value * 1e9 / static_cast<double>(clock.value)
                                  : std::get<Nanoseconds>(*latency).value);
}

std::string addresses(const Graph&, const Node& node) {
  if (!node.addresses) return node.caches() ? "all" : "";
  if (node.apart && node.apart == node.capacity) return fmt::format("{} each", show_number(*node.apart));
  if (node.apart) return fmt::format("{} of each {}", shown(node.capacity), show_number(*node.apart));
  return fmt::format("{} to {}", show_number(node.addresses->from), show_number(node.addresses->to));
}

std::string end(const Graph& graph, std::size_t node, const std::optional<std::uint32_t>& instance) {
  return instance ? fmt::format("{} {}", graph.nodes[node].name, *instance) : graph.nodes[node].name;
}

std::string carries(const Graph&, const Edge& edge) {
  std::string text = edge.name.empty() ? std::string(name(edge.carries)) : edge.name;
  if (edge.both_ways) text += ", both ways";
  return text;
}

std::string selects(const Graph& graph, const Edge& edge) {
  std::vector<std::string> parts;
  if (!edge.pages.empty()) parts.push_back("pages " + edge.pages);
  if (!edge.homes.empty()) parts.push_back(fmt::format("{} homes", 1U << edge.homes.size()));
  if (!edge.index.empty()) parts.push_back(fmt::format("{} over {}", edge.index, graph.nodes[edge.to].parts));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// The parities of address bits, from the lowest bit of the home's number: "12^14, 13^15".
std::string home_bits(const Graph&, const Edge& edge) {
  std::vector<std::string> bits;
  for (const fabric::HomeBitSpec& bit : edge.homes) bits.push_back(fmt::format("{}", fmt::join(bit.address_bits, "^")));
  return fmt::format("{}", fmt::join(bits, ", "));
}

// Those of one map together: "crossbar.{depth, request_latency}".
std::string settings(const std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, std::vector<std::string>>> maps;
  for (const std::string& path : paths) {
    const std::size_t dot = path.rfind('.');
    const std::string map = dot == std::string::npos ? "" : path.substr(0, dot + 1);
    if (maps.empty() || maps.back().first != map) maps.push_back({map, {}});
    maps.back().second.push_back(path.substr(map.size()));
  }
  std::vector<std::string> all;
  for (const auto& [map, names] : maps)
    all.push_back(names.size() == 1 ? map + names.front() : fmt::format("{}{{{}}}", map, fmt::join(names, ", ")));
  return fmt::format("{}", fmt::join(all, ", "));
}

const std::vector<Cell<Node>> node_cells{
    {"node", "node", left, [](const Graph&, const Node& node) { return node.name; }},
    {"kind", "kind", left, [](const Graph&, const Node& node) { return std::string(name(node.kind)); }},
    {"instances", "instances", right, [](const Graph&, const Node& node) { return fmt::format("{}", node.instances); }},
    {"shared_by", "shared by", left, [](const Graph&, const Node& node) { return std::string(name(node.shared_by)); }},
    {"parts", "parts", right, [](const Graph&, const Node& node) { return fmt::format("{}", node.parts); }},
    {"capacity", "capacity", right, [](const Graph&, const Node& node) { return shown(node.capacity); }},
    {"capacity_bytes", nullptr, right,
     [](const Graph&, const Node& node) { return node.capacity ? fmt::format("{}", node.capacity->value) : ""; }},
    {"port", "port", right, [](const Graph&, const Node& node) { return shown(node.port); }},
    {"port_bytes_per_second", nullptr, right,
     [](const Graph&, const Node& node) { return bytes_per_second(node.port, node.clock.value_or(Frequency{})); }},
    {"addresses", "addresses", left, addresses},
    {"first_address", nullptr, right,
     [](const Graph&, const Node& node) {
       return node.addresses ? fmt::format("{}", node.addresses->from.value) : "";
     }},
    {"end_address", nullptr, right,
     [](const Graph&, const Node& node) { return node.addresses ? fmt::format("{}", node.addresses->to.value) : ""; }},
    {"copies", "copies", left,
     [](const Graph&, const Node& node) { return node.caches() ? yes_or_no(node.copies) : ""; }},
    {"settings", "settings", left, [](const Graph&, const Node& node) { return node.path; }},
};

const std::vector<Cell<Edge>> edge_cells{
    {"from", "from", left,
     [](const Graph& graph, const Edge& edge) { return end(graph, edge.from, edge.from_instance); }},
    {"to", "to", left, [](const Graph& graph, const Edge& edge) { return end(graph, edge.to, edge.to_instance); }},
    {"carries", "carries", left, carries},
    {"requests", "requests", right, [](const Graph&, const Edge& edge) { return shown(edge.requests); }},
    {"requests_bytes_per_second", nullptr, right,
     [](const Graph&, const Edge& edge) { return bytes_per_second(edge.requests, edge.clock); }},
    {"stores", "stores", right, [](const Graph&, const Edge& edge) { return shown(edge.stores); }},
    {"stores_bytes_per_second", nullptr, right,
     [](const Graph&, const Edge& edge) { return bytes_per_second(edge.stores, edge.clock); }},
    {"responses", "responses", right, [](const Graph&, const Edge& edge) { return shown(edge.responses); }},
    {"responses_bytes_per_second", nullptr, right,
     [](const Graph&, const Edge& edge) { return bytes_per_second(edge.responses, edge.clock); }},
    {"latency", "latency", right, [](const Graph&, const Edge& edge) { return shown(edge.latency); }},
    {"latency_ns", nullptr, right,
     [](const Graph&, const Edge& edge) { return nanoseconds(edge.latency, edge.clock); }},
    {"back", "back", right, [](const Graph&, const Edge& edge) { return shown(edge.back); }},
    {"back_ns", nullptr, right, [](const Graph&, const Edge& edge) { return nanoseconds(edge.back, edge.clock); }},
    {"depth", "depth", right,
     [](const Graph&, const Edge& edge) { return edge.enough ? std::string("enough") : whole(edge.depth); }},
    {"selects", "selects", left, selects},
    {"home_bits", nullptr, left, home_bits},
    {nullptr, "settings", left, [](const Graph&, const Edge& edge) { return settings(edge.settings); }},
    {"settings", nullptr, left,
     [](const Graph&, const Edge& edge) { return fmt::format("{}", fmt::join(edge.settings, ", ")); }},
};

template <class Row>
Listing rows_of(const char* what, const Graph& graph, const std::vector<Row>& rows, const std::vector<Cell<Row>>& cells,
                bool for_programs) {
  const auto shows = [&](const Cell<Row>& cell) { return (for_programs ? cell.key : cell.heading) != nullptr; };
  std::vector<ListingColumn> columns;
  for (const Cell<Row>& cell : cells)
    if (shows(cell)) columns.push_back({for_programs ? cell.key : "", {for_programs ? "" : cell.heading, cell.align}});
  Listing all = listing(what, std::move(columns));
  for (const Row& row : rows) {
    std::vector<std::string>& made = all.rows.emplace_back();
    for (const Cell<Row>& cell : cells) {
      if (!shows(cell)) continue;
      made.push_back(cell.text(graph, row));
      if (!for_programs && made.back().empty()) made.back() = "-";
    }
  }
  return all;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

// Labels of several lines: Graphviz breaks them at \n.
std::string label(const std::vector<std::string>& lines) {
  std::string made;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    const std::string inner = quoted(line);
    made += (made.empty() ? "" : "\\n") + inner.substr(1, inner.size() - 2);
  }
  return '"' + made + '"';
}

}  // namespace

std::string graph_table(const Graph& graph) {
  return report::table(rows_of("nodes", graph, graph.nodes, node_cells, false)) + '\n' +
         report::table(rows_of("edges", graph, graph.edges, edge_cells, false));
}

std::string graph_json(const Graph& graph, const std::string& gpu) {
  std::vector<Listing> both{rows_of("nodes", graph, graph.nodes, node_cells, true),
                            rows_of("edges", graph, graph.edges, edge_cells, true)};
  both.front().heading.gpu = gpu;
  return report::json(both);
}

std::string graph_dot(const Graph& graph, const std::string& gpu) {
  std::string text = fmt::format("digraph {} {{\n  node [shape=box];\n", quoted(gpu));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    std::string size =
        node.instances > 1 ? fmt::format("{} x {}", node.instances, shown(node.capacity)) : shown(node.capacity);
    if (size.ends_with(" x ")) size.resize(size.size() - 3);
    text += fmt::format("  n{} [label={}];\n", n, label({node.name, size}));
  }
  for (const Edge& edge : graph.edges) {
    const bool looks_up = edge.carries == machine::Carries::translation;
    text += fmt::format("  n{} -> n{} [label={}{}{}];\n", edge.from, edge.to,
                        label({edge.name, shown(edge.responses), shown(edge.latency)}),
                        edge.both_ways ? ", dir=both" : "", looks_up ? ", style=dashed" : "");
  }
  return text + "}\n";
}

}  // namespace strata::cli
