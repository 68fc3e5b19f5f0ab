// SPDX-License-Identifier: Apache-2.0
#include "formats/native/chunk.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "base/diagnostic.hpp"

namespace strata::formats {

namespace io = boost::iostreams;

namespace {
constexpr std::uint32_t magic = 0x4B484353U;  // "SCHK"
}  // namespace

const char* name(ChunkKind kind) {
  switch (kind) {
    case ChunkKind::blocks:
      return "blocks";
    case ChunkKind::kernel:
      return "kernel";
    case ChunkKind::page:
      return "page of the index";
    case ChunkKind::root:
      return "launch list";
  }
  return "unknown";
}

std::uint32_t checksum(std::span<const unsigned char> bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<std::uint32_t>(crc.checksum());
}

Buffer pack_chunk(const ChunkHeader& header, const Buffer& raw, std::uint32_t level) {
  std::string stored;
  {
    io::filtering_ostream out;
    out.push(io::zstd_compressor(io::zstd_params(level)));
    out.push(io::back_inserter(stored));
    out.write(reinterpret_cast<const char*>(raw.data()), static_cast<std::streamsize>(raw.size()));
  }
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char*>(stored.data()), stored.size());
  Buffer out;
  out.reserve(chunk_header_bytes + stored.size());
  for (const std::uint32_t word :
       {magic, static_cast<std::uint32_t>(header.kind), header.number, static_cast<std::uint32_t>(stored.size()),
        static_cast<std::uint32_t>(raw.size()), checksum(bytes), header.first_warp, header.last_warp, 0U})
    put_u32(out, word);
  put_u32(out, checksum(out));
  out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

ChunkHeader ChunkReader::header(std::uint64_t offset) const {
  std::array<unsigned char, chunk_header_bytes> bytes{};
  if (offset > source_.size() || source_.size() - offset < bytes.size())
    fail(offset, fmt::format("the file ends at byte {}, within the header of a chunk", source_.size()));
  source_.read(offset, bytes);
  Cursor in(bytes);
  const bool begins = in.u32() == magic;
  ChunkHeader header;
  const std::uint32_t kind = in.u32();
  header.kind = static_cast<ChunkKind>(kind);
  header.number = in.u32();
  header.stored_bytes = in.u32();
  header.raw_bytes = in.u32();
  header.checksum = in.u32();
  header.first_warp = in.u32();
  header.last_warp = in.u32();
  const std::uint32_t reserved = in.u32();
  if (!begins || in.u32() != checksum(std::span(bytes).first(chunk_header_bytes - 4)))
    fail(offset, "there is no chunk here, or its header is damaged");
  if (kind < 1 || kind > 4 || reserved != 0) fail(offset, header, "is of a kind that this version does not know");
  const std::uint32_t most = header.kind == ChunkKind::blocks ? most_block_bytes : most_raw_bytes;
  if (header.raw_bytes > most || header.stored_bytes > most + (most >> 4U) + 1024)
    fail(offset, header,
         fmt::format("states {} bytes, {} unpacked; the maximum is {}", header.stored_bytes, header.raw_bytes, most));
  if (source_.size() - offset - chunk_header_bytes < header.stored_bytes)
    fail(offset, header,
         fmt::format("is truncated: the file ends at byte {}, {} bytes early", source_.size(),
                     after(offset, header) - source_.size()));
  return header;
}

Buffer ChunkReader::payload(std::uint64_t offset, const ChunkHeader& header, ChunkKind wanted) const {
  if (header.kind != wanted) fail(offset, header, fmt::format("is in the place of one of kind '{}'", name(wanted)));
  Buffer stored(header.stored_bytes);
  source_.read(offset + chunk_header_bytes, stored);
  if (checksum(stored) != header.checksum) fail(offset, header, "its checksum is wrong: the file is damaged");
  Buffer raw(header.raw_bytes);
  bool whole = false;
  try {
    io::filtering_istream in;
    in.push(io::zstd_decompressor());
    in.push(io::array_source(reinterpret_cast<const char*>(stored.data()), stored.size()));
    in.exceptions(std::ios::badbit);
    in.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(raw.size()));
    whole = in.gcount() == static_cast<std::streamsize>(raw.size()) && in.peek() == std::char_traits<char>::eof();
  } catch (const std::ios_base::failure&) {
    whole = false;
  }
  if (!whole) fail(offset, header, fmt::format("does not unpack to the {} bytes that it states", header.raw_bytes));
  return raw;
}

void ChunkReader::fail(std::uint64_t offset, const ChunkHeader& header, const std::string& what) const {
  throw InputError(
      Diagnostic{source_.name(),
                 0,
                 0,
                 fmt::format("chunk {} ({}) at byte {}: {}", header.number, name(header.kind), offset, what),
                 {}});
}

void ChunkReader::fail(std::uint64_t offset, const std::string& what) const {
  throw InputError(Diagnostic{source_.name(), 0, 0, fmt::format("chunk at byte {}: {}", offset, what), {}});
}

}  // namespace strata::formats
