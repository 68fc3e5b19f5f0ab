// SPDX-License-Identifier: Apache-2.0
#include "formats/native/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace strata::formats {

void TouchedRegions::touch(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = address / granule;
  const std::uint64_t end = (address + bytes - 1) / granule + 1;
  if (too_many_ || (first == last_ && end == first + 1)) return;
  last_ = first;
  auto next = runs_.upper_bound(first);
  if (next != runs_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= end) return;
    if (before->second >= first) {
      before->second = end;
      if (next != runs_.end() && next->first <= end) {
        before->second = std::max(end, next->second);
        runs_.erase(next);
      }
      return;
    }
  }
  if (next != runs_.end() && next->first <= end) {
    const std::uint64_t new_end = std::max(end, next->second);
    runs_.erase(next);
    runs_.emplace(first, new_end);
    return;
  }
  runs_.emplace(first, end);
  too_many_ = runs_.size() > most;
  if (too_many_) runs_.clear();
}

std::vector<trace::Region> TouchedRegions::list() const {
  std::vector<trace::Region> regions;
  for (const auto& [first, end] : runs_) regions.push_back({first * granule, (end - first) * granule});
  return regions;
}

void copy_kernel(trace::Kernel& kernel, KernelSink& sink) {
  const trace::KernelInfo& info = kernel.info();
  const std::uint32_t warps = info.warps_per_block();
  trace::Instruction instruction;
  sink.begin_kernel(info);
  for (std::uint64_t block = 0; block < info.blocks(); ++block) {
    const auto streams = kernel.open(block);
    sink.begin_block(block);
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      sink.begin_warp(warp);
      while (streams->warp(warp).next(instruction)) sink.add(instruction);
    }
    sink.end_block();
  }
  sink.end_kernel();
}

TraceWriter::TraceWriter(ByteSink& sink) : sink_(sink) {
  Buffer header(file_magic.begin(), file_magic.end());
  put_u32(header, trace_version);
  put_u32(header, checksum(header));
  write(header);
}

void TraceWriter::write(std::span<const unsigned char> bytes) {
  sink_.write(bytes);
  offset_ += bytes.size();
}

std::uint64_t TraceWriter::emit(ChunkHeader header, const Buffer& raw) {
  if (raw.size() > most_raw_bytes) throw std::length_error("a part of the index is too large");
  header.number = chunks_++;
  const std::uint64_t at = offset_;
  write(pack_chunk(header, raw));
  return at;
}

void TraceWriter::begin_kernel(const trace::KernelInfo& info) {
  if (in_kernel_) throw std::logic_error("a kernel within a kernel");
  info.check();
  if (info.name.size() > longest_name)
    throw std::invalid_argument(
        fmt::format("the name of a kernel has {} bytes; the maximum is {}", info.name.size(), longest_name));
  if (kernels_.size() == most_kernels)
    throw std::invalid_argument(fmt::format("a launch list of more than {} kernels", most_kernels));
  info_ = info;
  in_kernel_ = true;
  blocks_.clear();
  touched_ = {};
  kernel_instructions_ = 0;
}

void TraceWriter::begin_block(std::uint64_t number) {
  if (!in_kernel_ || in_block_) throw std::logic_error("a block outside a kernel");
  if (number >= info_.blocks())
    throw std::invalid_argument(fmt::format("block {} of a grid of {}", number, info_.blocks()));
  in_block_ = true;
  in_warp_ = false;
  block_ = number;
  block_is_empty_ = true;
}

void TraceWriter::begin_warp(std::uint32_t warp) {
  if (!in_block_) throw std::logic_error("a warp outside a block");
  if (warp >= info_.warps_per_block())
    throw std::invalid_argument(fmt::format("warp {} of a block of {}", warp, info_.warps_per_block()));
  if (in_warp_ && warp <= warp_)
    throw std::invalid_argument(
        fmt::format("warp {} after warp {}: the warps of a block come in ascending order, each once", warp, warp_));
  in_warp_ = true;
  warp_ = warp;
  new_segment_ = true;
}

void TraceWriter::add(const trace::Instruction& instruction) {
  if (!in_warp_) throw std::logic_error("an instruction outside a warp");
  const bool full = data_.size() >= target_bytes;
  if (full) flush_blocks();
  if (block_is_empty_) {
    blocks_.push_back({block_, offset_, 1});
    block_is_empty_ = false;
  } else if (full) {
    ++blocks_.back().chunks;
  }
  if (new_segment_ || full) {
    segments_.push_back({block_, warp_, 0, 0});
    state_ = RecordState(info_.warp_width);
    new_segment_ = false;
  }
  const std::size_t before = data_.size();
  write_record(data_, state_, instruction);
  Segment& segment = segments_.back();
  ++segment.instructions;
  segment.bytes += data_.size() - before;
  kernel_instructions_ += instruction.repeat;
  instructions_ += instruction.repeat;
  if (instruction.is_access() && !trace::within_cores(instruction.space))
    for (unsigned lane = 0; lane < instruction.lanes; ++lane)
      touched_.touch(instruction.address(lane), instruction.bytes_per_lane);
}

