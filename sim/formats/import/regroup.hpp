// SPDX-License-Identifier: Apache-2.0
// Sorts the instructions of a kernel that come mixed up by block and warp. Each
// warp gathers encoded instructions; when all together hold more than the
// bound, everything goes to the file and only its places are kept. So memory is
// the bound, and for each warp a state and the places of its parts.
#pragma once
#include <map>
#include <utility>

#include "formats/import/import.hpp"
#include "formats/native/record.hpp"

namespace strata::formats {

class Regroup {
 public:
  /// spill is used again from where it ends.
  explicit Regroup(SpillFile& spill, std::size_t bound = std::size_t{32} << 20U) : spill_(spill), bound_(bound) {}

  static constexpr std::size_t most_warps = std::size_t{1} << 21U;

  bool empty() const { return warps_.empty(); }
  /// "8 of 9 blocks make no access; they are still launched", or nothing where all do.
  std::string idle_blocks(std::uint64_t launched) const;
  /// Throws std::invalid_argument if there are too many warps.
  void add(std::uint64_t block, std::uint32_t warp, const trace::Instruction& instruction);
  /// The kernel to the sink, and everything forgotten.
  void drain(const trace::KernelInfo& info, KernelSink& sink);

 private:
  struct Part {
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  struct Warp {
    RecordState writing{64};
    Buffer held;
    std::vector<Part> spilled;
    std::uint64_t instructions = 0;
  };
  void spill_all();

  SpillFile& spill_;
  std::size_t bound_;  ///< bytes held in memory
  std::uint64_t spill_end_ = 0;
  std::size_t held_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;
};

}  // namespace strata::formats
