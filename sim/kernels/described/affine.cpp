// SPDX-License-Identifier: Apache-2.0
// An expression for all lanes of a warp at once, as long as its value is first + lane x slope.
#include <algorithm>
#include <array>
#include <limits>

#include "kernels/described/expression.hpp"

namespace strata::kernels {

namespace {

using Code = Expression::Code;

// The values on the first and the last lane.
struct Ends {
  std::int64_t low;
  std::int64_t high;
};

// Arithmetic on values that are first + lane x slope, for a number of lanes.
class Lines {
 public:
  explicit Lines(unsigned lanes) : last_(static_cast<std::int64_t>(lanes) - 1) {}

  /// Whether it stays within 64 bits on the last lane.
  bool fits(const Affine& a) const {
    std::int64_t rise = 0, end = 0;
    return !__builtin_mul_overflow(a.slope, last_, &rise) && !__builtin_add_overflow(a.first, rise, &end);
  }
  Ends ends(const Affine& a) const {
    const std::int64_t end = a.first + a.slope * last_;
    return {std::min(a.first, end), std::max(a.first, end)};
  }
  /// 1 or 0 where it is not 0, or 0, on all lanes; else none.
  std::optional<bool> truth(const Affine& a) const {
    if (a.slope == 0) return a.first != 0;
    const Ends e = ends(a);
    if (e.low > 0 || e.high < 0) return true;
    return std::nullopt;
  }

  std::optional<Affine> one(Code code, const Affine& a) const {
    if (code == Code::negate || code == Code::complement) {
      Affine result;
      const std::int64_t from = code == Code::negate ? 0 : -1;
      if (__builtin_sub_overflow(from, a.first, &result.first) || __builtin_sub_overflow(0, a.slope, &result.slope) ||
          !fits(result))
        return std::nullopt;
      return result;
    }
    if (a.slope == 0) {
      Affine result;
      if (Expression::apply(code, 0, a.first, result.first) != nullptr) return std::nullopt;
      return result;
    }
    const auto true_everywhere = truth(a);
    if (code == Code::hash || !true_everywhere) return std::nullopt;
    return Affine{*true_everywhere == (code == Code::truth), 0};
  }

  std::optional<Affine> two(Code code, const Affine& a, const Affine& b) const {
    if (a.slope == 0 && b.slope == 0) {
      Affine result;
      if (Expression::apply(code, a.first, b.first, result.first) != nullptr) return std::nullopt;
      return result;
    }
    switch (code) {
      case Code::add:
      case Code::subtract:
        return sum(a, b, code == Code::subtract);
      case Code::multiply:
        return a.slope == 0 ? scaled(b, a.first) : b.slope == 0 ? scaled(a, b.first) : std::nullopt;
      case Code::shift_left:
        if (b.slope != 0 || b.first < 0 || b.first > 62) return std::nullopt;
        return scaled(a, std::int64_t{1} << b.first);
      case Code::shift_right:
        if (b.slope != 0 || b.first < 0 || b.first > 62) return std::nullopt;
        return part(a, std::int64_t{1} << b.first, false);
      case Code::divide:
      case Code::remainder:
        return b.slope != 0 ? std::nullopt : part(a, b.first, code == Code::remainder);
      case Code::bit_and:  // with 2^k - 1 it is a remainder
        if (b.slope != 0 || b.first <= 0 || b.first == std::numeric_limits<std::int64_t>::max() ||
            (b.first & (b.first + 1)) != 0)
          return std::nullopt;
        return part(a, b.first + 1, true);
      default:
        return by_order(code, a, b);
    }
  }

 private:
  std::optional<Affine> sum(const Affine& a, const Affine& b, bool minus) const {
    Affine r;
    const bool over =
        minus
            ? __builtin_sub_overflow(a.first, b.first, &r.first) || __builtin_sub_overflow(a.slope, b.slope, &r.slope)
            : __builtin_add_overflow(a.first, b.first, &r.first) || __builtin_add_overflow(a.slope, b.slope, &r.slope);
    if (over || !fits(r)) return std::nullopt;
    return r;
  }
  std::optional<Affine> scaled(const Affine& a, std::int64_t factor) const {
    Affine r;
    if (__builtin_mul_overflow(a.first, factor, &r.first) || __builtin_mul_overflow(a.slope, factor, &r.slope) ||
        !fits(r))
      return std::nullopt;
    return r;
  }
  // Quotient or remainder where all lanes have the same quotient.
  std::optional<Affine> part(const Affine& a, std::int64_t by, bool remainder) const {
    const Ends e = ends(a);
    if (by <= 0 || e.low < 0 || e.low / by != e.high / by) return std::nullopt;
    if (!remainder) return Affine{e.low / by, 0};
    return Affine{a.first - e.low / by * by, a.slope};
  }
  // Where the order of a and b is the same on all lanes.
  std::optional<Affine> by_order(Code code, const Affine& a, const Affine& b) const {
    const auto difference = sum(a, b, true);
    if (!difference) return std::nullopt;
    const Ends e = ends(*difference);
    const auto known = [](bool yes, bool no) -> std::optional<Affine> {
      if (yes) return Affine{1, 0};
      if (no) return Affine{0, 0};
      return std::nullopt;
    };
    switch (code) {
      case Code::less:
        return known(e.high < 0, e.low >= 0);
      case Code::less_equal:
        return known(e.high <= 0, e.low > 0);
      case Code::greater:
        return known(e.low > 0, e.high <= 0);
      case Code::greater_equal:
        return known(e.low >= 0, e.high < 0);
      case Code::equal:
        return known(e.low == 0 && e.high == 0, e.low > 0 || e.high < 0);
      case Code::unequal:
        return known(e.low > 0 || e.high < 0, e.low == 0 && e.high == 0);
      case Code::min:
      case Code::max:
        if (e.high <= 0) return code == Code::min ? a : b;
        if (e.low >= 0) return code == Code::min ? b : a;
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  std::int64_t last_;
};

}  // namespace

std::optional<Affine> Expression::affine(const Variables& variables, unsigned lanes) const {
  const Lines lines(lanes);
  std::array<Affine, most_stacked> stack;
  std::size_t top = 0;
  for (std::size_t at = 0; at < operations_.size(); ++at) {
    const Operation& op = operations_[at];
    std::optional<Affine> result;
    switch (op.code) {
      case Code::constant:
        result = Affine{op.value, 0};
        break;
      case Code::variable: {
        const LaneValues& of = variables[static_cast<std::size_t>(op.value)];
        if (of.each.empty()) result = Affine{of.first, of.slope};
        if (result && !lines.fits(*result)) result.reset();
        break;
      }
      case Code::jump:
        at = static_cast<std::size_t>(op.value) - 1;
        continue;
      case Code::jump_if_zero: {
        const auto truth = lines.truth(stack[--top]);
        if (!truth) return std::nullopt;
        if (!*truth) at = static_cast<std::size_t>(op.value) - 1;
        continue;
      }
      default: {
        const Affine b = stack[--top];
        result = takes_two(op.code) ? lines.two(op.code, stack[--top], b) : lines.one(op.code, b);
      }
    }
    if (!result) return std::nullopt;
    stack[top++] = *result;
  }
  return stack[0];
}

}  // namespace strata::kernels
