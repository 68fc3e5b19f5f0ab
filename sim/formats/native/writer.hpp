// SPDX-License-Identifier: Apache-2.0
// Writes a native trace in one pass: chunks of blocks as they come, the index of
// each kernel behind its blocks, the launch list and a footer at the end. A file
// without its footer is not a trace, so a run that was broken off cannot be
// taken for one. Memory: one chunk, and 24 bytes for each block of the kernel
// under way. docs/formats/trace.md describes the file.
#pragma once
#include <map>

#include "formats/native/chunk.hpp"
#include "formats/native/record.hpp"
#include "formats/sink.hpp"

namespace strata::formats {

inline constexpr std::uint32_t trace_version = 1;
inline constexpr std::size_t file_header_bytes = 16;
inline constexpr std::size_t footer_bytes = 24;
/// "\x89STRACE\n": not text, and damaged by whatever alters line ends.
inline constexpr std::array<unsigned char, 8> file_magic{0x89, 'S', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr std::array<unsigned char, 8> footer_magic{'S', 'T', 'R', 'A', 'C', 'E', 'N', 'D'};
inline constexpr std::uint64_t most_kernels = std::uint64_t{1} << 20U;
inline constexpr std::size_t blocks_of_a_page = 4096;
inline constexpr std::size_t longest_name = 1U << 16U;

/// Which stretches of the address space were touched, in whole granules.
class TouchedRegions {
 public:
  static constexpr std::uint64_t granule = std::uint64_t{2} << 20U;
  void touch(std::uint64_t address, std::uint64_t bytes);
  /// Empty if they were too many to keep.
  std::vector<trace::Region> list() const;

 private:
  static constexpr std::size_t most = 1U << 16U;
  std::map<std::uint64_t, std::uint64_t> runs_;  ///< first granule to the one after the last
  std::uint64_t last_ = ~std::uint64_t{0};
  bool too_many_ = false;
};

class TraceWriter final : public KernelSink {
 public:
  explicit TraceWriter(ByteSink& sink);

  void begin_kernel(const trace::KernelInfo& info) override;
  void begin_block(std::uint64_t number) override;
  void begin_warp(std::uint32_t warp) override;
  void add(const trace::Instruction& instruction) override;
  void end_block() override;
  void end_kernel() override;
  /// Nothing can be added any more.
  void finish();

  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t bytes() const { return offset_; }

 private:
  static constexpr std::size_t target_bytes = std::size_t{64} << 10U;
  struct Segment {
    std::uint64_t block;
    std::uint32_t warp;
    std::uint64_t instructions;
    std::size_t bytes;
  };
  struct BlockEntry {
    std::uint64_t block;
    std::uint64_t offset;
    std::uint64_t chunks;
  };

  std::uint64_t emit(ChunkHeader header, const Buffer& raw);
  void flush_blocks();
  void write(std::span<const unsigned char> bytes);

  ByteSink& sink_;
  std::uint64_t offset_ = 0;
  std::uint32_t chunks_ = 0;
  trace::KernelInfo info_;
  bool in_kernel_ = false, in_block_ = false, in_warp_ = false;
  std::uint64_t block_ = 0;
  bool block_is_empty_ = true;  ///< nothing of it has come
  std::uint32_t warp_ = 0;
  bool new_segment_ = false;
  std::vector<BlockEntry> blocks_;
  TouchedRegions touched_;
  std::uint64_t kernel_instructions_ = 0;
  std::uint64_t instructions_ = 0;
  std::vector<Segment> segments_;
  Buffer data_;
  RecordState state_{32};
  std::vector<std::uint64_t> kernels_;  ///< offsets of their descriptions
};

}  // namespace strata::formats
