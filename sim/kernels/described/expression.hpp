// SPDX-License-Identifier: Apache-2.0
// Whole-number expressions of a kernel that a user describes: the operators of C with
// their precedence, min(), max() and hash(), over names of parameters, threads and loop
// counters. A text is compiled once to a flat program of a stack machine. It is
// evaluated either for all lanes of a warp at once, where its value is first + lane x
// slope, or for one lane. Values are signed words of 64 bits; what does not fit is an
// error and never wraps. docs/guide/own-kernel.md has the grammar.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::kernels {

/// Among which threads a value may differ: each includes those before it.
enum class Varies : std::uint8_t { no, by_block, by_warp, by_lane };

/// A value for each lane of a warp: first + lane x slope, or one for each.
struct LaneValues {
  std::int64_t first = 0;
  std::int64_t slope = 0;
  std::vector<std::int64_t> each;  ///< empty: first and slope say it

  std::int64_t at(unsigned lane) const {
    if (!each.empty()) return each[lane];
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(slope) * lane);
  }
};
using Variables = std::vector<LaneValues>;

/// first + lane x slope; within 64 bits on every lane that it was made for.
struct Affine {
  std::int64_t first = 0;
  std::int64_t slope = 0;
  std::int64_t at(unsigned lane) const { return first + slope * static_cast<std::int64_t>(lane); }
};

/// What names mean in an expression.
class Scope {
 public:
  struct Variable {
    std::size_t slot = 0;  ///< of Variables
    Varies varies = Varies::no;
  };
  void add_constant(const std::string& name, std::int64_t value) { constants_[name] = value; }
  void add_variable(const std::string& name, Variable variable) { variables_[name] = variable; }
  void remove_variable(const std::string& name) { variables_.erase(name); }
  /// A name for an expression, compiled where it is used.
  void add_definition(const std::string& name, config::Value text) { definitions_[name] = std::move(text); }

  bool knows(const std::string& name) const;
  std::vector<std::string> names() const;
  const std::int64_t* constant(const std::string& name) const { return find(constants_, name); }
  /// Names of constants that expressions use are put there from now on, also by copies; nullptr: nowhere.
  void note_uses(std::set<std::string>* used) { used_ = used; }
  /// The constant, for an expression.
  const std::int64_t* use(const std::string& name) const {
    const std::int64_t* const found = constant(name);
    if (found != nullptr && used_ != nullptr) used_->insert(name);
    return found;
  }
  const Variable* variable(const std::string& name) const { return find(variables_, name); }
  const config::Value* definition(const std::string& name) const { return find(definitions_, name); }

 private:
  template <class Of>
  static const Of* find(const std::map<std::string, Of>& in, const std::string& name) {
    const auto found = in.find(name);
    return found == in.end() ? nullptr : &found->second;
  }
  std::map<std::string, std::int64_t> constants_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, config::Value> definitions_;
  std::set<std::string>* used_ = nullptr;
};

/// What an evaluation met: `divides by zero`, worded to complete "'EXPRESSION' ".
class ExpressionFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Expression {
 public:
  enum class Code : std::uint8_t {
    constant,
    variable,
    jump,
    jump_if_zero,
    truth,
    negate,
    complement,
    logical_not,
    hash,  // one operand at most
    add,
    subtract,
    multiply,
    divide,
    remainder,
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    min,
    max,
    seeded_hash
  };
  static constexpr bool takes_two(Code code) { return code >= Code::add; }
  struct Operation {
    Code code = Code::constant;
    std::int64_t value = 0;  ///< the constant, the variable's slot, or the operation to jump to
  };
  static constexpr std::size_t most_operations = 1000;
  static constexpr std::size_t most_stacked = 64;
  static constexpr std::size_t most_nested = 48;

  /// None.
  Expression() = default;
  /// Throws InputError, with the place of what is wrong. `value` is a scalar.
  Expression(const config::Value& value, const Scope& scope);

  bool empty() const { return operations_.empty(); }
  const std::string& text() const { return text_; }
  const config::Position& where() const { return where_; }
  Varies varies() const { return varies_; }
  const std::vector<Operation>& operations() const { return operations_; }

  /// The value on one lane. Throws ExpressionFault.
  std::int64_t value(const Variables& variables, unsigned lane = 0) const;
  /// The values on lanes 0 to lanes - 1, at least one; none where they do not lie on a
  /// line, or one of them might be an error: value() then reports each.
  std::optional<Affine> affine(const Variables& variables, unsigned lanes) const;

  /// a OP b (b alone for one operand); gives what is wrong, or null.
  static const char* apply(Code code, std::int64_t a, std::int64_t b, std::int64_t& result);

 private:
  std::vector<Operation> operations_;
  Varies varies_ = Varies::no;
  std::string text_;
  config::Position where_;
};

/// A letter, then letters, digits and '_'.
bool is_name(std::string_view text);

}  // namespace strata::kernels
