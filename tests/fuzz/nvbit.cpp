// SPDX-License-Identifier: Apache-2.0
// The output of NVBit mem_trace: any bytes are refused with a message, or make a sound trace.
#include "formats/import.hpp"

#include "formats/reader.hpp"
#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace strata;
  using namespace strata::fuzz;
  const auto file = std::make_shared<Bytes>();
  const bool taken = takes([&] {
    Text text(data, size);
    formats::TraceWriter writer(*file);
    formats::ImportReport report;
    Spill spill;
    formats::import_nvbit(text, spill, writer, report);
    writer.finish();
  });
  // What a reader took, the native reader takes as well: a refusal ends the run.
  if (taken) formats::verify_trace(file);
  return 0;
}