void TraceWriter::end_block() {
  if (!in_block_) throw std::logic_error("no block to end");
  in_block_ = in_warp_ = false;
  // A block of several chunks shares its last one with no other.
  if (!block_is_empty_ && blocks_.back().chunks > 1) flush_blocks();
}

void TraceWriter::flush_blocks() {
  if (segments_.empty()) return;
  Buffer raw;
  put_varint(raw, segments_.size());
  std::uint64_t block = 0;
  for (const Segment& segment : segments_) {
    put_step(raw, block, segment.block);
    put_varint(raw, segment.warp);
    put_varint(raw, segment.instructions);
    put_varint(raw, segment.bytes);
    block = segment.block;
  }
  raw.insert(raw.end(), data_.begin(), data_.end());
  ChunkHeader header;
  header.last_warp = segments_.back().warp;
  for (auto i = segments_.rbegin(); i != segments_.rend() && i->block == block; ++i) header.first_warp = i->warp;
  emit(header, raw);
  segments_.clear();
  data_.clear();
}

void TraceWriter::end_kernel() {
  if (!in_kernel_ || in_block_) throw std::logic_error("no kernel to end");
  flush_blocks();
  in_kernel_ = false;
  std::sort(blocks_.begin(), blocks_.end(), [](const BlockEntry& a, const BlockEntry& b) { return a.block < b.block; });
  for (std::size_t i = 1; i < blocks_.size(); ++i)
    if (blocks_[i].block == blocks_[i - 1].block)
      throw std::invalid_argument(fmt::format("block {} comes twice", blocks_[i].block));
  Buffer raw;
  put_varint(raw, info_.name.size());
  raw.insert(raw.end(), info_.name.begin(), info_.name.end());
  for (const std::uint32_t value :
       {info_.grid.x, info_.grid.y, info_.grid.z, info_.block.x, info_.block.y, info_.block.z,
        info_.registers_per_thread, info_.shared_bytes, info_.warp_width | (info_.cluster - 1) << bits_of_warp_width})
    put_varint(raw, value);
  put_varint(raw, kernel_instructions_);
  const std::vector<trace::Region> regions = touched_.list();
  put_varint(raw, regions.size());
  std::uint64_t address = 0;
  for (const trace::Region& region : regions) {
    put_varint(raw, region.first - address);
    put_varint(raw, region.bytes);
    address = region.first + region.bytes;
  }
  put_varint(raw, (blocks_.size() + blocks_of_a_page - 1) / blocks_of_a_page);
  std::uint64_t block = 0;
  std::uint64_t offset = 0;
  for (std::size_t at = 0; at < blocks_.size(); at += blocks_of_a_page) {
    const std::size_t end = std::min(at + blocks_of_a_page, blocks_.size());
    Buffer page;
    put_varint(page, end - at);
    std::uint64_t page_block = 0;
    std::uint64_t page_offset = 0;
    for (std::size_t i = at; i < end; ++i) {
      put_varint(page, blocks_[i].block - page_block);
      put_step(page, page_offset, blocks_[i].offset);
      put_varint(page, blocks_[i].chunks);
      page_block = blocks_[i].block;
      page_offset = blocks_[i].offset;
    }
    ChunkHeader header;
    header.kind = ChunkKind::page;
    const std::uint64_t written = emit(header, page);
    put_varint(raw, blocks_[at].block - block);
    put_step(raw, offset, written);
    block = blocks_[at].block;
    offset = written;
  }
  ChunkHeader header;
  header.kind = ChunkKind::kernel;
  kernels_.push_back(emit(header, raw));
  blocks_.clear();
}

void TraceWriter::finish() {
  if (in_kernel_) throw std::logic_error("a kernel has not ended");
  Buffer raw;
  put_varint(raw, kernels_.size());
  std::uint64_t offset = 0;
  for (const std::uint64_t kernel : kernels_) {
    put_varint(raw, kernel - offset);
    offset = kernel;
  }
  ChunkHeader header;
  header.kind = ChunkKind::root;
  const std::uint64_t root = emit(header, raw);
  Buffer footer;
  put_u64(footer, root);
  put_u32(footer, 0);
  put_u32(footer, checksum(footer));
  footer.insert(footer.end(), footer_magic.begin(), footer_magic.end());
  write(footer);
}

}  // namespace strata::formats
