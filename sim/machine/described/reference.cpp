// SPDX-License-Identifier: Apache-2.0
#include "machine/described/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "machine/described/block.hpp"
#include "machine/described/edge_settings.hpp"

namespace strata::machine {

namespace {

std::string section_of(const BlockKindInfo& kind) {
  if (kind.kind == BlockKind::cache) return "`l1`, `l2` or an entry of `levels`, by its position";
  if (kind.kind == BlockKind::tlb) return "an entry of `translation.levels`, by its position";
  return fmt::format("`{}`", kind.section);
}

/// The kinds that one kind may lead to with the same settings together.
void edges_from(const BlockKindInfo& from, std::string& out) {
  std::vector<std::pair<std::string, std::string>> rows;  // settings, kinds
  for (const BlockKindInfo& to : block_kinds()) {
    if (!may_lead(from.kind, to.kind)) continue;
    std::vector<std::string> settings;
    for (const EdgeSetting& each : edge_settings(from.kind, to.kind))
      settings.push_back(fmt::format("`{}` = `{}` of the {}", each.name, each.path, (each.of_from ? from : to).name));
    const std::string text = fmt::format("{}", fmt::join(settings, "; "));
    if (!rows.empty() && rows.back().first == text)
      rows.back().second += fmt::format(", {}", to.name);
    else
      rows.emplace_back(text, to.name);
  }
  for (const auto& [settings, kinds] : rows) out += fmt::format("| {} | {} | {} |\n", from.name, kinds, settings);
}

}  // namespace

std::string graph_reference() {
  std::string out =
      "\n## graph\n\n"
      "a machine as nodes and edges, in place of the sections of its blocks or beside them\n\n"
      "`graph.nodes` is a map of nodes by name: `kind`, and the settings of its section; of a cache those of a slice "
      "and of the level together. `graph.edges` is a list: `from`, `to`, and settings of the edge.\n\n"
      "| kind of node | name | settings of |\n| --- | --- | --- |\n";
  for (const BlockKindInfo& kind : block_kinds())
    out += fmt::format("| {} | {} | {} |\n", kind.name, kind.node.empty() ? "any" : fmt::format("`{}`", kind.node),
                       section_of(kind));
  out += "\n| edge from | to | settings |\n| --- | --- | --- |\n";
  for (const BlockKindInfo& kind : block_kinds()) edges_from(kind, out);
  return out +
         "| `die N` | `die N` | a link: the settings of an entry of `network.links`; `memory die N` and `compute "
         "die N` where memory dies are apart |\n";
}

}  // namespace strata::machine
