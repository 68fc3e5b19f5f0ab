// SPDX-License-Identifier: Apache-2.0
// Text of a JSON answer, written from front to back.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata::playground {

class Json {
 public:
  Json& begin(char bracket) {
    comma();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  Json& end(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  Json& key(std::string_view name) {
    value(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  Json& value(std::string_view text) {
    comma();
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (static_cast<unsigned char>(c) < 0x20)
        text_ += fmt::format("\\u{:04x}", static_cast<int>(c));
      else
        text_ += c;
    }
    text_ += '"';
    return *this;
  }
  /// Infinity and NaN, which JSON cannot represent, become null.
  Json& value(double number) {
    comma();
    text_ += std::isfinite(number) ? fmt::format("{}", number) : "null";
    return *this;
  }
  Json& value(std::uint64_t number) {
    comma();
    text_ += fmt::format("{}", number);
    return *this;
  }
  template <class Value>
  Json& pair(std::string_view name, const Value& of) {
    key(name);
    return value(of);
  }
  const std::string& text() const { return text_; }

 private:
  void comma() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  std::string text_;
  bool first_ = true;
};

}  // namespace strata::playground
