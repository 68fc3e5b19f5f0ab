// SPDX-License-Identifier: Apache-2.0
#include "formats/import/regroup.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace strata::formats {

namespace {
/// No record is longer: 64 addresses of ten bytes, and less than 64 bytes besides.
constexpr std::size_t longest_record = 64 * 10 + 64;
constexpr std::size_t read_at_once = std::size_t{64} << 10U;
}  // namespace

void Regroup::add(std::uint64_t block, std::uint32_t warp, const trace::Instruction& instruction) {
  if (warps_.size() >= most_warps && !warps_.contains({block, warp}))
    throw std::invalid_argument(fmt::format("a kernel of more than {} warps cannot be sorted", most_warps));
  Warp& to = warps_[{block, warp}];
  const std::size_t before = to.held.size();
  write_record(to.held, to.writing, instruction);
  held_ += to.held.size() - before;
  ++to.instructions;
  if (held_ > bound_) spill_all();
}

std::string Regroup::idle_blocks(std::uint64_t launched) const {
  std::uint64_t active = 0;
  std::uint64_t last = 0;
  for (const auto& [place, warp] : warps_) {
    active += active == 0 || place.first != last ? 1 : 0;
    last = place.first;
  }
  if (active == launched) return {};
  return fmt::format("{} of {} blocks make no access; they are still launched", launched - active, launched);
}

void Regroup::spill_all() {
  for (auto& [place, warp] : warps_) {
    if (warp.held.empty()) continue;
    spill_.write(warp.held);
    // Parts that follow each other in the file are one.
    if (!warp.spilled.empty() && warp.spilled.back().offset + warp.spilled.back().bytes == spill_end_)
      warp.spilled.back().bytes += warp.held.size();
    else
      warp.spilled.push_back({spill_end_, warp.held.size()});
    spill_end_ += warp.held.size();
    Buffer().swap(warp.held);
  }
  held_ = 0;
}

void Regroup::drain(const trace::KernelInfo& info, KernelSink& sink) {
  sink.begin_kernel(info);
  trace::Instruction instruction;
  bool any = false;
  std::uint64_t block = 0;
  for (auto& [place, warp] : warps_) {
    if (!any || place.first != block) {
      if (any) sink.end_block();
      sink.begin_block(place.first);
      block = place.first;
      any = true;
    }
    sink.begin_warp(place.second);
    RecordState state(64);
    Buffer window;
    std::size_t at = 0;
    std::size_t part = 0;
    for (std::uint64_t left = warp.instructions; left > 0; --left) {
      // Records may cross the border of two parts.
      while (window.size() - at < longest_record && part <= warp.spilled.size()) {
        window.erase(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(at));
        at = 0;
        if (part == warp.spilled.size()) {
          window.insert(window.end(), warp.held.begin(), warp.held.end());
          ++part;
          break;
        }
        Part& from = warp.spilled[part];
        const std::uint64_t count = std::min<std::uint64_t>(from.bytes, read_at_once);
        const std::size_t old = window.size();
        window.resize(old + count);
        spill_.read(from.offset, std::span(window).subspan(old));
        from.offset += count;
        from.bytes -= count;
        if (from.bytes == 0) ++part;
      }
      Cursor in(std::span<const unsigned char>(window).subspan(at));
      read_record(in, state, instruction);
      at += in.position();
      sink.add(instruction);
    }
    Buffer().swap(warp.held);
  }
  if (any) sink.end_block();
  sink.end_kernel();
  warps_.clear();
  held_ = 0;
}

}  // namespace strata::formats
