// SPDX-License-Identifier: Apache-2.0
// The native form. Random bytes hardly pass a checksum, so the first byte selects: even, the
// bytes are the file; odd, the rest is divided into the contents of the chunks of a file with
// valid checksums and offsets.
#include "formats/native/reader.hpp"
#include "harness.hpp"

namespace {

using namespace strata;
using formats::Buffer;

std::shared_ptr<fuzz::Bytes> packed(Buffer input) {
  const auto file = std::make_shared<fuzz::Bytes>();
  Buffer head(formats::file_magic.begin(), formats::file_magic.end());
  formats::put_u32(head, formats::trace_version);
  formats::put_u32(head, formats::checksum(head));
  file->write(head);
  std::uint32_t number = 0;
  // A part is a length byte and that number of bytes; the last takes the rest.
  const auto part = [&](bool last) {
    std::size_t length = input.size();
    if (!last && !input.empty()) {
      length = std::min<std::size_t>(input.front(), input.size() - 1);
      input.erase(input.begin());
    }
    Buffer content(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(length));
    input.erase(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(length));
    return content;
  };
  const auto chunk = [&](formats::ChunkKind kind, const Buffer& content) {
    formats::ChunkHeader header;
    header.kind = kind;
    header.number = number++;
    header.last_warp = 3;
    const std::uint64_t at = file->size();
    file->write(formats::pack_chunk(header, content, 1));
    return at;
  };
  const Buffer page = part(false);
  const Buffer kernel = part(false);
  const std::uint64_t blocks = chunk(formats::ChunkKind::blocks, part(false));
  chunk(formats::ChunkKind::blocks, part(true));
  Buffer index;
  formats::put_varint(index, 1);
  formats::put_varint(index, 0);
  formats::put_step(index, 0, blocks);
  index.insert(index.end(), page.begin(), page.end());
  const std::uint64_t page_at = chunk(formats::ChunkKind::page, index);
  // A valid launch configuration; the rest is given by the input, then one page.
  Buffer description;
  formats::put_varint(description, 0);
  for (const unsigned value : {4U, 1U, 1U, 128U, 1U, 1U, 16U, 0U, 32U}) formats::put_varint(description, value);
  description.insert(description.end(), kernel.begin(), kernel.end());
  formats::put_varint(description, 1);
  formats::put_varint(description, 0);
  formats::put_step(description, 0, page_at);
  Buffer root;
  formats::put_varint(root, 1);
  formats::put_varint(root, chunk(formats::ChunkKind::kernel, description));
  Buffer foot;
  formats::put_u64(foot, chunk(formats::ChunkKind::root, root));
  formats::put_u32(foot, 0);
  formats::put_u32(foot, formats::checksum(foot));
  foot.insert(foot.end(), formats::footer_magic.begin(), formats::footer_magic.end());
  file->write(foot);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  Buffer input(data + 1, data + size);
  std::shared_ptr<fuzz::Bytes> file;
  if ((data[0] & 1U) == 0) {
    file = std::make_shared<fuzz::Bytes>();
    file->bytes = std::move(input);
  } else {
    file = packed(std::move(input));
  }
  fuzz::takes([&] { formats::verify_trace(file); });
  return 0;
}
