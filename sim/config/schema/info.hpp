// SPDX-License-Identifier: Apache-2.0
// What a spec is, with the C++ types taken off: the one description from which
// errors, suggestions, `explain --path` and the reference page are made. Built
// by Schema<T>; nothing else writes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::config {

struct ChoiceInfo {
  std::string name;
  std::string meaning;
};

struct SchemaInfo;

struct FieldInfo {
  std::string name;
  std::string meaning;
  Shape shape = Shape::scalar;
  std::string kind;          ///< `size`, `count`, `text`, `choice`, `yes or no`, or the child spec's name
  std::string phrase;        ///< `a size`: for messages
  std::string units;         ///< `B, KiB, MiB or GiB`; empty: none
  std::string range;         ///< `1 KiB to 4 GiB`; empty: any
  std::string default_text;  ///< empty where there is none, as for maps and lists of maps
  std::vector<ChoiceInfo> choices;
  bool number = false;  ///< needs provenance
  bool required = false;
  bool may_be_none = false;                 ///< `none` leaves it out
  std::shared_ptr<const SchemaInfo> child;  ///< maps, and lists of maps
};

struct SchemaInfo {
  std::string name;
  std::string meaning;
  std::vector<FieldInfo> fields;

  const FieldInfo* find(std::string_view field) const;
  std::vector<std::string> names() const;
};

/// Every path of the spec in order: `l2.size`, `levels[].size`.
std::vector<std::string> all_paths(const SchemaInfo& schema);

}  // namespace strata::config
