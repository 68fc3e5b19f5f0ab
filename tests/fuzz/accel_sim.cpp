// SPDX-License-Identifier: Apache-2.0
// A kernel of Accel-Sim: any bytes are refused with a message, or make a sound trace.
#include "formats/import/import.hpp"

#include "formats/native/reader.hpp"
#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace strata;
  using namespace strata::fuzz;
  const auto file = std::make_shared<Bytes>();
  const bool taken = takes([&] {
    Text text(data, size);
    formats::TraceWriter writer(*file);
    formats::ImportReport report;
    formats::import_accel_sim_kernel(text, writer, report);
    writer.finish();
  });
  // The native reader must accept all that this reader accepted: a refusal ends the run.
  if (taken) formats::verify_trace(file);
  return 0;
}
