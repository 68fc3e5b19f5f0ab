// SPDX-License-Identifier: Apache-2.0
// The index of a trace as it lies in the file: footer, launch list, a
// description of each kernel with the places of its pages, and pages that state
// where the chunks of each block are.
#pragma once
#include "formats/native/chunk.hpp"
#include "trace/kernel.hpp"

namespace strata::formats {

struct PageEntry {
  std::uint64_t first_block = 0;
  std::uint64_t offset = 0;
};

struct KernelIndex {
  trace::KernelInfo info;
  std::uint64_t instructions = 0;
  std::vector<PageEntry> pages;  ///< ascending blocks
};

struct BlockEntry {
  std::uint64_t block = 0;
  std::uint64_t offset = 0;  ///< of the first chunk
  std::uint64_t chunks = 0;
};

/// Checks header and footer; the offsets of the descriptions of the kernels.
/// Where the end is missing, reports how far the file is whole.
std::vector<std::uint64_t> read_launch_list(const ChunkReader& reader);
KernelIndex read_kernel(const ChunkReader& reader, std::uint64_t offset);
/// Ascending blocks.
std::vector<BlockEntry> read_page(const ChunkReader& reader, const KernelIndex& kernel, const PageEntry& page);

/// A stretch of one warp's instructions within a chunk.
struct Segment {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint64_t instructions = 0;
  std::size_t begin = 0;  ///< in the payload
  std::size_t bytes = 0;
};
/// A chunk of blocks, unpacked.
struct BlockChunk {
  std::uint64_t offset = 0;
  ChunkHeader header;
  Buffer payload;
  std::vector<Segment> segments;  ///< ascending blocks, then warps

  const Segment* find(std::uint64_t block, std::uint32_t warp) const;
};
BlockChunk read_blocks(const ChunkReader& reader, std::uint64_t offset);

}  // namespace strata::formats
