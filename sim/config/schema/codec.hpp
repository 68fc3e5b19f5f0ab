// SPDX-License-Identifier: Apache-2.0
// How one member of a spec is read from a value, described, and shown again,
// chosen by its type. Internal to Schema<T>.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/effective.hpp"
#include "config/schema/reader.hpp"
#include "config/schema/scalar.hpp"

namespace strata::config {

template <class T>
class Schema;

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = typename Unwrapped<T>::type;
};
template <class T>
struct Unwrapped<std::vector<T>> {
  using type = typename Unwrapped<T>::type;
};
/// The type beneath optional<> and vector<>.
template <class T>
using leaf_t = typename Unwrapped<T>::type;

template <class T>
inline constexpr bool is_optional_v = false;
template <class T>
inline constexpr bool is_optional_v<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector_v = false;
template <class T>
inline constexpr bool is_vector_v<std::vector<T>> = true;

/// The rules of a struct: its own schema.
template <class T>
struct StructRules {
  std::optional<Schema<T>> schema;
  std::optional<Entries> entries;
};
/// A map that someone else reads, who knows what is in it: handed over as it was written.
template <class T>
inline constexpr bool is_raw_v = std::same_as<T, Value>;

template <class T>
using rules_t = std::conditional_t<ScalarType<T>, Rules<T>, StructRules<T>>;

template <class Leaf, class To>
void set_option(Rules<Leaf>& rules, Range<To> option) {
  rules.low = Leaf(option.low);
  rules.high = Leaf(option.high);
}
template <class Leaf, class To>
void set_option(Rules<Leaf>& rules, ZeroOr<To> option) {
  set_option(rules, option.range);
  rules.or_zero = true;
}
template <class Leaf, class To>
void set_option(Rules<Leaf>& rules, AtLeast<To> option) {
  rules.low = Leaf(option.low);
}
template <class Leaf>
void set_option(Rules<Leaf>& rules, PowerOfTwo) {
  rules.power_of_two = true;
}
template <class Leaf>
void set_option(Rules<Leaf>& rules, Choices<Leaf> option) {
  rules.choices = std::move(option.table);
}
inline void set_option(Rules<std::string>& rules, const OneOf& option) {
  for (const std::string& name : option.names) rules.choices.push_back({name, name});
}
template <class Leaf>
void set_option(Rules<Leaf>& rules, Entries option) {
  rules.entries = option;
}
template <class Leaf>
void set_option(StructRules<Leaf>& rules, Entries option) {
  rules.entries = option;
}
template <class Leaf>
void set_option(StructRules<Leaf>& rules, Schema<Leaf> option) {
  rules.schema = std::move(option);
}

/// A codec with the type of its member taken off: `member` points to one of that type.
class AnyCodec {
 public:
  virtual ~AnyCodec() = default;
  virtual void read(const Value& value, const std::string& path, void* member, Reader& reader) const = 0;
  virtual Effective effective(const void* member, const Value* value) const = 0;
  virtual void describe(FieldInfo& about) const = 0;
  virtual std::string show_default(const void* member) const = 0;
};

template <class Member>
class Codec final : public AnyCodec {
 public:
  using Leaf = leaf_t<Member>;
  explicit Codec(rules_t<Leaf> rules) : rules_(std::move(rules)) {}

  void read(const Value& value, const std::string& path, void* member, Reader& reader) const override {
    read_as(value, path, *static_cast<Member*>(member), reader);
  }
  Effective effective(const void* member, const Value* value) const override {
    return show_as(*static_cast<const Member*>(member), value);
  }

  void describe(FieldInfo& about) const override {
    if constexpr (is_optional_v<Member>) about.may_be_none = true;
    constexpr bool list = is_list<Member>();
    if constexpr (ScalarType<Leaf>) {
      describe_scalar(rules_, about);
      if (list) {
        about.phrase = "a list of " + about.kind;
        about.kind = "list of " + about.kind;
      }
    } else if constexpr (is_raw_v<Leaf>) {
      about.kind = list ? "list of maps" : "map";
      about.phrase = list ? "a list" : "a map";
    } else {
      about.child = rules_.schema->info();
      about.kind = (list ? "list of " : "") + about.child->name;
      about.phrase = list ? "a list" : "a map";
    }
    about.shape = list ? Shape::list : (ScalarType<Leaf> ? Shape::scalar : Shape::map);
    if (list && rules_.entries) {
      about.range += (about.range.empty() ? "" : ", each; ") + std::to_string(rules_.entries->least) + " to " +
                     std::to_string(rules_.entries->most) + " entries";
    }
  }

