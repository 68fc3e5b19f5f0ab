// SPDX-License-Identifier: Apache-2.0
#include "machine/policies.hpp"

#include <fmt/format.h>

#include "cache/compression/table.hpp"
#include "cache/prefetch/table.hpp"
#include "compute/placement.hpp"
#include "compute/scheduling.hpp"
#include "dram/page_policies.hpp"
#include "dram/scheduler/policy.hpp"
#include "fabric/address_map.hpp"
#include "replacement/table.hpp"
#include "translation/page_table.hpp"

namespace strata::machine {

namespace {
template <class Table>
void add(std::vector<PolicyRow>& rows, const char* what, const Table& table) {
  for (const auto& row : table) rows.push_back({what, std::string(row.name), std::string(row.meaning)});
}
}  // namespace

std::vector<PolicyRow> policies() {
  std::vector<PolicyRow> rows;
  add(rows, "replacement", replacement::ReplacementTable::rows());
  add(rows, "prefetching", cache::PrefetcherTable::rows());
  add(rows, "line compression", cache::CompressionTable::rows());
  add(rows, "block placement", compute::placement_policies());
  add(rows, "warp scheduling", compute::scheduling_policies());
  add(rows, "set index", fabric::index_policies);
  add(rows, "page placement", translation::placements);
  add(rows, "DRAM scheduling", dram::policies());
  for (const dram::PagePolicyRow& row : dram::page_policies)
    rows.push_back(
        {"DRAM pages", std::string(row.name), fmt::format("a row that no queued request hits: {}", row.meaning)});
  return rows;
}

}  // namespace strata::machine
