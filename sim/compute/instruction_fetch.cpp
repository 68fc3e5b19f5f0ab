// SPDX-License-Identifier: Apache-2.0
#include "compute/instruction_fetch.hpp"

#include "trace/instruction.hpp"

namespace strata::compute {

bool InstructionFetch::available(std::uint32_t warp, std::uint32_t pc) {
  if (pc == trace::no_pc) return true;
  const std::uint64_t line = std::uint64_t{pc} & ~(source_.line.value - 1);
  const std::uint64_t first_sector = line % memory::block_bytes / memory::sector_bytes;
  const std::uint64_t sectors = source_.line.value / memory::sector_bytes;
  memory::Transaction& request = pool_.take();
  request.virtual_block = line / memory::block_bytes;
  request.wanted = request.fetched = static_cast<memory::SectorMask>(((1U << sectors) - 1U) << first_sector);
  request.requester_die = die_;
  request.core = static_cast<std::uint16_t>(core_);
  request.warp = static_cast<std::uint16_t>(warp);
  request.issued = simulation_.now();
  if (source_.present(source_.self, request)) {
    pool_.give_back(request);
    return true;
  }
  request.return_through(came_);
  source_.fetch(source_.self, request);
  return false;
}

void InstructionFetch::on_came(memory::Transaction& request) {
  request.release();
  const std::uint32_t warp = request.warp;
  pool_.give_back(request);
  listener_.came(listener_.self, warp);
}

}  // namespace strata::compute
