// SPDX-License-Identifier: Apache-2.0
#include "formats/native/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostic.hpp"
#include "formats/native/writer.hpp"

namespace strata::formats {

namespace {

[[noreturn]] void refuse(const ChunkReader& reader, const std::string& what) {
  throw InputError(Diagnostic{reader.source().name(), 0, 0, what, {}});
}

// Up to which byte a file without a valid end is complete.
[[noreturn]] void refuse_end(const ChunkReader& reader, const std::string& what) {
  std::uint64_t at = file_header_bytes;
  std::uint64_t whole = 0;
  const std::uint64_t size = reader.source().size();
  while (at < size) {
    try {
      const ChunkHeader header = reader.header(at);
      Buffer stored(header.stored_bytes);
      reader.source().read(at + chunk_header_bytes, stored);
      if (checksum(stored) != header.checksum) reader.fail(at, header, "its checksum is wrong");
      at = ChunkReader::after(at, header);
      ++whole;
    } catch (const InputError& error) {
      throw InputError({Diagnostic{reader.source().name(),
                                   0,
                                   0,
                                   fmt::format("{}; {} chunks, up to byte {}, are whole", what, whole, at),
                                   {}},
                        error.diagnostics().front()});
    }
  }
  refuse(reader, fmt::format("{}; {} chunks, up to byte {}, are whole", what, whole, at));
}

// Runs a reader of a payload and reports the position of an error.
template <class Reading>
auto within(const ChunkReader& reader, std::uint64_t offset, const ChunkHeader& header, Reading reading) {
  try {
    return reading();
  } catch (const Malformed& error) {
    reader.fail(offset, header, fmt::format("byte {} of its content: {}", error.at, error.what()));
  }
}

bool before(const Segment& a, const Segment& b) { return a.block != b.block ? a.block < b.block : a.warp < b.warp; }

std::uint32_t read_u32(Cursor& in, const char* thing) {
  return static_cast<std::uint32_t>(in.varint(std::numeric_limits<std::uint32_t>::max(), thing));
}

}  // namespace

std::vector<std::uint64_t> read_launch_list(const ChunkReader& reader) {
  ByteSource& source = reader.source();
  std::array<unsigned char, file_header_bytes> head{};
  if (source.size() < head.size()) {
    refuse(reader, fmt::format("byte {}: ends within the header of the file; it is not a trace or is truncated",
                               source.size()));
  }
  source.read(0, head);
  Cursor start(head);
  if (!std::equal(file_magic.begin(), file_magic.end(), head.begin()))
    refuse(
        reader,
        "byte 0: does not begin as a native trace; `strata trace convert` takes the text form, `strata trace import` "
        "traces of other tools");
  start.take(file_magic.size());
  const std::uint32_t version = start.u32();
  if (start.u32() != checksum(std::span(head).first(file_header_bytes - 4)))
    refuse(reader, "byte 12: the checksum of the header of the file is wrong: it is damaged");
  if (version != trace_version)
    refuse(reader, fmt::format("byte 8: is of version {} of the format; this program reads version {}", version,
                               trace_version));
  if (source.size() < file_header_bytes + footer_bytes) refuse_end(reader, "is truncated");
  std::array<unsigned char, footer_bytes> foot{};
  source.read(source.size() - footer_bytes, foot);
  Cursor end(foot);
  const std::uint64_t root = end.u64();
  const std::uint32_t reserved = end.u32();
  if (!std::equal(footer_magic.begin(), footer_magic.end(), foot.end() - footer_magic.size()) ||
      end.u32() != checksum(std::span(foot).first(12)) || reserved != 0)
    refuse_end(reader, "is truncated or damaged at its end");
  const ChunkHeader header = reader.header(root);
  const Buffer raw = reader.payload(root, header, ChunkKind::root);
  return within(reader, root, header, [&] {
    Cursor in(raw);
    const std::uint64_t kernels = in.varint(std::min<std::uint64_t>(most_kernels, in.left()), "the number of kernels");
    std::vector<std::uint64_t> offsets;
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < kernels; ++i) offsets.push_back(at += in.varint());
    if (!in.at_end()) in.fail("continues after the last kernel");
    return offsets;
  });
}

