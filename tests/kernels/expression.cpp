// SPDX-License-Identifier: Apache-2.0
// Expressions against a reference that is computed with their text: random trees of operators
// are printed with all brackets, or as few as C needs, and evaluated as 128-bit numbers at the
// same time.
#include "kernels/described/expression.hpp"

#include <limits>
#include <map>
#include <optional>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "catch.hpp"

using namespace strata::kernels;

namespace {

strata::config::Value text_value(const std::string& text) {
  strata::config::Value value;
  value.text = text;
  value.where = {std::make_shared<const std::string>("k.yaml"), 3, 10};
  return value;
}

// n is a parameter; b is uniform, t is affine, v differs between lanes.
Scope scope() {
  Scope names;
  names.add_constant("n", 48);
  names.add_variable("b", {0, Varies::by_block});
  names.add_variable("t", {1, Varies::by_lane});
  names.add_variable("v", {2, Varies::by_lane});
  return names;
}
Variables variables() {
  Variables all(3);
  all[0] = {5, 0, {}};
  all[1] = {96, 1, {}};
  all[2].each.resize(32);
  for (std::size_t lane = 0; lane < 32; ++lane) all[2].each[lane] = static_cast<std::int64_t>(lane * lane) - 100;
  return all;
}

std::int64_t value_of(const std::string& text, unsigned lane = 0) {
  return Expression(text_value(text), scope()).value(variables(), lane);
}
std::string error_of(const std::string& text) {
  try {
    value_of(text);
  } catch (const strata::InputError& error) {
    return error.what();
  } catch (const ExpressionFault& fault) {
    return fault.what();
  }
  return "none";
}

// A random expression: its text, and its value by the rules, or none where it is an error.
struct Reference {
  std::string text;
  std::optional<std::int64_t> value;
  int precedence = 12;  ///< of its last operator; 12: none
};

class Maker {
 public:
  Maker(std::uint64_t seed, unsigned lane) : random_(seed), lane_(lane) {}

  Reference make(int depth) {
    if (depth == 0 || random_.below(6) == 0) return leaf();
    switch (random_.below(8)) {
      case 0:
        return unary(depth);
      case 1:
        return choice(depth);
      case 2:
        return function(depth);
      default:
        return binary(depth);
    }
  }

 private:
  using Wide = __int128;
  using Value = std::optional<std::int64_t>;
  static Value narrow(Wide wide) {
    if (wide > std::numeric_limits<std::int64_t>::max() || wide < std::numeric_limits<std::int64_t>::min())
      return std::nullopt;
    return static_cast<std::int64_t>(wide);
  }

  Reference leaf() {
    const auto of = static_cast<std::int64_t>(lane_);
    switch (random_.below(6)) {
      case 0:
        return {"b", 5};
      case 1:
        return {"t", 96 + of};
      case 2:
        return {"v", of * of - 100};
      case 3:
        return {"n", 48};
      default: {
        // Powers of two as often as not, and now and then a number that overflows soon.
        const std::uint64_t kind = random_.below(20);
        const std::uint64_t number = kind == 0   ? random_.next() >> 1U
                                     : kind < 10 ? std::uint64_t{1} << random_.below(8)
                                                 : random_.below(70);
        return {std::to_string(number), static_cast<std::int64_t>(number)};
      }
    }
  }

  // In brackets if C needs them, and sometimes if not.
  std::string operand(const Reference& of, int least) {
    return of.precedence < least || random_.below(8) == 0 ? "(" + of.text + ")" : of.text;
  }

  Reference unary(int depth) {
    const Reference a = make(depth - 1);
    const char sign = "-!~"[random_.below(3)];
    Value value;
    if (a.value)
      value = sign == '-' ? narrow(-Wide{*a.value}) : sign == '!' ? Value(*a.value == 0) : Value(-1 - *a.value);
    return {sign + operand(a, 11), value, 11};
  }

  Reference choice(int depth) {
    const Reference c = make(depth - 1), a = make(depth - 1), b = make(depth - 1);
    Value value;
    if (c.value) value = *c.value != 0 ? a.value : b.value;
    return {operand(c, 1) + " ? " + a.text + " : " + b.text, value, 0};
  }

