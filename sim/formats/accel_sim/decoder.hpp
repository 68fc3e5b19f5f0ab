// SPDX-License-Identifier: Apache-2.0
// One line of an Accel-Sim trace as an instruction. Registers are numbered from
// 1 here: R0 is 1, RZ (R255) is none. A bulk copy becomes several instructions.
#pragma once
#include "formats/import/import.hpp"
#include "formats/import/sass.hpp"
#include "formats/lines.hpp"
#include "formats/native/record.hpp"

namespace strata::formats {

class AccelSimDecoder {
 public:
  AccelSimDecoder(const Lines& lines, KernelSink& sink, ImportReport& report)
      : lines_(lines), sink_(sink), report_(report) {}

  // What the header says, and where the instructions belong.
  std::uint64_t shared_base = 0;  ///< of generic addresses that lead to shared memory; 0: none
  std::uint64_t local_base = 0;   ///< the same of local memory
  std::uint32_t version = 5;      ///< of the tracer
  bool line_info = false;         ///< each line begins with one of the source
  std::uint64_t warp = 0;         ///< among all of the grid

  /// Adds what the line says to the sink. Throws InputError.
  void decode(std::string_view line);

 private:
  void describe(trace::Instruction& i, const SassOpcode* row, const SassModifiers& modifiers,
                std::uint64_t width) const;
  static void addresses(trace::Instruction& i, Words& words);
  static void end_of(Words& words);
  void bulk(trace::Instruction& i, Words& words, std::uint64_t width);
  void place(trace::Instruction& i, SassSpace space) const;
  void add(trace::Instruction& i);

  const Lines& lines_;
  KernelSink& sink_;
  ImportReport& report_;
};

}  // namespace strata::formats
