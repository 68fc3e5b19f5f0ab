// SPDX-License-Identifier: Apache-2.0
// A memory with values whose readers and writers are the streams of the warps themselves: see
// trace::KernelInfo::reads_values.
#pragma once
#include "machine/machine.hpp"
#include "memory/values.hpp"

namespace strata::machine {

class StreamValues {
 public:
  /// Before the machine's first request; outlives its runs. Throws InvalidRequest as Machine::keep_values().
  explicit StreamValues(Machine& machine)
      : machine_(machine), values_({&StreamValues::issued, &StreamValues::answered, this}) {
    machine.keep_values(values_);
  }
  /// A kernel begins, whose words the host has set to 0.
  void clear() { values_.clear(); }
  StreamValues(const StreamValues&) = delete;
  StreamValues& operator=(const StreamValues&) = delete;

 private:
  static memory::Operand issued(void* self, const memory::Transaction& request) {
    trace::WarpStream* const stream = stream_of(self, request);
    return stream != nullptr ? stream->operand(request) : memory::Operand{};
  }
  static void answered(void* self, const memory::Transaction& request, const memory::Words& words) {
    if (trace::WarpStream* const stream = stream_of(self, request)) stream->answered(request, words);
  }
  static trace::WarpStream* stream_of(void* self, const memory::Transaction& request) {
    return static_cast<StreamValues*>(self)->machine_.stream(request.core, request.warp);
  }

  Machine& machine_;
  memory::Values values_;
};

}  // namespace strata::machine