KernelIndex read_kernel(const ChunkReader& reader, std::uint64_t offset) {
  const ChunkHeader header = reader.header(offset);
  const Buffer raw = reader.payload(offset, header, ChunkKind::kernel);
  return within(reader, offset, header, [&] {
    Cursor in(raw);
    KernelIndex kernel;
    const auto text = in.take(in.varint(longest_name, "the length of the name"));
    kernel.info.name.assign(text.begin(), text.end());
    for (std::uint32_t* const value :
         {&kernel.info.grid.x, &kernel.info.grid.y, &kernel.info.grid.z, &kernel.info.block.x, &kernel.info.block.y,
          &kernel.info.block.z, &kernel.info.registers_per_thread, &kernel.info.shared_bytes, &kernel.info.warp_width})
      *value = read_u32(in, "a number of the kernel's shape");
    kernel.info.cluster = (kernel.info.warp_width >> bits_of_warp_width) + 1;
    kernel.info.warp_width &= (1U << bits_of_warp_width) - 1;
    try {
      kernel.info.check();
    } catch (const std::invalid_argument& error) {
      in.fail(error.what());
    }
    kernel.instructions = in.varint();
    const std::uint64_t regions = in.varint(in.left(), "the number of regions");
    std::uint64_t address = 0;
    for (std::uint64_t i = 0; i < regions; ++i) {
      trace::Region region;
      region.first = address + in.varint();
      region.bytes = in.varint();
      address = region.first + region.bytes;
      if (region.first < address - region.bytes || region.bytes == 0) in.fail("a region without bytes");
      kernel.info.regions.push_back(region);
    }
    const std::uint64_t pages = in.varint(in.left(), "the number of pages");
    PageEntry page;
    for (std::uint64_t i = 0; i < pages; ++i) {
      const std::uint64_t step = in.varint();
      if (i > 0 && step == 0) in.fail("pages out of order");
      page.first_block += step;
      page.offset = in.step(page.offset);
      if (page.first_block >= kernel.info.blocks()) in.fail("a page of blocks beyond the grid");
      kernel.pages.push_back(page);
    }
    if (!in.at_end()) in.fail("continues after the last page");
    return kernel;
  });
}

std::vector<BlockEntry> read_page(const ChunkReader& reader, const KernelIndex& kernel, const PageEntry& page) {
  const ChunkHeader header = reader.header(page.offset);
  const Buffer raw = reader.payload(page.offset, header, ChunkKind::page);
  return within(reader, page.offset, header, [&] {
    Cursor in(raw);
    const std::uint64_t count = in.varint(blocks_of_a_page, "the number of blocks of a page");
    std::vector<BlockEntry> entries;
    BlockEntry entry;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t step = in.varint();
      if (i > 0 && step == 0) in.fail("blocks out of order");
      if (i == 0 && step != page.first_block) in.fail("does not begin with the block that its kernel states");
      entry.block += step;
      entry.offset = in.step(entry.offset);
      entry.chunks = in.varint(reader.source().size() / chunk_header_bytes, "the number of chunks of a block");
      if (entry.block >= kernel.info.blocks()) in.fail("a block beyond the grid");
      if (entry.chunks == 0) in.fail("a block without chunks");
      entries.push_back(entry);
    }
    if (!in.at_end()) in.fail("continues after the last block");
    return entries;
  });
}

const Segment* BlockChunk::find(std::uint64_t block, std::uint32_t warp) const {
  const Segment wanted{block, warp, 0, 0, 0};
  const auto found = std::lower_bound(segments.begin(), segments.end(), wanted, before);
  return found != segments.end() && found->block == block && found->warp == warp ? &*found : nullptr;
}

BlockChunk read_blocks(const ChunkReader& reader, std::uint64_t offset) {
  BlockChunk chunk;
  chunk.offset = offset;
  chunk.header = reader.header(offset);
  chunk.payload = reader.payload(offset, chunk.header, ChunkKind::blocks);
  return within(reader, offset, chunk.header, [&] {
    Cursor in(chunk.payload);
    const std::uint64_t count = in.varint(in.left() / 4, "the number of segments");
    std::uint64_t block = 0;
    std::size_t bytes = 0;
    chunk.segments.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      Segment segment;
      segment.block = block = in.step(block);
      segment.warp = static_cast<std::uint32_t>(in.varint(1024, "the number of a warp"));
      segment.instructions = in.varint(chunk.payload.size(), "the number of instructions of a segment");
      segment.bytes = in.varint(chunk.payload.size() - bytes, "the size of a segment");
      segment.begin = bytes;
      bytes += segment.bytes;
      chunk.segments.push_back(segment);
    }
    if (in.left() != bytes) in.fail("its segments do not fill it");
    for (Segment& segment : chunk.segments) segment.begin += in.position();
    if (!std::is_sorted(chunk.segments.begin(), chunk.segments.end(), before))
      std::sort(chunk.segments.begin(), chunk.segments.end(), before);
    for (std::size_t i = 1; i < chunk.segments.size(); ++i)
      if (!before(chunk.segments[i - 1], chunk.segments[i])) in.fail("a warp has two segments");
    return std::move(chunk);
  });
}

}  // namespace strata::formats
