// SPDX-License-Identifier: Apache-2.0
#include "compute/shared_memory.hpp"

#include <algorithm>

namespace strata::compute {

unsigned SharedMemory::passes(const trace::Instruction& instruction) const {
  // Distinct words wanted of each bank; the busiest bank decides. The lanes of
  // a wide access are served in groups that fill the banks once.
  const auto words_per_lane =
      static_cast<unsigned>((instruction.bytes_per_lane + word_bytes_ - 1) / word_bytes_);
  const unsigned lanes_per_phase = std::max(1U, banks_ / words_per_lane);
  unsigned total = 0;
  for (unsigned first = 0; first < instruction.lanes; first += lanes_per_phase) {
    const unsigned end = std::min<unsigned>(first + lanes_per_phase, instruction.lanes);
    std::array<std::uint64_t, std::size_t{8} * trace::most_lanes> words;
    unsigned count = 0;
    for (unsigned lane = first; lane < end; ++lane)
      for (unsigned w = 0; w < words_per_lane && count < words.size(); ++w)
        words[count++] = instruction.addresses[lane] / word_bytes_ + w;
    std::sort(words.begin(), words.begin() + count);
    count = static_cast<unsigned>(std::unique(words.begin(), words.begin() + count) - words.begin());
    std::array<unsigned, 256> wanted{};
    unsigned busiest = 1;
    for (unsigned i = 0; i < count; ++i) busiest = std::max(busiest, ++wanted[words[i] % banks_]);
    total += busiest;
  }
  return std::max(total, 1U);
}

}  // namespace strata::compute