  std::string show_default(const void* member) const override {
    const Effective shown = effective(member, nullptr);
    if (shown.absent) return "none";
    if (shown.shape == Shape::scalar) return shown.text;
    if constexpr (ScalarType<Leaf>) {
      std::string out;
      for (const Effective& child : shown.children) out += (out.empty() ? "" : ", ") + child.text;
      return '[' + out + ']';
    }
    return {};
  }

 private:
  template <class M>
  static constexpr bool is_list() {
    if constexpr (is_optional_v<M>)
      return is_vector_v<typename M::value_type>;
    else
      return is_vector_v<M>;
  }

  template <class M>
  void read_as(const Value& value, const std::string& path, M& out, Reader& reader) const {
    if constexpr (is_optional_v<M>) {
      if (value.shape == Shape::scalar && value.text == "none") {
        out.reset();
        return;
      }
      auto inner = out ? std::move(*out) : typename M::value_type{};
      read_as(value, path, inner, reader);
      out = std::move(inner);
    } else if constexpr (is_vector_v<M>) {
      read_list(value, path, out, reader);
    } else if constexpr (is_raw_v<M>) {
      if (reader.expects(value, Shape::map, path, "")) out = value;
    } else if constexpr (ScalarType<M>) {
      if (!reader.expects(value, Shape::scalar, path, "")) return;
      Misfit misfit = read_scalar(value.text, value.quoted, rules_, out);
      if (!misfit.error.empty()) reader.error(value.where, "'" + path + "' " + misfit.error, std::move(misfit.hint));
    } else {
      rules_.schema->read(value, path, out, reader);
    }
  }

  template <class M>
  void read_list(const Value& value, const std::string& path, M& out, Reader& reader) const {
    if (!reader.expects(value, Shape::list, path, "")) return;
    reader.refuse_same_names(value, path);
    if (rules_.entries && (value.items.size() < rules_.entries->least || value.items.size() > rules_.entries->most)) {
      reader.wrong_length(value, path, rules_.entries->least, rules_.entries->most);
    }
    out.clear();
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      typename M::value_type item{};
      read_as(value.items[i], path + '[' + std::to_string(i) + ']', item, reader);
      out.push_back(std::move(item));
    }
  }

  template <class M>
  Effective show_as(const M& member, const Value* value) const {
    if constexpr (is_optional_v<M>) {
      if (member) return show_as(*member, value);
      Effective node;
      node.absent = true;
      node.bound = "none";
      if (value != nullptr) node.set_by = value->where;
      return node;
    } else if constexpr (is_vector_v<M>) {
      Effective node;
      node.shape = Shape::list;
      const bool given = value != nullptr && value->items.size() == member.size();
      if (value != nullptr) node.set_by = value->where;
      for (std::size_t i = 0; i < member.size(); ++i) {
        node.children.push_back(show_as(member[i], given ? &value->items[i] : nullptr));
      }
      return node;
    } else if constexpr (ScalarType<M>) {
      Effective node;
      node.bound = show_scalar(member, rules_);
      node.text = value != nullptr ? value->text : node.bound;
      node.number = NumberType<M>;
      if (value != nullptr) {
        node.set_by = value->where;
        node.provenance = value->provenance;
      }
      return node;
    } else if constexpr (is_raw_v<M>) {
      Effective node;
      node.shape = Shape::map;
      if (value != nullptr) node.set_by = value->where;
      return node;
    } else {
      return rules_.schema->effective(member, value);
    }
  }

  rules_t<Leaf> rules_;
};

/// The rules of a member, gathered from the field's options.
template <class Member, class... Options>
rules_t<leaf_t<Member>> rules_of(Options... options) {  // NOLINT(performance-unnecessary-value-param): moved from
  using Leaf = leaf_t<Member>;
  rules_t<Leaf> rules;
  (set_option(rules, std::move(options)), ...);
  if constexpr (std::is_enum_v<Leaf>) {
    if (rules.choices.empty()) throw std::logic_error("an enumeration needs choices()");
  }
  if constexpr (!ScalarType<Leaf>) {
    if constexpr (requires { Leaf::schema(); }) {
      if (!rules.schema) rules.schema.emplace(Leaf::schema());
    }
  }
  return rules;
}

/// Of numbers, texts and bools, alone, in optional<> or in vector<>: compiled once, in codec.cpp, which lists
/// the types.
template <class Member>
std::shared_ptr<const AnyCodec> common_codec(rules_t<leaf_t<Member>> rules);

template <class Member>
std::shared_ptr<const AnyCodec> make_codec(rules_t<leaf_t<Member>> rules) {
  if constexpr (ScalarType<leaf_t<Member>> && !std::is_enum_v<leaf_t<Member>>)
    return common_codec<Member>(std::move(rules));
  else
    return std::make_shared<const Codec<Member>>(std::move(rules));
}

}  // namespace strata::config
