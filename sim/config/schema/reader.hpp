// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong while a tree is bound, in one wording for all specs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema/info.hpp"
#include "config/value/value.hpp"

namespace strata::config {

class Reader {
 public:
  explicit Reader(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  /// Errors so far, those no longer listed included.
  std::size_t count() const { return count_; }

  void error(const Position& where, std::string message, std::string hint = {});
  /// Reports where `value` is not of the required shape; `what` says what belongs there.
  bool expects(const Value& value, Shape shape, const std::string& path, std::string_view what);
  void missing(const Value& map, const FieldInfo& field, const std::string& path);
  void refuse_unknown(const Value& map, const SchemaInfo& schema, const std::string& path);
  /// A list has fewer or more entries than it may have.
  void wrong_length(const Value& list, const std::string& path, std::size_t least, std::size_t most);
  /// Two entries of a list under one name could not be distinguished in a path.
  void refuse_same_names(const Value& list, const std::string& path);
  /// Says how many errors were left off after the most that are listed.
  void finish();

  static std::string join(const std::string& path, std::string_view name);

 private:
  std::vector<Diagnostic>& diagnostics_;
  std::size_t count_ = 0;
};

}  // namespace strata::config
