// SPDX-License-Identifier: Apache-2.0
// From text to the flat program: precedence climbing (Richards and Whitby-Strevens,
// BCPL, 1979), which recurses for brackets only. Nesting, operations and the stack are bounded,
// including expanded definitions, so hostile text costs little.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text_distance.hpp"
#include "kernels/described/grammar.hpp"

namespace strata::kernels {

namespace {

using grammar::binaries;
using grammar::Binary;
using grammar::Code;
using grammar::Function;
using grammar::functions;
using grammar::is_digit;
using grammar::is_letter;
using grammar::Unit;
using grammar::units;

// The result of compiling a text and the definitions in it.
struct Output {
  std::vector<Expression::Operation> operations;
  Varies varies = Varies::no;
  std::size_t stacked = 0;
  std::size_t nested = 0;
  std::size_t emitted = 0;  ///< operations, those that were folded included
  std::size_t fixed = 0;    ///< operations before this may be jumped to the end of
  std::vector<std::string> expanding;
};

class Parser {
 public:
  Parser(const config::Value& value, const Scope& scope, Output& out)
      : value_(value), text_(value.text), scope_(scope), out_(out) {}

  void whole() {
    choice();
    if (next() != '\0') fail(at_, fmt::format("expected an operator or the end, got '{}'", shown()), "");
  }

 private:
  struct Nesting {
    explicit Nesting(Parser& parser) : out(parser.out_) {
      if (++out.nested > Expression::most_nested) {
        --out.nested;
        parser.fail(parser.at_, fmt::format("is nested more than {} deep", Expression::most_nested),
                    "name a part of it under 'define'");
      }
    }
    Nesting(const Nesting&) = delete;
    ~Nesting() { --out.nested; }
    Output& out;
  };

  [[noreturn]] void fail(std::size_t offset, std::string message, std::string hint) const {
    config::Position where = value_.where;
    if (where.line != 0) where.column += offset + (value_.quoted ? 1 : 0);
    constexpr std::size_t most_shown = 60;
    const std::string text = text_.size() > most_shown ? text_.substr(0, most_shown) + "..." : text_;
    throw InputError(where.diagnostic(fmt::format("'{}': {}", text, message), std::move(hint)));
  }

  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string shown() const { return at_ < text_.size() ? text_.substr(at_, 1) : "the end"; }
  bool take(char sign) {
    if (next() != sign) return false;
    ++at_;
    return true;
  }
  void expect(char sign, const char* hint) {
    if (!take(sign)) fail(at_, fmt::format("expected '{}', got '{}'", sign, shown()), hint);
  }

  std::size_t emit(Code code, std::int64_t value = 0) {
    if (++out_.emitted > Expression::most_operations)
      fail(at_, fmt::format("takes more than {} operations, its definitions included", Expression::most_operations),
           "make it shorter");
    out_.operations.push_back({code, value});
    return out_.operations.size() - 1;
  }
  void push(Code code, std::int64_t value) {
    emit(code, value);
    if (++out_.stacked > Expression::most_stacked)
      fail(at_, fmt::format("holds more than {} values at a time", Expression::most_stacked),
           "name a part of it under 'define'");
  }
  // Constants are folded, unless that is an error, which is then reported at evaluation.
  void operate(Code code, bool two) {
    auto& all = out_.operations;
    const std::size_t operands = two ? 2 : 1;
    if (two) --out_.stacked;
    if (all.size() >= out_.fixed + operands && all.back().code == Code::constant &&
        all[all.size() - operands].code == Code::constant) {
      std::int64_t result = 0;
      if (Expression::apply(code, all[all.size() - operands].value, all.back().value, result) == nullptr) {
        all.resize(all.size() - operands + 1);
        all.back().value = result;
        return;
      }
    }
    emit(code);
  }
  // The jump goes to the operation that is emitted next.
  void land(std::size_t jump) {
    out_.operations[jump].value = static_cast<std::int64_t>(out_.operations.size());
    out_.fixed = out_.operations.size();
  }
  std::size_t jump_if_zero() {
    --out_.stacked;
    return emit(Code::jump_if_zero);
  }

  void choice() {
    const Nesting nesting(*this);
    binary(1);
    if (!take('?')) return;
    const std::size_t otherwise = jump_if_zero();
    choice();
    expect(':', "a choice is CONDITION ? VALUE : VALUE");
    const std::size_t end = emit(Code::jump);
    land(otherwise);
    --out_.stacked;
    choice();
    land(end);
  }

  const Binary* sign() {
    next();
    for (const Binary& row : binaries)
      if (std::string_view(text_).substr(std::min(at_, text_.size())).starts_with(row.sign)) return &row;
    return nullptr;
  }

