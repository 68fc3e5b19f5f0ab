// SPDX-License-Identifier: Apache-2.0
// A trace that is truncated or altered anywhere is reported as such.
#include "catch.hpp"
#include "memory_file.hpp"

using namespace strata::test;
using namespace strata::formats;

TEST_CASE("a_trace_truncated_at_any_byte_is_an_error_that_names_file_and_byte") {
  const Buffer whole = traced({"vecadd,n=64", "spmv_csr,n=8"});
  REQUIRE(verify_trace(source_of(whole)) > 0);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Buffer part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string error = error_of([&] { verify_trace(source_of(part)); });
    CAPTURE(length, error);
    REQUIRE(error.starts_with("t.strace: "));
    REQUIRE(error.find("byte ") != std::string::npos);
    if (length >= 16) REQUIRE(error.find("chunk") != std::string::npos);
  }
}

TEST_CASE("a_trace_with_any_byte_altered_is_an_error") {
  const Buffer whole = traced({"vecadd,n=64", "spmv_csr,n=8"});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
      Buffer altered = whole;
      altered[at] = static_cast<unsigned char>(altered[at] ^ flip);
      const std::string error = error_of([&] { verify_trace(source_of(altered)); });
      CAPTURE(at, flip);
      REQUIRE(error.starts_with("t.strace: "));
    }
}

TEST_CASE("a_truncated_file_is_reported_with_its_complete_part") {
  const Buffer whole = traced({"vecadd,n=64"});
  const Buffer part(whole.begin(), whole.end() - 1);
  // Blocks, page, kernel and launch list are there; the footer is not.
  const std::string error = error_of([&] { verify_trace(source_of(part)); });
  CHECK(error.find("4 chunks, up to byte " + std::to_string(whole.size() - footer_bytes) + ", are whole") !=
        std::string::npos);
}

TEST_CASE("sound_checksums_do_not_make_false_content_pass") {
  // Chunks with wrong counts, packed as by a writer.
  Buffer raw;
  put_varint(raw, 1);   // one segment
  put_step(raw, 0, 0);  // block 0
  put_varint(raw, 0);   // warp 0
  put_varint(raw, 3);   // three instructions
  put_varint(raw, 1);   // in one byte
  raw.push_back(static_cast<unsigned char>(strata::trace::OpClass::exit));
  Buffer file(file_magic.begin(), file_magic.end());
  put_u32(file, trace_version);
  put_u32(file, checksum(file));
  const auto append = [&](ChunkKind kind, std::uint32_t number, const Buffer& content) {
    ChunkHeader header;
    header.kind = kind;
    header.number = number;
    const std::uint64_t at = file.size();
    const Buffer chunk = pack_chunk(header, content);
    file.insert(file.end(), chunk.begin(), chunk.end());
    return at;
  };
  const std::uint64_t blocks = append(ChunkKind::blocks, 0, raw);
  Buffer page;
  put_varint(page, 1);
  put_varint(page, 0);
  put_step(page, 0, blocks);
  put_varint(page, 1);
  const std::uint64_t page_at = append(ChunkKind::page, 1, page);
  Buffer kernel;
  put_varint(kernel, 1);
  kernel.push_back('k');
  for (const unsigned value : {1U, 1U, 1U, 32U, 1U, 1U, 16U, 0U, 32U}) put_varint(kernel, value);
  put_varint(kernel, 3);
  put_varint(kernel, 0);
  put_varint(kernel, 1);
  put_varint(kernel, 0);
  put_step(kernel, 0, page_at);
  Buffer root;
  put_varint(root, 1);
  put_varint(root, append(ChunkKind::kernel, 2, kernel));
  const std::uint64_t root_at = append(ChunkKind::root, 3, root);
  Buffer footer;
  put_u64(footer, root_at);
  put_u32(footer, 0);
  put_u32(footer, checksum(footer));
  footer.insert(footer.end(), footer_magic.begin(), footer_magic.end());
  file.insert(file.end(), footer.begin(), footer.end());
  CHECK(error_of([&] { verify_trace(source_of(file)); }) ==
        "t.strace: chunk 0 (blocks) at byte 16: byte 6 of its content: ends within a number");
}
