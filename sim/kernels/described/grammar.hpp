// SPDX-License-Identifier: Apache-2.0
// The signs, functions and units of expressions.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/described/expression.hpp"

namespace strata::kernels::grammar {

using Code = Expression::Code;

struct Binary {
  std::string_view sign;
  int precedence;
  Code code;
};
// The longer sign first. || and && are of code truth: they jump.
inline constexpr std::array binaries = {Binary{"||", 1, Code::truth},      Binary{"&&", 2, Code::truth},
                                        Binary{"==", 6, Code::equal},      Binary{"!=", 6, Code::unequal},
                                        Binary{"<<", 8, Code::shift_left}, Binary{">>", 8, Code::shift_right},
                                        Binary{"<=", 7, Code::less_equal}, Binary{">=", 7, Code::greater_equal},
                                        Binary{"<", 7, Code::less},        Binary{">", 7, Code::greater},
                                        Binary{"|", 3, Code::bit_or},      Binary{"^", 4, Code::bit_xor},
                                        Binary{"&", 5, Code::bit_and},     Binary{"+", 9, Code::add},
                                        Binary{"-", 9, Code::subtract},    Binary{"*", 10, Code::multiply},
                                        Binary{"/", 10, Code::divide},     Binary{"%", 10, Code::remainder}};

struct Function {
  std::string_view name;
  unsigned least;
  unsigned most;
};
inline constexpr std::array functions = {Function{"min", 2, 2}, Function{"max", 2, 2}, Function{"hash", 1, 2}};

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
inline constexpr std::array units = {Unit{"B", 1}, Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}};

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace strata::kernels::grammar
