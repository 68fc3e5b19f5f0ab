// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/random.hpp"

namespace strata::kernels {

namespace {

using Code = Expression::Code;
constexpr const char* overflow = "overflows 64 bits";
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

std::int64_t positive(std::uint64_t hash) { return static_cast<std::int64_t>(hash >> 1U); }

}  // namespace

const char* Expression::apply(Code code, std::int64_t a, std::int64_t b, std::int64_t& result) {
  switch (code) {
    case Code::add:
      return __builtin_add_overflow(a, b, &result) ? overflow : nullptr;
    case Code::subtract:
      return __builtin_sub_overflow(a, b, &result) ? overflow : nullptr;
    case Code::multiply:
      return __builtin_mul_overflow(a, b, &result) ? overflow : nullptr;
    case Code::divide:
    case Code::remainder:
      if (b == 0) return "divides by zero";
      if (a == lowest && b == -1) {
        if (code == Code::divide) return overflow;
        result = 0;
        return nullptr;
      }
      result = code == Code::divide ? a / b : a % b;
      return nullptr;
    case Code::shift_left:
    case Code::shift_right:
      if (b < 0 || b > 63) return "shifts by less than 0 or more than 63 bits";
      if (code == Code::shift_right) {
        result = a >> b;
        return nullptr;
      }
      result = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
      return result >> b == a ? nullptr : overflow;
    case Code::bit_and:
      result = a & b;
      return nullptr;
    case Code::bit_or:
      result = a | b;
      return nullptr;
    case Code::bit_xor:
      result = a ^ b;
      return nullptr;
    case Code::equal:
      result = a == b;
      return nullptr;
    case Code::unequal:
      result = a != b;
      return nullptr;
    case Code::less:
      result = a < b;
      return nullptr;
    case Code::less_equal:
      result = a <= b;
      return nullptr;
    case Code::greater:
      result = a > b;
      return nullptr;
    case Code::greater_equal:
      result = a >= b;
      return nullptr;
    case Code::min:
      result = std::min(a, b);
      return nullptr;
    case Code::max:
      result = std::max(a, b);
      return nullptr;
    case Code::hash:
      result = positive(mix(static_cast<std::uint64_t>(b)));
      return nullptr;
    case Code::seeded_hash:
      result = positive(mix(static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(a)));
      return nullptr;
    case Code::negate:
      return __builtin_sub_overflow(0, b, &result) ? overflow : nullptr;
    case Code::complement:
      result = ~b;
      return nullptr;
    case Code::logical_not:
      result = b == 0;
      return nullptr;
    case Code::truth:
      result = b != 0;
      return nullptr;
    case Code::constant:
    case Code::variable:
    case Code::jump:
    case Code::jump_if_zero:
      break;
  }
  return "is not valid";
}

std::int64_t Expression::value(const Variables& variables, unsigned lane) const {
  std::array<std::int64_t, most_stacked> stack;
  std::size_t top = 0;  // values on it
  for (std::size_t at = 0; at < operations_.size(); ++at) {
    const Operation& op = operations_[at];
    switch (op.code) {
      case Code::constant:
        stack[top++] = op.value;
        break;
      case Code::variable:
        stack[top++] = variables[static_cast<std::size_t>(op.value)].at(lane);
        break;
      case Code::jump:
        at = static_cast<std::size_t>(op.value) - 1;
        break;
      case Code::jump_if_zero:
        if (stack[--top] == 0) at = static_cast<std::size_t>(op.value) - 1;
        break;
      default: {
        const std::int64_t b = stack[--top];
        const std::int64_t a = takes_two(op.code) ? stack[--top] : 0;
        if (const char* fault = apply(op.code, a, b, stack[top])) throw ExpressionFault(fault);
        ++top;
      }
    }
  }
  return stack[0];
}

}  // namespace strata::kernels