  Reference function(int depth) {
    const Reference a = make(depth - 1), b = make(depth - 1);
    const std::uint64_t kind = random_.below(3);
    const bool both = a.value && b.value;
    if (kind == 2) {
      Value value;
      if (a.value) value = static_cast<std::int64_t>(strata::mix(static_cast<std::uint64_t>(*a.value)) >> 1U);
      return {"hash(" + a.text + ")", value};
    }
    const Value value = both ? Value((*a.value < *b.value) == (kind == 0) ? *a.value : *b.value) : Value();
    return {(kind == 0 ? "min(" : "max(") + a.text + ", " + b.text + ")", value};
  }

  Reference binary(int depth) {
    static const std::map<std::string, int> signs = {{"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}, {"<<", 8},
                                                     {">>", 8}, {"&", 5},  {"|", 3},  {"^", 4},  {"==", 6}, {"!=", 6},
                                                     {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"&&", 2}, {"||", 1}};
    auto at = signs.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_.below(signs.size())));
    const auto& [sign, precedence] = *at;
    const Reference a = make(depth - 1), b = make(depth - 1);
    const std::string text = operand(a, precedence) + ' ' + sign + ' ' + operand(b, precedence + 1);
    return {text, a.value ? apply(sign, *a.value, b.value) : Value(), precedence};
  }

  static Value apply(const std::string& sign, std::int64_t a, Value right) {
    if (sign == "&&" && a == 0) return 0;
    if (sign == "||" && a != 0) return 1;
    if (!right) return std::nullopt;
    const std::int64_t b = *right;
    const Wide x = a, y = b;
    if (sign == "+") return narrow(x + y);
    if (sign == "-") return narrow(x - y);
    if (sign == "*") return narrow(x * y);
    if (sign == "/") return b == 0 ? Value() : narrow(x / y);
    if (sign == "%") return b == 0 ? Value() : narrow(x % y);
    if (sign == "<<" || sign == ">>") {
      if (b < 0 || b > 63) return std::nullopt;
      const Wide power = Wide{1} << b;
      if (sign == "<<") return narrow(x * power);
      return narrow(x >= 0 ? x / power : -((-x + power - 1) / power));  // rounds down
    }
    if (sign == "&") return a & b;
    if (sign == "|") return a | b;
    if (sign == "^") return a ^ b;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == "<=") return a <= b;
    if (sign == ">") return a > b;
    if (sign == ">=") return a >= b;
    if (sign == "&&") return b != 0;
    return b != 0;
  }

  strata::RandomSequence random_;
  unsigned lane_;
};

}  // namespace

TEST_CASE("random_expressions_have_the_value_of_the_reference_on_every_lane") {
  const Variables all = variables();
  const Scope names = scope();
  unsigned values = 0, errors = 0, lines = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = Maker(seed, 0).make(4).text;
    INFO("seed " << seed << ": " << text);
    const Expression expression(text_value(text), names);
    const auto line = expression.affine(all, 32);
    lines += line && line->slope != 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Reference reference = Maker(seed, lane).make(4);
      REQUIRE(reference.text == text);
      std::optional<std::int64_t> value;
      try {
        value = expression.value(all, lane);
      } catch (const ExpressionFault&) {
      }
      REQUIRE(value == reference.value);
      if (line) REQUIRE(line->at(lane) == reference.value);
      ++(value ? values : errors);
    }
  }
  // Both kinds are there in number, and so are lines that are not flat.
  CHECK(values > 50000);
  CHECK(errors > 2000);
  CHECK(lines > 100);
}

TEST_CASE("an_index_along_a_row_is_first_plus_lane_times_slope") {
  const auto line = [](const char* text) { return Expression(text_value(text), scope()).affine(variables(), 32); };
  const auto row = line("(b * n + t / 32) * n + t % 32 * 2");  // threads 96 to 127 have one quotient
  REQUIRE(row);
  CHECK(row->first == (5 * 48 + 3) * 48);
  CHECK(row->slope == 2);
  CHECK(line("t & 31")->slope == 1);
  CHECK(line("t < 96 ? v : 7 - t")->slope == -1);  // v is not looked at
  CHECK(line("max(t, n)")->slope == 1);
  CHECK_FALSE(line("t % 31"));
  CHECK_FALSE(line("t > 100"));
  CHECK_FALSE(line("v"));
  CHECK_FALSE(line("hash(t)"));
  CHECK_FALSE(line("t * t"));
}

