// SPDX-License-Identifier: Apache-2.0
// The one description of a spec struct, and what is made of it: binding of a
// value tree with all errors at once, and the effective configuration.
//
//   struct CacheSpec {
//     Bytes size;
//     std::uint32_t ways = 16;
//     static config::Schema<CacheSpec> schema();
//   };
//   config::Schema<CacheSpec> CacheSpec::schema() {
//     return config::Schema<CacheSpec>("cache", "a set-associative cache")
//         .required("size", &CacheSpec::size, "capacity of one instance", config::range(1_KiB, 4_GiB))
//         .optional("ways", &CacheSpec::ways, "lines of a set", config::range(1, 1024))
//         .check("size", [](const CacheSpec& c) { return c.size.value % c.ways ? "…" : ""; });
//   }
//
// A field's type says how it is read: a scalar type (scalar.hpp), a struct with
// a schema() of its own, std::vector<> or std::optional<> of either; a Value takes
// a map as it was written. The default
// of an optional field is its member initialiser, written there and nowhere
// else. `none` in the place of an optional<> leaves it out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/effective.hpp"
#include "config/schema/codec.hpp"
#include "config/schema/field_table.hpp"
#include "config/schema/info.hpp"
#include "config/schema/reader.hpp"
#include "config/schema/rules.hpp"

namespace strata::config {

template <class T>
class Schema {
 public:
  Schema(std::string_view name, std::string_view meaning) : table_(name, meaning), defaults_(std::make_shared<T>()) {}

  /// A field that every configuration must give.
  template <class Member, class... Options>
  Schema& required(std::string_view name, Member T::* member, std::string_view meaning, Options... options) {
    return add({name, meaning, true}, member, make_codec<Member>(rules_of<Member>(std::move(options)...)));
  }

  /// A field that keeps its member initialiser where it is not given.
  template <class Member, class... Options>
  Schema& optional(std::string_view name, Member T::* member, std::string_view meaning, Options... options) {
    return add({name, meaning, false}, member, make_codec<Member>(rules_of<Member>(std::move(options)...)));
  }

  /// A condition over the whole spec, such as whole sets. `test(spec)` gives what
  /// is wrong, worded to complete "'path' "; an empty text: nothing. What follows a
  /// line feed is the remedy, in which `@` stands for the path of the spec and a dot:
  /// "needs sectors of 32 B\nset @sector=32B". Reported at `field`. Runs only once
  /// every field is bound without error.
  template <class Test>
  Schema& check(std::string_view field, Test test) {
    table_.check(field, [test](const void* spec) { return std::string(test(*static_cast<const T*>(spec))); });
    return *this;
  }

  std::shared_ptr<const SchemaInfo> info() const { return table_.info(); }

  /// Binds a map over `out`, which holds the defaults. All errors go to `reader`.
  void read(const Value& map, const std::string& path, T& out, Reader& reader) const {
    table_.read(map, path, &out, reader);
  }

  /// The spec as the model sees it; `map` is the tree it was bound from, or null.
  Effective effective(const T& spec, const Value* map) const { return table_.effective(&spec, map); }

 private:
  template <class Member>
  Schema& add(const FieldTable::Words& words, Member T::* member, std::shared_ptr<const AnyCodec> codec) {
    const T& defaults = *defaults_;
    const auto* const begin = reinterpret_cast<const std::byte*>(&defaults);
    const auto* const at = reinterpret_cast<const std::byte*>(&(defaults.*member));
    table_.add(words, static_cast<std::size_t>(at - begin), &defaults, std::move(codec));
    return *this;
  }

  FieldTable table_;
  std::shared_ptr<const T> defaults_;  ///< member initialisers; schemas are copied as they are built up
};

/// Binds a whole tree. On errors the returned spec is not to be used.
template <class T>
T bind_spec(const Value& root, const Schema<T>& schema, std::vector<Diagnostic>& diagnostics) {
  Reader reader(diagnostics);
  T spec{};
  schema.read(root, "", spec, reader);
  reader.finish();
  return spec;
}
template <class T>
T bind_spec(const Value& root, std::vector<Diagnostic>& diagnostics) {
  return bind_spec(root, T::schema(), diagnostics);
}

}  // namespace strata::config
