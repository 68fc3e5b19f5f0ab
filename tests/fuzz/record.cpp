// SPDX-License-Identifier: Apache-2.0
// Instructions as bytes: any bytes are refused, or are read to an instruction
// that is written and read again as the same.
#include "formats/native/record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace strata;
  if (size == 0) return 0;
  const std::uint32_t width = 16U << data[0] % 3U;
  formats::Cursor in({data + 1, size - 1});
  formats::RecordState reading(width), writing(width), again(width);
  formats::Buffer bytes;
  trace::Instruction first, second;
  try {
    while (!in.at_end()) {
      formats::read_record(in, reading, first);
      bytes.clear();
      formats::write_record(bytes, writing, first);
      formats::Cursor back(bytes);
      formats::read_record(back, again, second);
      if (!back.at_end() || !formats::same(first, second)) __builtin_trap();
    }
  } catch (const formats::Malformed&) {
    if (!bytes.empty() && in.at_end()) return 0;
  }
  return 0;
}
