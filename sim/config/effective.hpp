// SPDX-License-Identifier: Apache-2.0
// The effective configuration: every value, given or default, with its origin and provenance.
// It is generated from the bound spec, so it has exactly the values that the model reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema/info.hpp"
#include "config/value/value.hpp"

namespace strata::config {

struct Effective {
  std::string key;  ///< empty for the root and for entries of lists
  Shape shape = Shape::scalar;
  std::string text;     ///< scalars: as typed where set, else as the default prints
  std::string bound;    ///< scalars: the bound value in one fixed notation
  bool absent = false;  ///< an optional that is not there
  bool number = false;
  std::optional<Position> set_by;  ///< unset: the default
  Provenance provenance;
  std::vector<Effective> children;

  const Effective* find(std::string_view child) const;
};

/// The value at PATH (`l2.size`, `levels[1].size`, `levels.L2.size`); null where there is none.
const Effective* find_path(const Effective& root, std::string_view path);

/// YAML that binds to the same spec, each value followed by its origin.
/// `title` goes into the first comment line.
std::string write_effective(const Effective& root, std::string_view title);

struct Unsourced {
  std::string path;
  std::optional<Position> set_by;
};

/// The numbers that do not say where they come from, in order. Defaults count
/// only if asked for: they are the code's, not a configuration's.
std::vector<Unsourced> numbers_without_provenance(const Effective& root, bool with_defaults = false);

/// The paths at which two configurations of one schema differ in what the model
/// reads. Empty: a what-if that changes nothing.
std::vector<std::string> differing_paths(const Effective& a, const Effective& b);

}  // namespace strata::config
