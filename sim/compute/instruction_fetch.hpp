// SPDX-License-Identifier: Apache-2.0
// The fetch of instructions. A warp keeps the line of code that its last instruction came from; only an instruction of
// another line is looked up, in the instruction cache. What is there takes no time, since fetch runs ahead of issue.
// For what is not there the warp waits: it sends a request of its own, which joins a fetch of the same line in the
// cache's MSHRs.
#pragma once
#include <bit>
#include <cstdint>

#include "base/quantity.hpp"
#include "engine/pool.hpp"
#include "engine/simulation.hpp"
#include "memory/transaction.hpp"

namespace strata::compute {

/// An instruction cache as a core sees it. A request has the virtual block that counts from the kernel's code.
struct CodeSource {
  /// Whether what the request asks for is there.
  bool (*present)(void* self, memory::Transaction& request) = nullptr;
  /// Takes the request, which is answered when its line has come.
  void (*fetch)(void* self, memory::Transaction& request) = nullptr;
  void* self = nullptr;
  Bytes line{0};  ///< what a request asks for, up to 128 B
};

/// Receives the warps whose line has come.
struct FetchListener {
  void* self = nullptr;
  void (*came)(void* self, std::uint32_t warp) = nullptr;
};

class InstructionFetch {
 public:
  /// Of a warp that has no line of code yet.
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  InstructionFetch(engine::Simulation& simulation, engine::Pool<memory::Transaction>& pool, std::uint32_t core,
                   std::uint8_t die, const FetchListener& listener)
      : simulation_(simulation), pool_(pool), core_(core), die_(die), listener_(listener) {}
  InstructionFetch(const InstructionFetch&) = delete;
  InstructionFetch& operator=(const InstructionFetch&) = delete;

  void connect(const CodeSource& source) {
    source_ = source;
    shift_ = static_cast<unsigned>(std::countr_zero(source.line.value));
    first_line_ = no_line;
  }
  /// The line of a program counter: one for all of them where there is no instruction cache.
  std::uint64_t line_of(std::uint32_t pc) const { return std::uint64_t{pc} >> shift_; }
  /// What a warp has when it starts.
  std::uint64_t first_line() const { return first_line_; }

  /// A line that the warp does not have. False: the listener receives the warp when it has come.
  bool available(std::uint32_t warp, std::uint32_t pc);

 private:
  void on_came(memory::Transaction& request);

  engine::Simulation& simulation_;
  engine::Pool<memory::Transaction>& pool_;
  std::uint32_t core_;
  std::uint8_t die_;
  FetchListener listener_;
  CodeSource source_;
  unsigned shift_ = 32;
  std::uint64_t first_line_ = 0;
  engine::HandlerNumber came_ = simulation_.number(engine::handler<&InstructionFetch::on_came>(*this));
};

}  // namespace strata::compute
