// SPDX-License-Identifier: Apache-2.0
#include "translation/page_table.hpp"

#include <bit>
#include <stdexcept>

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "memory/transaction.hpp"

namespace strata::translation {

namespace {

const Placement& placement_named(const std::string& name) {
  for (const Placement& placement : placements) {
    if (placement.name == name) return placement;
  }
  throw InvalidRequest("there is no placement '" + name + "'");
}

std::uint64_t runs_of(const PageTableSpec& spec) {
  if (!std::has_single_bit(spec.page.value) || spec.page.value < memory::block_bytes) {
    throw InvalidRequest("a page is a power of two of at least 128 B");
  }
  const std::uint64_t runs = spec.run == 0 ? 0 : spec.memory.value / spec.page.value / spec.run;
  if (runs == 0) throw InvalidRequest("memory holds no whole run of pages");
  return runs;
}

}  // namespace

PageTable::PageTable(const PageTableSpec& spec)
    : page_bits_(static_cast<unsigned>(std::countr_zero(spec.page.value / memory::block_bytes))),
      run_(spec.run),
      runs_(runs_of(spec), spec.seed),
      placement_(&placement_named(spec.placement)) {}

void PageTable::refuse(std::uint64_t page) const {
  throw std::out_of_range(
      fmt::format("virtual page {} does not fit in a memory of {} pages", page, frames()));
}

std::uint64_t Placement::contiguous(const PageTable&, std::uint64_t page) { return page; }

std::uint64_t Placement::scattered(const PageTable& table, std::uint64_t page) {
  return table.runs_(page / table.run_) * table.run_ + page % table.run_;
}

}  // namespace strata::translation
