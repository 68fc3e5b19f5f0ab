// SPDX-License-Identifier: Apache-2.0
// Takes kernels in order: each its description, its blocks one after the other,
// each its warps in ascending order, each its instructions. What importers
// write to and converters write through.
#pragma once
#include <cstdint>

#include "trace/kernel.hpp"

namespace strata::formats {

/// Lanes of a warp in traces of NVIDIA's tools.
inline constexpr std::uint32_t nvidia_warp_width = 32;

class KernelSink {
 public:
  virtual ~KernelSink() = default;
  /// regions of the info are ignored: what is touched is found out.
  virtual void begin_kernel(const trace::KernelInfo& info) = 0;
  /// Blocks may come in any order, each once; one that never comes is empty.
  virtual void begin_block(std::uint64_t number) = 0;
  virtual void begin_warp(std::uint32_t warp) = 0;
  virtual void add(const trace::Instruction& instruction) = 0;
  virtual void end_block() = 0;
  virtual void end_kernel() = 0;
};

/// Everything that the kernel issues goes to the sink.
void copy_kernel(trace::Kernel& kernel, KernelSink& sink);

}  // namespace strata::formats
