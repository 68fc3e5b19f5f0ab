// SPDX-License-Identifier: Apache-2.0
#include "trace/relocated.hpp"

#include <algorithm>
#include <utility>

namespace strata::trace {
namespace {

constexpr std::uint64_t page = std::uint64_t{2} << 20U;

class RelocatedStream final : public WarpStream {
 public:
  RelocatedStream(WarpStream& stream, const Relocation& relocation) : stream_(stream), relocation_(relocation) {}
  bool next(Instruction& instruction) override {
    if (!stream_.next(instruction)) return false;
    if (instruction.is_access() && !within_cores(instruction.space)) relocation_.apply(instruction);
    return true;
  }
  memory::Operand operand(const memory::Transaction& request) override { return stream_.operand(request); }
  void answered(const memory::Transaction& request, const memory::Words& words) override {
    stream_.answered(request, words);
  }

 private:
  WarpStream& stream_;
  const Relocation& relocation_;
};

class RelocatedBlock final : public BlockStreams {
 public:
  RelocatedBlock(std::unique_ptr<BlockStreams> block, std::uint32_t warps, const Relocation& relocation)
      : block_(std::move(block)), relocation_(relocation), streams_(warps) {}
  WarpStream& warp(std::uint32_t warp) override {
    auto& stream = streams_.at(warp);
    if (!stream) stream = std::make_unique<RelocatedStream>(block_->warp(warp), relocation_);
    return *stream;
  }

 private:
  std::unique_ptr<BlockStreams> block_;
  const Relocation& relocation_;
  std::vector<std::unique_ptr<RelocatedStream>> streams_;
};

class RelocatedKernel final : public Kernel {
 public:
  RelocatedKernel(std::unique_ptr<Kernel> kernel, std::shared_ptr<const Relocation> relocation)
      : kernel_(std::move(kernel)), relocation_(std::move(relocation)) {}
  const KernelInfo& info() const override { return kernel_->info(); }
  std::unique_ptr<BlockStreams> open(std::uint64_t number) override {
    return std::make_unique<RelocatedBlock>(kernel_->open(number), info().warps_per_block(), *relocation_);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::shared_ptr<const Relocation> relocation_;  // blocks and streams refer to it: a kernel outlives them
};

}  // namespace

Relocation::Relocation(const LaunchList& launches) {
  for (const auto& kernel : launches)
    for (const Region& region : kernel->info().regions) {
      const std::uint64_t end = region.first + region.bytes;
      pieces_.push_back({region.first / page * page, (end + page - 1) / page * page, 0});
      end_ = std::max(end_, end);
    }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> apart;
  for (const Piece& piece : pieces_) {
    if (!apart.empty() && piece.begin <= apart.back().end)
      apart.back().end = std::max(apart.back().end, piece.end);
    else
      apart.push_back(piece);
  }
  pieces_ = std::move(apart);
  packed_ = page;  // nothing lies at address 0
  for (Piece& piece : pieces_) {
    piece.now = packed_;
    packed_ += piece.end - piece.begin;
  }
}

const Relocation::Piece* Relocation::find(std::uint64_t address) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), address,
                                      [](std::uint64_t a, const Piece& piece) { return a < piece.begin; });
  if (after == pieces_.begin()) return nullptr;
  const Piece& piece = *(after - 1);
  return address < piece.end ? &piece : nullptr;
}

std::uint64_t Relocation::operator()(std::uint64_t address) const {
  const Piece* const piece = find(address);
  return piece == nullptr ? address : address - piece->begin + piece->now;
}

void Relocation::apply(Instruction& instruction) const {
  if (instruction.strided && instruction.lanes > 0) {
    const std::uint64_t first = instruction.address(0);
    const std::uint64_t last = instruction.address(instruction.lanes - 1U);
    if (find(first) == find(last)) {
      instruction.addresses[0] = (*this)(first);
      return;
    }
    for (unsigned lane = instruction.lanes; lane-- > 0;) instruction.addresses[lane] = instruction.address(lane);
    instruction.strided = false;
  }
  for (unsigned lane = 0; lane < instruction.lanes; ++lane)
    instruction.addresses[lane] = (*this)(instruction.addresses[lane]);
}

std::unique_ptr<Kernel> relocated(std::unique_ptr<Kernel> kernel, std::shared_ptr<const Relocation> relocation) {
  return std::make_unique<RelocatedKernel>(std::move(kernel), std::move(relocation));
}

}  // namespace strata::trace
