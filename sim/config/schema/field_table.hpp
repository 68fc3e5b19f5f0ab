// SPDX-License-Identifier: Apache-2.0
// The fields of a spec struct with the struct's type taken off: what Schema<T> is made of, so that the
// compiler sees the loops over fields once and not for each struct. A spec is known by its address, a field
// by its distance from it. Internal to Schema<T>.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/effective.hpp"
#include "config/schema/codec.hpp"
#include "config/schema/info.hpp"
#include "config/schema/reader.hpp"

namespace strata::config {

class FieldTable {
 public:
  struct Words {
    std::string_view name;
    std::string_view meaning;
    bool required = false;
  };
  using Test = std::function<std::string(const void* spec)>;

  FieldTable(std::string_view name, std::string_view meaning);
  FieldTable(const FieldTable&);
  FieldTable(FieldTable&&) noexcept;
  FieldTable& operator=(const FieldTable&);
  FieldTable& operator=(FieldTable&&) noexcept;
  ~FieldTable();

  /// A field `offset` bytes into the spec; `defaults` is a spec of member initialisers.
  /// Throws std::logic_error: a name that there is, or that is a word of the configuration itself.
  void add(const Words& words, std::size_t offset, const void* defaults, std::shared_ptr<const AnyCodec> codec);
  /// Throws std::logic_error: no such field.
  void check(std::string_view field, Test test);

  std::shared_ptr<const SchemaInfo> info() const { return info_; }
  void read(const Value& map, const std::string& path, void* spec, Reader& reader) const;
  Effective effective(const void* spec, const Value* map) const;

 private:
  struct Field {
    std::size_t offset = 0;
    std::shared_ptr<const AnyCodec> codec;  ///< holds the whole schema of what is below it
  };
  struct Check {
    std::string field;
    Test test;
  };

  std::shared_ptr<SchemaInfo> info_;
  std::vector<Field> fields_;  ///< in the order of info_
  std::vector<Check> checks_;
};

}  // namespace strata::config
