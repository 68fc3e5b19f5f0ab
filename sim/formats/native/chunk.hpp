// SPDX-License-Identifier: Apache-2.0
// A chunk of a trace file: a header of 40 bytes, checked by a sum of its own,
// and a payload compressed with zstd, checked by another. Nothing is allocated
// by a size that the file claims before that size has been checked.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "formats/bytes.hpp"
#include "formats/native/coding.hpp"

namespace strata::formats {

enum class ChunkKind : std::uint32_t { blocks = 1, kernel = 2, page = 3, root = 4 };
const char* name(ChunkKind kind);

inline constexpr std::size_t chunk_header_bytes = 40;
/// Of a kernel's number that has the blocks of a cluster, less one, above the lanes of a warp.
inline constexpr unsigned bits_of_warp_width = 8;
inline constexpr std::uint32_t most_raw_bytes = std::uint32_t{16} << 20U;
/// Of a chunk of blocks.
inline constexpr std::uint32_t most_block_bytes = std::uint32_t{1} << 20U;

struct ChunkHeader {
  ChunkKind kind = ChunkKind::blocks;
  std::uint32_t number = 0;        ///< counted from the start of the file
  std::uint32_t stored_bytes = 0;  ///< of the payload in the file
  std::uint32_t raw_bytes = 0;     ///< of the payload unpacked
  std::uint32_t checksum = 0;      ///< CRC-32 of the stored payload
  std::uint32_t first_warp = 0;    ///< of the last block in it
  std::uint32_t last_warp = 0;
};

std::uint32_t checksum(std::span<const unsigned char> bytes);

/// Header and compressed payload of a chunk, ready to be written. level: of zstd.
Buffer pack_chunk(const ChunkHeader& header, const Buffer& raw, std::uint32_t level = 9);

/// Reads chunks; every error names file, chunk and byte.
class ChunkReader {
 public:
  explicit ChunkReader(ByteSource& source) : source_(source) {}

  /// Throws InputError: no such chunk there.
  ChunkHeader header(std::uint64_t offset) const;
  /// The unpacked payload. Throws InputError, also if it is of another kind.
  Buffer payload(std::uint64_t offset, const ChunkHeader& header, ChunkKind wanted) const;
  /// Where the chunk after this one begins.
  static std::uint64_t after(std::uint64_t offset, const ChunkHeader& header) {
    return offset + chunk_header_bytes + header.stored_bytes;
  }

  /// `FILE: chunk 3 (blocks) at byte 1234: what`.
  [[noreturn]] void fail(std::uint64_t offset, const ChunkHeader& header, const std::string& what) const;
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

  ByteSource& source() const { return source_; }

 private:
  ByteSource& source_;
};

}  // namespace strata::formats
