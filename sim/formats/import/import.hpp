// SPDX-License-Identifier: Apache-2.0
// Traces of other tools, turned into kernels as they are read. Memory is
// bounded: what a tool writes block by block goes straight through; what comes
// mixed up is sorted by warp, beyond a bound in a file that the caller lends.
// Every error names file and line.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/sink.hpp"

namespace strata::formats {

/// What an import found beside the instructions.
struct ImportReport {
  std::uint64_t kernels = 0;
  std::uint64_t instructions = 0;
  /// Opcodes that no table knows, with how often they came; timed as `integer`.
  std::map<std::string, std::uint64_t, std::less<>> unknown;
  std::vector<std::string> notes;  ///< one for each thing, not for each line
  /// What was found and how it is taken, with how often.
  std::map<std::string, std::uint64_t, std::less<>> counted;

  void unknown_opcode(std::string_view name);
  void note(std::string text);
  void count(std::string_view what);
};

/// Opens a file that a trace names. Throws InputError.
using OpenText = std::function<std::unique_ptr<TextSource>(const std::string& name)>;

/// Bytes put aside and read again.
class SpillFile : public ByteSink {
 public:
  /// So many bytes from an offset.
  virtual void read(std::uint64_t offset, std::span<unsigned char> into) = 0;
};

/// Accel-Sim: a list of kernels (kernelslist.g), each a file.
void import_accel_sim_list(TextSource& list, const OpenText& open, KernelSink& sink, ImportReport& report);
/// One kernel (.traceg), plain text.
void import_accel_sim_kernel(TextSource& kernel, KernelSink& sink, ImportReport& report);
/// NVBit's mem_trace: what it prints.
void import_nvbit(TextSource& text, SpillFile& spill, KernelSink& sink, ImportReport& report);
/// `cycle,warp,op,address,bytes`.
void import_csv(TextSource& text, SpillFile& spill, KernelSink& sink, ImportReport& report);

}  // namespace strata::formats
