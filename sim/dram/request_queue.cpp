// SPDX-License-Identifier: Apache-2.0
#include "dram/request_queue.hpp"

namespace strata::dram {

RequestQueue::RequestQueue(std::vector<Bank>& banks, std::uint32_t reads, std::uint32_t writes,
                           std::uint32_t parts)
    : banks_(banks),
      entries_(parts * std::size_t{reads + writes}),
      requests_(reads + writes) {
  for (std::size_t i = entries_.size(); i-- > 0;)
    free_entries_.push_back(static_cast<std::uint16_t>(i));
  for (std::size_t i = requests_.size(); i-- > 0;)
    free_requests_.push_back(static_cast<std::uint16_t>(i));
}

}  // namespace strata::dram
