// SPDX-License-Identifier: Apache-2.0
// Reads a native trace as a launch list. Opening reads the launch list and the
// descriptions of kernels; a block's chunks are read when the block is opened
// and dropped when its warps have gone past them. So memory follows the warps
// that are resident (at most 1 MiB each, mostly far less since blocks share
// chunks) and a window of a few chunks, never the length of the trace. Every
// count and offset that the file claims is checked before it is used.
#pragma once
#include <memory>

#include "formats/bytes.hpp"
#include "trace/kernel.hpp"

namespace strata::formats {

/// The kernels share the source. Throws InputError naming file, chunk and byte.
/// A damaged chunk of blocks is found when it is read, by open() or next().
trace::LaunchList open_trace(std::shared_ptr<ByteSource> source);

struct ImportReport;

/// What is in a trace, from its index alone.
struct TraceSummary {
  std::uint32_t version = 0;
  std::uint64_t bytes = 0;
  struct Kernel {
    trace::KernelInfo info;
    std::uint64_t instructions = 0;
    std::uint64_t blocks_with_instructions = 0;
  };
  std::vector<Kernel> kernels;
};
TraceSummary summarise(ByteSource& source);

/// Reads every chunk and every instruction; throws InputError at the first that
/// is wrong. Returns the number of instructions. report: counts what is strange and no error.
std::uint64_t verify_trace(std::shared_ptr<ByteSource> source, ImportReport* report = nullptr);

}  // namespace strata::formats