TEST_CASE("units_and_hashes_in_expressions") {
  CHECK(value_of("2 KiB * n + 3B") == 2048 * 48 + 3);
  CHECK(value_of("1 GiB >> 10") == 1 << 20);
  CHECK(value_of("hash(7)") == static_cast<std::int64_t>(strata::mix(7) >> 1U));
  CHECK(value_of("hash(7, 2)") == static_cast<std::int64_t>(strata::mix(2, 7) >> 1U));
  CHECK(value_of("-9223372036854775807 - 1") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("what_is_not_evaluated_cannot_be_an_error") {
  CHECK(value_of("b == 0 || 10 / b == 2") == 1);
  CHECK(value_of("b != 5 && 1 / (b - 5)") == 0);
  CHECK(value_of("b > 5 ? 1 / (b - 5) : 4") == 4);
}

TEST_CASE("errors_of_expressions") {
  CHECK(error_of("1 / (b - 5)") == "divides by zero");
  CHECK(error_of("1 % 0") == "divides by zero");
  CHECK(error_of("9223372036854775807 + b") == "overflows 64 bits");
  CHECK(error_of("1 << 63") == "overflows 64 bits");
  CHECK(error_of("1 << (b - 6)") == "shifts by less than 0 or more than 63 bits");
  CHECK(error_of("9223372036854775808").find("larger than 2^63 - 1") != std::string::npos);
  CHECK(error_of("1 + bb") == "k.yaml:3:14: '1 + bb': unknown name 'bb' (did you mean 'b'?)");
  CHECK(error_of("1 + wide") == "k.yaml:3:14: '1 + wide': unknown name 'wide' (known here: n, b, t, v)");
  CHECK(error_of("t +").find("expected a number, a name or '(', got 'the end'") != std::string::npos);
  CHECK(error_of("(t + 1").find("expected ')', got 'the end'") != std::string::npos);
  CHECK(error_of("t = 1").find("k.yaml:3:12: 't = 1': expected an operator or the end, got '='") == 0);
  CHECK(error_of("t ? 1").find("expected ':'") != std::string::npos);
  CHECK(error_of("mix(t)").find("there is no function 'mix' (did you mean 'min'?)") != std::string::npos);
  CHECK(error_of("min(t)").find("min() takes 2 arguments, not 1") != std::string::npos);
  CHECK(error_of("hash(t, 1, 2)").find("too many arguments") != std::string::npos);
  CHECK(error_of("4 clk").find("units are B, KiB, MiB and GiB") != std::string::npos);
  CHECK(error_of("010").find("must not begin with 0") != std::string::npos);
  CHECK(error_of("0.5").find("whole and in decimal digits") != std::string::npos);
}

TEST_CASE("hostile_expressions_are_refused_at_little_cost") {
  const auto many = [](const char* part, unsigned times) {
    std::string all;
    for (unsigned i = 0; i < times; ++i) all += part;
    return all;
  };
  CHECK(error_of(many("(", 100000) + "1").find("nested more than 48 deep") != std::string::npos);
  CHECK(error_of(many("-", 100000) + "1").find("nested more than 48 deep") != std::string::npos);
  CHECK(error_of(many("b ? ", 1000) + "1").find("nested more than 48 deep") != std::string::npos);
  CHECK(error_of(many("1 + ", 1000) + "1").find("takes more than 1000 operations") != std::string::npos);
  CHECK(value_of(many("1 + ", 499) + "1") == 500);
  CHECK(value_of(many("(", 47) + "b" + many(")", 47)) == 5);
  // Each definition uses the one before twice: 2^40 operations, folded or not.
  for (const char* leaf : {"b", "1"}) {
    Scope names = scope();
    names.add_definition("d0", text_value(leaf));
    for (unsigned i = 1; i <= 40; ++i)
      names.add_definition("d" + std::to_string(i),
                           text_value("d" + std::to_string(i - 1) + " - d" + std::to_string(i - 1)));
    CHECK_THROWS_AS(Expression(text_value("d40"), names), strata::InputError);
  }
  Scope circle = scope();
  circle.add_definition("x", text_value("y + 1"));
  circle.add_definition("y", text_value("x"));
  CHECK_THROWS_AS(Expression(text_value("x"), circle), strata::InputError);
}
