// SPDX-License-Identifier: Apache-2.0
// The next command of each bank.
#include <algorithm>
#include <bit>

#include "dram/scheduler/scheduler.hpp"

namespace strata::dram {

inline void Scheduler::unwant_all(PseudoChannel& channel, std::uint32_t bank) {
  const std::uint64_t mask = bit(bank);
  std::uint32_t requested = banks_[bank].requested;
  banks_[bank].requested = 0;
  for (; requested != 0; requested &= requested - 1) {
    const auto kind = static_cast<std::size_t>(std::countr_zero(requested));
    channel.stale |= static_cast<std::uint32_t>(channel.first[kind] == bank) << kind;
    channel.requested[kind] &= ~mask;
  }
}

// A new command may be the first of its kind.
template <Kind kind>
[[gnu::always_inline]] inline void Scheduler::offer(PseudoChannel& channel, std::uint32_t bank, Tick ready,
                                                    std::uint64_t age) {
  channel.requested[kind] |= bit(bank);
  Bank& b = banks_[bank];
  b.requested = static_cast<std::uint8_t>(b.requested | bit_of(kind));
  if ((channel.stale & bit_of(kind)) != 0) return;
  if (kind == refresh || channel.refreshing != 0 || policy_.data_in_order) {
    channel.stale |= bit_of(kind);
    return;
  }
  const Tick first = channel.tick(kind);
  if (ready > first || (age >= channel.age[kind] && (channel.prompt & bit_of(kind)) != 0)) return;
  const Tick tick = slot<kind>(channel, std::max({ready, gate<kind>(channel), scope<kind>(bank)}));
  if (tick > first || (tick == first && age >= channel.age[kind])) return;
  channel.set(kind, tick);
  channel.stale |= moved;
  channel.age[kind] = age;
  channel.first[kind] = bank;
}

template <Kind kind>
[[gnu::always_inline]] inline void Scheduler::request(PseudoChannel& channel, std::uint32_t bank, Tick ready,
                                                      const Entry& entry) {
  ready = std::max(ready, entry.eligible);
  const std::uint64_t rank = rank_of(entry);
  channel.next_command(kind, bank) = {ready, rank};
  offer<kind>(channel, bank, ready, rank);
}

template <Kind kind>
void Scheduler::request_maintenance(PseudoChannel& channel, std::uint32_t bank, Tick ready, std::uint64_t stamp) {
  channel.next_command(kind, bank) = {ready, stamp};
  offer<kind>(channel, bank, ready, age<kind>(stamp));
}

bool Scheduler::is_listed(const Entry& entry) const {
  const memory::Transaction* const transaction = queue_.request(entry.request).transaction;
  return !entry.write && transaction != nullptr && blacklist_.holds(transaction->core);
}

// Of the current direction; hits: of those to the open row. If every core is blacklisted: the oldest of all
// without hits, no_entry with hits.
std::uint16_t Scheduler::first_unlisted(const Bank& bank, bool hits) const {
  const std::uint16_t head = bank.lists[writing_].head;
  for (std::uint16_t index = head; index != no_entry; index = queue_.entry(index).next) {
    const Entry& entry = queue_.entry(index);
    if ((!hits || entry.row == bank.row) && !is_listed(entry)) return index;
  }
  return hits ? no_entry : head;
}

void Scheduler::classify(PseudoChannel& channel, std::uint32_t bank) {
  Bank& b = banks_[bank];
  settled_ = false;
  unwant_all(channel, bank);
  const std::uint16_t head = first_of(b);
  const std::uint16_t other = ahead_ ? b.lists[!writing_].head : no_entry;
  const bool is_due = (channel.due & bit(bank)) != 0;
  if (b.row == closed_row) {
    if (is_due) return offer<refresh>(channel, bank, b.refresh, 0);
    if (head != no_entry) return request<activate>(channel, bank, b.activate, queue_.entry(head));
    if (other == no_entry) return;
    const Entry& entry = queue_.entry(other);
    return request_maintenance<activate>(channel, bank, std::max(b.activate, entry.eligible), entry.number | younger);
  }
  const bool hit = b.lists[writing_].hits > 0;
  const bool row_reserved = hit && (channel.row_reserved & bit(bank)) != 0;
  if (is_due && !row_reserved) return request_maintenance<precharge>(channel, bank, b.precharge, stamps_++);
  if (head == no_entry) {
    if ((close_idle_rows_ || other != no_entry) && b.lists[!writing_].hits == 0) {
      request_maintenance<precharge>(channel, bank, b.precharge + (other == no_entry ? row_timeout_ : 0),
                                     idle | stamps_++);
    }
    return;
  }
  const Entry& oldest = queue_.entry(head);
  const bool head_hits = oldest.row == b.row;
  // Hits of a blacklisted core do not keep a row open while a request of another core waits.
  const std::uint16_t unlisted_hit = hit && policy_.blacklists ? first_unlisted(b, true) : no_entry;
  const bool may_overtake = !policy_.blacklists || is_listed(oldest) || unlisted_hit != no_entry;
  const bool overtakes =
      hit && (row_reserved || (may_overtake && policy_.hits_overtake && !starving(oldest) && !overtaken_enough(bank)));
  if (head_hits || overtakes) {
    b.column_entry = head_hits ? head : unlisted_hit != no_entry ? unlisted_hit : queue_.oldest_hit(writing_, b);
    request<column>(channel, bank, constraints_.column_at(writing_, b), queue_.entry(b.column_entry));
  }
  if (!head_hits && !row_reserved && (!overtakes || policy_.closes_rows_with_hits)) {
    request<precharge>(channel, bank, b.precharge, oldest);
  }
}

void Scheduler::classify_all(PseudoChannel& channel) {
  std::uint64_t banks = channel.open | channel.due | channel.queued[0] | channel.queued[1];
  for (const std::uint64_t wanted : channel.requested) banks |= wanted;
  for (std::uint64_t left = banks; left != 0; left &= left - 1) classify(channel, channel.bank(left));
}

}  // namespace strata::dram