  void binary(int least) {
    unary();
    for (const Binary* found = sign(); found != nullptr && found->precedence >= least; found = sign()) {
      at_ += found->sign.size();
      if (found->code != Code::truth) {
        binary(found->precedence + 1);
        operate(found->code, true);
        continue;
      }
      const bool both = found->sign == "&&";
      const std::size_t other = jump_if_zero();
      if (both) {
        binary(found->precedence + 1);
        operate(Code::truth, false);
      } else {
        push(Code::constant, 1);
      }
      const std::size_t end = emit(Code::jump);
      land(other);
      --out_.stacked;
      if (both) {
        push(Code::constant, 0);
      } else {
        binary(found->precedence + 1);
        operate(Code::truth, false);
      }
      land(end);
    }
  }

  void unary() {
    const char c = next();
    if (c == '-' || c == '!' || c == '~') {
      const Nesting nesting(*this);
      ++at_;
      unary();
      operate(c == '-' ? Code::negate : c == '!' ? Code::logical_not : Code::complement, false);
    } else if (take('(')) {
      choice();
      expect(')', "a bracket is not closed");
    } else if (is_digit(c)) {
      number();
    } else if (is_letter(c)) {
      name();
    } else {
      fail(at_, fmt::format("expected a number, a name or '(', got '{}'", shown()),
           c == '\0' ? "in { } a comma ends the value: write it in quotes" : "");
    }
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void number() {
    const std::size_t begin = at_;
    std::int64_t value = 0;
    bool large = false;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
      large =
          large || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value);
    if (at_ - begin > 1 && text_[begin] == '0') fail(begin, "a number must not begin with 0", "");
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '\''))
      fail(at_, "numbers are whole and in decimal digits", "");
    if (is_letter(next())) {
      const std::size_t at = at_;
      const std::string unit = word();
      const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& row) { return row.name == unit; });
      if (found == units.end())
        fail(at, fmt::format("expected an operator after the number, got '{}'", unit), "units are B, KiB, MiB and GiB");
      large = large || __builtin_mul_overflow(value, found->bytes, &value);
    }
    if (large) fail(begin, "a number is larger than 2^63 - 1", "");
    push(Code::constant, value);
  }

  void name() {
    const std::size_t begin = at_;
    const std::string name = word();
    if (next() == '(') return call(name, begin);
    if (const auto* constant = scope_.use(name)) {
      push(Code::constant, *constant);
    } else if (const auto* variable = scope_.variable(name)) {
      out_.varies = std::max(out_.varies, variable->varies);
      push(Code::variable, static_cast<std::int64_t>(variable->slot));
    } else if (const auto* definition = scope_.definition(name)) {
      expand(name, *definition, begin);
    } else {
      const std::vector<std::string> names = scope_.names();
      std::string hint = did_you_mean(nearest_name(name, names));
      if (hint.empty())
        hint = names.empty() ? "no names are defined here" : fmt::format("known here: {}", fmt::join(names, ", "));
      if (!out_.expanding.empty()) hint += fmt::format("; '{}' is used here through '{}'", name, out_.expanding.back());
      fail(begin, fmt::format("unknown name '{}'", name), hint);
    }
  }

  void expand(const std::string& name, const config::Value& definition, std::size_t begin) {
    if (std::find(out_.expanding.begin(), out_.expanding.end(), name) != out_.expanding.end())
      fail(begin, fmt::format("'{}' is defined by itself", name), "a definition may use others, but not itself");
    out_.expanding.push_back(name);
    Parser(definition, scope_, out_).whole();
    out_.expanding.pop_back();
  }

  void call(const std::string& name, std::size_t begin) {
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const Function& row) { return row.name == name; });
    if (found == functions.end()) {
      std::vector<std::string> names;
      for (const Function& row : functions) names.emplace_back(row.name);
      const std::string hint = did_you_mean(nearest_name(name, names));
      fail(begin, fmt::format("there is no function '{}'", name),
           hint.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : hint);
    }
    ++at_;
    unsigned arguments = 0;
    do {
      choice();
      ++arguments;
    } while (arguments < found->most && take(','));
    expect(')', "a call is not closed, or has too many arguments");
    if (arguments < found->least)
      fail(begin, fmt::format("{}() takes {} arguments, not {}", name, found->least, arguments), "");
    if (name == "hash")
      operate(arguments == 2 ? Code::seeded_hash : Code::hash, arguments == 2);
    else
      operate(name == "min" ? Code::min : Code::max, true);
  }

  const config::Value& value_;
  const std::string& text_;
  const Scope& scope_;
  Output& out_;
  std::size_t at_ = 0;
};

}  // namespace

Expression::Expression(const config::Value& value, const Scope& scope) : text_(value.text), where_(value.where) {
  Output out;
  Parser(value, scope, out).whole();
  operations_ = std::move(out.operations);
  varies_ = out.varies;
}

}  // namespace strata::kernels
