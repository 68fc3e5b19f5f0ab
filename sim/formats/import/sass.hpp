// SPDX-License-Identifier: Apache-2.0
// What each opcode of NVIDIA's machine code (SASS) is, from Volta to Blackwell,
// as a table (NVIDIA: CUDA Binary Utilities, "Instruction Set Reference"). Only
// the word before the first dot is looked up; what follows says width, scope and
// shape.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "trace/instruction.hpp"

namespace strata::formats {

enum class SassSpace : std::uint8_t { none, global, generic, local, shared, bulk };

struct SassOpcode {
  std::string_view name;
  trace::OpClass op_class = trace::OpClass::control;
  SassSpace space = SassSpace::none;  ///< of an access
  memory::Operation operation = memory::Operation::load;
  std::uint8_t flops = 0;        ///< of a lane; tensor units: by shape
  std::uint8_t destination = 1;  ///< registers that the result takes
  std::uint8_t source = 1;       ///< registers that each source takes
  bool waits = false;            ///< for all earlier loads of the warp
};

/// Every opcode, ascending by name.
std::span<const SassOpcode> sass_opcodes();
/// nullptr when the table has none of that name; `name` without modifiers.
const SassOpcode* find_sass(std::string_view name);

/// What an opcode that the table lacks is timed as.
inline constexpr trace::OpClass unknown_sass_class = trace::OpClass::integer;

/// The modifiers of an opcode: `LDG.E.128.STRONG.GPU`.
class SassModifiers {
 public:
  explicit SassModifiers(std::string_view opcode) : opcode_(opcode) {}
  std::string_view name() const { return opcode_.substr(0, opcode_.find('.')); }
  bool has(std::string_view modifier) const;
  /// Bytes of a lane by the first width among the modifiers (U8, S16, 64, 128); else 4.
  unsigned bytes() const;
  /// Multiply-accumulates of a warp by the shape of a tensor instruction: 884,
  /// 1688, 16816, 64x128x16; 0: none is given.
  std::uint64_t tensor_products() const;
  trace::Scope scope() const;

 private:
  template <class Visit>
  bool any(Visit visit) const;
  std::string_view opcode_;
};

}  // namespace strata::formats
