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

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "config/codec.hpp"
#include "config/effective.hpp"
#include "config/reader.hpp"
#include "config/rules.hpp"
#include "config/schema_info.hpp"

namespace strata::config {

template <class T>
class Schema {
 public:
  Schema(std::string name, std::string meaning) : info_(std::make_shared<SchemaInfo>()) {
    info_->name = std::move(name);
    info_->meaning = std::move(meaning);
  }

  /// A field that every configuration must give.
  template <class Member, class... Options>
  Schema& required(std::string name, Member T::*member, std::string meaning, Options... options) {
    return add(std::move(name), member, std::move(meaning), true, std::move(options)...);
  }

  /// A field that keeps its member initialiser where it is not given.
  template <class Member, class... Options>
  Schema& optional(std::string name, Member T::*member, std::string meaning, Options... options) {
    return add(std::move(name), member, std::move(meaning), false, std::move(options)...);
  }

  /// A condition over the whole spec, such as whole sets. `test(spec)` gives what
  /// is wrong, worded to complete "'path' "; an empty text: nothing. Reported at
  /// `field`. Runs only once every field is bound without error.
  template <class Test>
  Schema& check(std::string field, Test test) {
    if (info_->find(field) == nullptr) throw std::logic_error("no field '" + field + "' to check");
    checks_.push_back({std::move(field), [test](const T& spec) { return std::string(test(spec)); }});
    return *this;
  }

  std::shared_ptr<const SchemaInfo> info() const { return info_; }

  /// Binds a map over `out`, which holds the defaults. All errors go to `reader`.
  void read(const Value& map, const std::string& path, T& out, Reader& reader) const {
    const std::size_t errors = reader.count();
    if (!reader.wants(map, Shape::map, path, info_->meaning)) return;
    reader.refuse_unknown(map, *info_, path);
    for (const Field& field : fields_) {
      const FieldInfo& about = info_->fields[field.index];
      if (const Value* value = map.find(about.name)) {
        field.read(*value, Reader::join(path, about.name), out, reader);
      } else if (about.required) {
        reader.missing(map, about, path);
      }
    }
    if (reader.count() != errors) return;
    for (const Check& check : checks_) {
      const std::string wrong = check.test(out);
      if (wrong.empty()) continue;
      const Value* value = map.find(check.field);
      reader.error(value != nullptr ? value->where : map.where,
                   "'" + Reader::join(path, check.field) + "' " + wrong);
    }
  }

  /// The spec as the model sees it; `map` is the tree it was bound from, or null.
  Effective effective(const T& spec, const Value* map) const {
    Effective node;
    node.shape = Shape::map;
    if (map != nullptr && map->shape != Shape::map) map = nullptr;
    if (map != nullptr) node.set_by = map->where;
    for (const Field& field : fields_) {
      const std::string& name = info_->fields[field.index].name;
      Effective child = field.effective(spec, map != nullptr ? map->find(name) : nullptr);
      child.key = name;
      node.children.push_back(std::move(child));
    }
    return node;
  }

 private:
  struct Field {
    std::size_t index;
    std::function<void(const Value&, const std::string&, T&, Reader&)> read;
    std::function<Effective(const T&, const Value*)> effective;
  };
  struct Check {
    std::string field;
    std::function<std::string(const T&)> test;
  };

  template <class Member, class... Options>
  Schema& add(std::string name, Member T::*member, std::string meaning, bool required, Options... options) {
    if (info_->find(name) != nullptr) throw std::logic_error("field '" + name + "' is described twice");
    for (const char* reserved : {"base", "use", "provenance"}) {
      if (name == reserved) throw std::logic_error("'" + name + "' is a word of the configuration itself");
    }
    // Shared: a codec holds the whole schema of what is below it, and schemas are copied as they are built up.
    const auto codec = std::make_shared<const Codec<Member>>(make_codec<Member>(std::move(options)...));
    FieldInfo about;
    about.name = std::move(name);
    about.meaning = std::move(meaning);
    about.required = required;
    codec->describe(about);
    if (!required) about.default_text = codec->show_default(T{}.*member);
    info_->fields.push_back(std::move(about));
    fields_.push_back({info_->fields.size() - 1,
                       [codec, member](const Value& value, const std::string& path, T& out, Reader& reader) {
                         codec->read(value, path, out.*member, reader);
                       },
                       [codec, member](const T& spec, const Value* value) {
                         return codec->effective(spec.*member, value);
                       }});
    return *this;
  }

  std::shared_ptr<SchemaInfo> info_;
  std::vector<Field> fields_;
  std::vector<Check> checks_;
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
