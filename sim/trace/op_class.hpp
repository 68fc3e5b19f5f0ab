// SPDX-License-Identifier: Apache-2.0
// What kind of work an instruction is. Arithmetic is timed, not computed: a
// class says which pipe of the core an instruction takes, and the core's spec
// says how fast that pipe is and after how long its result can be used. The
// names are those of trace files and configurations; numbers are those of the
// binary trace format and never change their meaning.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace strata::trace {

enum class OpClass : std::uint8_t {
  access = 0,    ///< a load, store or atomic
  barrier = 1,   ///< waits for other warps of the block
  fence = 2,     ///< orders the warp's accesses
  control = 3,   ///< branches and all that takes an issue slot only
  exit = 4,      ///< ends the lanes that are active in it
  integer = 5,   ///< 32-bit additions, logic, shifts, moves, comparisons
  multiply = 6,  ///< 32-bit integer multiplication, with or without addition
  fp32 = 7,
  fp16 = 8,  ///< packed half precision, bfloat16 included
  fp64 = 9,
  special = 10,   ///< reciprocal, root, sine, exponential, logarithm
  convert = 11,   ///< between integers and floating point, or of a width to another
  uniform = 12,   ///< once a warp: NVIDIA's uniform datapath, AMD's scalar unit
  shuffle = 13,   ///< lanes exchange registers
  vote = 14,      ///< lanes agree on predicates
  constant = 15,  ///< loads from the constant bank, by address known to the warp
  system = 16,    ///< reads special registers: indices, clock
  tensor16 = 17,  ///< matrix multiply-accumulate on 16-bit inputs
  tensor8 = 18,   ///< 8-bit or narrower inputs
  tensor32 = 19,  ///< TF32 inputs
  tensor64 = 20,  ///< FP64 inputs
  // Of a block, with Tensor Memory (PTX ISA, tcgen05): what they do is in Instruction::tensor.
  tensor_allocate = 21,  ///< takes columns; waits until they are free
  tensor_free = 22,      ///< gives columns back
  tensor_product = 23    ///< matrix multiply-accumulate of the block, accumulated in Tensor Memory
};

struct OpClassName {
  OpClass op_class;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<OpClassName, 24> op_classes{{
    {OpClass::access, "access", "a load, store or atomic"},
    {OpClass::barrier, "barrier", "waits for other warps of the block"},
    {OpClass::fence, "fence", "orders the accesses of the warp"},
    {OpClass::control, "control", "branches and all that takes an issue slot only"},
    {OpClass::exit, "exit", "ends the active lanes"},
    {OpClass::integer, "integer", "32-bit addition, logic, shift, move, comparison"},
    {OpClass::multiply, "multiply", "32-bit integer multiplication and addition"},
    {OpClass::fp32, "fp32", "single precision"},
    {OpClass::fp16, "fp16", "packed half precision"},
    {OpClass::fp64, "fp64", "double precision"},
    {OpClass::special, "special", "reciprocal, root, sine, exponential, logarithm"},
    {OpClass::convert, "convert", "conversion of number formats"},
    {OpClass::uniform, "uniform", "once a warp: uniform or scalar unit"},
    {OpClass::shuffle, "shuffle", "lanes exchange registers"},
    {OpClass::vote, "vote", "lanes agree on predicates"},
    {OpClass::constant, "constant", "loads from the constant bank"},
    {OpClass::system, "system", "reads special registers"},
    {OpClass::tensor16, "tensor16", "matrix multiply-accumulate on 16-bit inputs"},
    {OpClass::tensor8, "tensor8", "matrix multiply-accumulate on 8-bit or narrower inputs"},
    {OpClass::tensor32, "tensor32", "matrix multiply-accumulate on TF32 inputs"},
    {OpClass::tensor64, "tensor64", "matrix multiply-accumulate on FP64 inputs"},
    {OpClass::tensor_allocate, "tensor_allocate", "allocates columns of Tensor Memory, waits until they are free"},
    {OpClass::tensor_free, "tensor_free", "frees columns of Tensor Memory"},
    {OpClass::tensor_product, "tensor_product", "matrix multiply-accumulate of a block into Tensor Memory"},
}};

/// What such an instruction does is in Instruction::tensor.
constexpr bool uses_tensor_memory(OpClass op_class) { return op_class >= OpClass::tensor_allocate; }

constexpr std::string_view name(OpClass op_class) { return op_classes[static_cast<std::size_t>(op_class)].name; }
constexpr std::optional<OpClass> op_class_of(std::string_view name) {
  for (const OpClassName& row : op_classes)
    if (row.name == name) return row.op_class;
  return std::nullopt;
}

}  // namespace strata::trace
