// SPDX-License-Identifier: Apache-2.0
// The text form of a trace, for people: a line for each kernel, block, warp and
// instruction. It says all that the binary form says, so that converting there
// and back gives the same bytes. docs/formats/trace.md describes it.
#pragma once
#include "formats/bytes.hpp"
#include "formats/sink.hpp"

namespace strata::formats {

class TextWriter final : public KernelSink {
 public:
  explicit TextWriter(ByteSink& sink);
  void begin_kernel(const trace::KernelInfo& info) override;
  void begin_block(std::uint64_t number) override;
  void begin_warp(std::uint32_t warp) override;
  void add(const trace::Instruction& instruction) override;
  void end_block() override;
  void end_kernel() override;
  void finish();

 private:
  void put(std::string_view text);
  void flush();
  ByteSink& sink_;
  std::string buffer_;
  std::uint64_t all_lanes_ = 0;
};

/// Whether the first line is that of the text form.
bool is_text_trace(std::string_view beginning);
/// Throws InputError with file, line and column.
void read_text(TextSource& source, KernelSink& sink);

}  // namespace strata::formats
