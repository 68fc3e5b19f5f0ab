// SPDX-License-Identifier: Apache-2.0
#include "dram/request_queue.hpp"

namespace strata::dram {

RequestQueue::RequestQueue(std::vector<Bank>& banks, std::uint32_t reads, std::uint32_t writes,
                           std::uint32_t parts)
    : banks_(banks),
      // At least half of the places are free after a renumbering.
      place_mask_(std::bit_ceil(std::max(256U, 2 * parts * std::max(reads, writes))) - 1),
      entries_(parts * std::size_t{reads + writes}),
      requests_(reads + writes) {
  for (std::size_t i = entries_.size(); i-- > 0;)
    free_entries_.push_back(static_cast<std::uint16_t>(i));
  for (std::size_t i = requests_.size(); i-- > 0;)
    free_requests_.push_back(static_cast<std::uint16_t>(i));
  for (std::size_t write = 0; write < 2; ++write) {
    live_[write].resize(places() / 64);
    bank_at_[write].resize(places());
  }
  order_.reserve(entries_.size());
}

void RequestQueue::renumber(bool write) {
  order_.clear();
  for (const Bank& bank : banks_) {
    for (std::uint16_t i = bank.lists[write].head; i != no_entry; i = entries_[i].next)
      order_.push_back(i);
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint16_t a, std::uint16_t b) {
    return entries_[a].number < entries_[b].number;
  });
  std::fill(live_[write].begin(), live_[write].end(), 0);
  std::uint64_t number = next_[write] - order_.size();
  oldest_[write] = number;
  for (const std::uint16_t index : order_) {
    Entry& entry = entries_[index];
    entry.number = number++;
    live_[write][place(entry.number) / 64] |= std::uint64_t{1} << (entry.number % 64);
    bank_at_[write][place(entry.number)] = entry.bank;
  }
}

}  // namespace strata::dram
