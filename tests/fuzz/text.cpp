// SPDX-License-Identifier: Apache-2.0
// The text form: any bytes are refused with a message, or make a sound trace.
#include "formats/text/text.hpp"

#include "formats/native/reader.hpp"
#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace strata;
  using namespace strata::fuzz;
  const auto file = std::make_shared<Bytes>();
  const bool taken = takes([&] {
    Text text(data, size);
    formats::TraceWriter writer(*file);
    formats::read_text(text, writer);
    writer.finish();
  });
  // The native reader must accept all that this reader accepted: a refusal ends the run.
  if (taken) formats::verify_trace(file);
  return 0;
}
