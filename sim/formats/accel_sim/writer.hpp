// SPDX-License-Identifier: Apache-2.0
// Writes one kernel as Accel-Sim's tracer does, version 5, for tools that read
// that form and to compare replays. Classes become an opcode that is read back
// as the same class with the same operations; what the form cannot say
// (numbered barriers, cycles, warps of other than 32 lanes, spaces other than
// global and shared) is refused. The text of one warp is held in memory.
#pragma once
#include <string>

#include "formats/bytes.hpp"
#include "formats/sink.hpp"

namespace strata::formats {

class AccelSimWriter final : public KernelSink {
 public:
  explicit AccelSimWriter(ByteSink& sink) : sink_(sink) {}
  /// Throws std::invalid_argument at a second kernel.
  void begin_kernel(const trace::KernelInfo& info) override;
  void begin_block(std::uint64_t number) override;
  void begin_warp(std::uint32_t warp) override;
  /// Throws std::invalid_argument if the form cannot say it.
  void add(const trace::Instruction& instruction) override;
  void end_block() override;
  void end_kernel() override {}

 private:
  void put(const std::string& text);
  void end_warp();

  ByteSink& sink_;
  trace::KernelInfo info_;
  bool begun_ = false;
  bool in_warp_ = false;
  std::uint32_t warp_ = 0;
  std::uint64_t lines_ = 0;
  std::string text_;  ///< of the warp under way
};

}  // namespace strata::formats
