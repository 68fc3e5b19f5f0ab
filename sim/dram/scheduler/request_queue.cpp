// SPDX-License-Identifier: Apache-2.0
#include "dram/scheduler/request_queue.hpp"

namespace strata::dram {

RequestQueue::RequestQueue(std::vector<Bank>& banks, std::uint32_t reads, std::uint32_t writes, std::uint32_t parts)
    : banks_(banks), entries_(parts * std::size_t{reads + writes}), requests_(reads + writes) {
  for (std::size_t i = entries_.size(); i-- > 0; free_entry_ = static_cast<std::uint16_t>(i))
    entries_[i].next = free_entry_;
  for (std::size_t i = requests_.size(); i-- > 0; free_request_ = static_cast<std::uint16_t>(i))
    requests_[i].next_free = free_request_;
}

}  // namespace strata::dram
