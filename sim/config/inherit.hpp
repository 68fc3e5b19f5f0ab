// SPDX-License-Identifier: Apache-2.0
// Files that build on files. `base: NAME`, at the root of a file, takes another
// configuration as the ground on which this one is laid; `base: FOLDER/FILE.yaml` a
// file, whose path counts from the folder of the file that names it. `use: PART` or
// `use: [PART, PART]`, in any map, lays reusable parts there before the map's own
// keys. Maps merge key by key; scalars and lists replace; a map laid on a list
// changes single entries of it, named by their `name` or index. Every value keeps
// the place of the file that set it. Texts are fetched through a callback: this
// library opens no file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::config {

struct Source {
  std::string text;
  std::string file;  ///< the name shown; two sources of one name are the same source
};

enum class SourceKind : std::uint8_t { base, part };

/// Whether a base is the path of a file and no name: it has a folder or the ending of a YAML file.
bool is_path(std::string_view base);

struct Library {
  /// The text of a named base or part, or of a base by its path; nothing where there is none. May throw InputError.
  std::function<std::optional<Source>(SourceKind, std::string_view name)> find;
  std::vector<std::string> bases;  ///< the names there are, for suggestions
  std::vector<std::string> parts;
  /// The path of a base, from the folder of the file that names it, as `find` takes it. None: bases are names alone.
  std::function<std::string(std::string_view file, std::string_view base)> path_from{};
};

/// Rewrites the tree of a file that is laid on its base; what is wrong goes to `diagnostics`.
using Expand = std::function<void(Value& tree, std::vector<Diagnostic>& diagnostics)>;

/// Parses `source` and everything it builds on into one tree without `base:` and
/// `use:`. expand: for the source and each base, once what that one builds on is expanded.
/// Throws InputError: what parse() refuses, missing names, cycles, what `expand` reports.
Value load_tree(const Source& source, const Library& library, const Expand& expand = {});

}  // namespace strata::config
