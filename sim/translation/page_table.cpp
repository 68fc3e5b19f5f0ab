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
  if (const Placement* placement = find_placement(name)) return *placement;
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

const Placement* find_placement(std::string_view name) {
  for (const Placement& placement : placements)
    if (placement.name == name) return &placement;
  return nullptr;
}

PageTable::PageTable(const PageTableSpec& spec)
    : page_bits_(static_cast<unsigned>(std::countr_zero(spec.page.value / memory::block_bytes))),
      run_(spec.run),
      runs_(runs_of(spec), spec.seed),
      placement_(&placement_named(spec.placement)) {
  if (spec.domains < 2) {
    if (placement_->of_domains)
      throw InvalidRequest("pages of placement '" + spec.placement + "' need memory in domains");
    return;
  }
  domain_frames_ = spec.domain.value / spec.page.value;
  for (std::uint32_t domain = 0; domain < spec.domains; ++domain) {
    const std::uint64_t begin = domain * domain_frames_;
    domains_.push_back({begin, begin + spec.domain_memory.value / spec.page.value});
  }
}

std::uint64_t PageTable::frame_for(std::uint64_t page, std::uint32_t domain) const {
  if (page >= frames()) refuse(page);
  if (const auto frame = known_frame(page)) return *frame;
  return domains_[with_free_frame(page, domain)].next;
}

// Where the placement computes frames, only pages that were assigned lie elsewhere.
std::optional<std::uint64_t> PageTable::known_frame(std::uint64_t page) const {
  if (const auto place = places_.find(page); place != places_.end()) return place->second;
  if (placement_->frame != nullptr) return placement_->frame(*this, page);
  return std::nullopt;
}

std::uint64_t PageTable::placed(std::uint64_t page, std::uint32_t domain) {
  if (const auto frame = known_frame(page)) return *frame;
  const std::uint64_t frame = domains_[with_free_frame(page, domain)].next++;
  places_.emplace(page, frame);
  return frame;
}

// The domain, or the next one that is not full.
std::size_t PageTable::with_free_frame(std::uint64_t page, std::uint32_t domain) const {
  for (std::size_t step = 0; step < domains_.size(); ++step) {
    const std::size_t candidate = (domain + step) % domains_.size();
    if (domains_[candidate].next < domains_[candidate].end) return candidate;
  }
  refuse(page);
}

void PageTable::assign(std::uint64_t first, std::uint64_t bytes, std::uint32_t domain) {
  Domain& to = domains_.at(domain);
  const unsigned bits = page_bits_ + static_cast<unsigned>(std::countr_zero(memory::block_bytes));
  const std::uint64_t last = (first + bytes - 1) >> bits;
  for (std::uint64_t page = first >> bits; page <= last; ++page) {
    if (const auto place = places_.find(page); place != places_.end()) {
      if (place->second / domain_frames_ != domain)
        throw InvalidRequest(fmt::format("the page at 0x{:x} is assigned to memory die {} and to {}", page << bits,
                                         place->second / domain_frames_, domain));
      continue;
    }
    if (to.next == to.end)
      throw std::out_of_range(fmt::format("memory die {} is full before the page at 0x{:x}", domain, page << bits));
    places_.emplace(page, --to.end);
  }
}

void PageTable::refuse(std::uint64_t page) const {
  throw std::out_of_range(fmt::format("virtual page {} does not fit in a memory of {} pages", page, frames()));
}

std::uint64_t Placement::contiguous(const PageTable&, std::uint64_t page) { return page; }

std::uint64_t Placement::striped(const PageTable& table, std::uint64_t page) {
  const PageTable::Domain& domain = table.domains_[page % table.domains_.size()];
  if (page / table.domains_.size() >= domain.end - domain.next) table.refuse(page);
  return domain.next + page / table.domains_.size();
}

std::uint64_t Placement::scattered(const PageTable& table, std::uint64_t page) {
  return table.runs_(page / table.run_) * table.run_ + page % table.run_;
}

}  // namespace strata::translation
