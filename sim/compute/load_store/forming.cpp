// SPDX-License-Identifier: Apache-2.0
// Conversion of an instruction in the load/store unit into line requests, with the time to form them, or into
// passes over the banks of shared memory.
#include <fmt/format.h>

#include <bit>

#include "base/invalid_request.hpp"
#include "compute/cluster/cluster.hpp"
#include "compute/cluster/cluster_network.hpp"
#include "compute/load_store/load_store_unit.hpp"

namespace strata::compute {

using memory::Operation;

namespace {

// The words of this number of sectors of a block.
memory::WordMask words_of(unsigned first_sector, unsigned sectors) {
  constexpr unsigned of_sector = memory::sector_bytes / memory::word_bytes;
  const std::uint64_t mask = (std::uint64_t{1} << (sectors * of_sector)) - 1;
  return static_cast<memory::WordMask>(mask << (first_sector * of_sector));
}

}  // namespace

RemotePart LoadStoreUnit::part_of(Access& access, const trace::Instruction& lanes, std::uint32_t peer) const {
  const Banks::Taken taken = shared_.taken(lanes);
  return {&access, peer, taken.wavefronts, std::uint32_t{lanes.lanes} * lanes.bytes_per_lane,
          shared_.latency(lanes, taken.passes)};
}

void LoadStoreUnit::form_parts(Access& access, const trace::Instruction& instruction) const {
  const Cluster* const cluster = clusters_[access.warp];
  if (cluster == nullptr) {
    access.parts.push_back(part_of(access, instruction, network_->next(core_)));
    return;
  }
  trace::Instruction of_rank = instruction;
  of_rank.strided = false;
  for (std::uint64_t left = trace::first_lanes(instruction.lanes); left != 0;) {
    const std::uint64_t rank =
        instruction.address(static_cast<unsigned>(std::countr_zero(left))) / trace::bytes_of_rank;
    if (rank >= cluster->blocks())
      throw InvalidRequest(
          fmt::format("an access of shared memory of block {} of a cluster of {}", rank, cluster->blocks()), {},
          "addresses are rank x 2^24 + offset");
    of_rank.lanes = 0;
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (instruction.address(lane) / trace::bytes_of_rank != rank) continue;
      of_rank.addresses[of_rank.lanes++] = instruction.address(lane) % trace::bytes_of_rank;
      left &= ~(std::uint64_t{1} << lane);
    }
    access.parts.push_back(part_of(access, of_rank, cluster->core(rank)));
  }
}

void LoadStoreUnit::form_shared(Access& access, const trace::Instruction& instruction) {
  access.shared = true;
  access.remote = instruction.space == trace::Space::cluster;
  access.core = static_cast<std::uint16_t>(core_);
  access.atomic = instruction.operation == Operation::atomic;
  if (access.remote) return form_parts(access, instruction);
  const Banks::Taken taken = shared_.taken(instruction);
  access.passes = static_cast<std::uint16_t>(taken.wavefronts);
  access.way = shared_.latency(instruction, taken.passes);
}

void LoadStoreUnit::form_lines(Access& access, const trace::Instruction& instruction, LineList& list) {
  coalescer_.coalesce(instruction);
  const std::uint32_t lines = put_requests(list.lines);
  access.outlet = static_cast<std::uint8_t>(pipe_of(instruction.space));
  access.lines_left = lines;
  list.operation = instruction.operation;
  list.cache_operator = instruction.cache_operator;
  if (access.outlet == bulk_pipe) return form_copy(access, instruction);
  access.per_line = access.load ? per_line_ : per_stored_line_;
  access.way = address_path(instruction);
  const auto lane_passes =
      static_cast<std::int64_t>((instruction.lanes + spec_.lanes_per_pass - 1) / spec_.lanes_per_pass);
  const std::uint32_t together = access.load ? lines_at_once_ : 1;
  const std::int64_t paced = std::int64_t{(lines + together - 1) / together} * together;
  access.unit = longer(access.per_line * paced, pass_time_ * lane_passes);
  if (instruction.operation == Operation::store) access.unit = longer(access.unit, per_store_);
  if (shares_array_ && access.outlet == 0) {
    const Banks::Taken taken = shared_.taken(instruction);
    access.passes = static_cast<std::uint16_t>(taken.wavefronts);
    access.way += shared_.conflicts(taken.passes);
  }
}

// No lane forms an address: the unit makes the requests of a tile one by one. A store, or a reduction (cp.reduce.async.
// bulk), reads the tile in shared memory first.
void LoadStoreUnit::form_copy(Access& access, const trace::Instruction& instruction) const {
  access.copied = access.lines_left;
  access.fills = instruction.operation == Operation::load;
  access.multicast = access.fills ? instruction.multicast : std::uint16_t{0};
  const Cluster* const cluster = clusters_[access.warp];
  if (access.multicast >> (cluster == nullptr ? 0 : cluster->blocks()) != 0)
    throw InvalidRequest(
        fmt::format("a bulk copy is for the ranks 0x{:x} of a cluster of {}", access.multicast,
                    cluster == nullptr ? 1 : cluster->blocks()),
        {}, cluster == nullptr ? "its kernel has no clusters: leave multicast out" : "name ranks that it has");
  access.returns = false;
  access.per_line = copy_per_line_;
  access.way = copy_setup_;
  access.unit = copy_per_line_ * std::int64_t{access.copied};
}

// A request for each block, or for each part of it that is a line of a further level.
std::uint32_t LoadStoreUnit::put_requests(std::vector<BlockRequest>& lines) const {
  // Lanes may straddle blocks.
  if (lines.empty()) lines.resize(std::size_t{2} * trace::most_lanes * memory::sectors_per_block / request_sectors_);
  std::uint32_t count = 0;
  for (unsigned i = 0; i < coalescer_.size(); ++i) {
    const BlockRequest& block = coalescer_[i];
    if (request_sectors_ == memory::sectors_per_block) {
      lines[count++] = block;
      continue;
    }
    const unsigned sectors = memory::sector_count(block.sectors);
    for (unsigned first = 0; first < memory::sectors_per_block; first += request_sectors_) {
      const unsigned part = ((1U << request_sectors_) - 1U) << first;
      const auto asked = static_cast<memory::SectorMask>(block.sectors & part);
      if (asked == 0) continue;
      const unsigned parts = memory::sector_count(asked);
      lines[count++] = {
          .block = block.block,
          .sectors = asked,
          .atomic_passes = static_cast<std::uint8_t>((block.atomic_passes * parts + sectors - 1) / sectors),
          .whole_passes = static_cast<std::uint8_t>(block.whole_passes * parts / sectors),
          .words = block.words & words_of(first, request_sectors_),
          .packets = block.packets};
    }
  }
  return count;
}

Duration LoadStoreUnit::address_path(const trace::Instruction& instruction) const {
  const Duration wide = instruction.bytes_per_lane > 8 ? wide_ : Duration{};
  if (instruction.lanes == 1) return scalar_address_ + wide;
  const std::uint64_t passes = (instruction.lanes + spec_.lanes_per_pass - 1) / spec_.lanes_per_pass;
  return vector_address_ + per_extra_pass_ * static_cast<std::int64_t>(passes - 1) + wide;
}

}  // namespace strata::compute
