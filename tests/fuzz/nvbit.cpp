// SPDX-License-Identifier: Apache-2.0
// The output of NVBit mem_trace: any bytes are refused with a message, or make a sound trace.
#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  strata::fuzz::fuzz_import(data, size, strata::formats::import_nvbit);
  return 0;
}
