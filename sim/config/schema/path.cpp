// SPDX-License-Identifier: Apache-2.0
#include "config/schema/path.hpp"

#include "base/text_distance.hpp"

namespace strata::config {

std::vector<Segment> split_path(std::string_view path) {
  std::vector<Segment> segments;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) return {};
    segments.push_back({std::string(path.substr(at, end - at)), at});
    at = end;
    while (at < path.size() && path[at] == '[') {
      const std::size_t close = path.find(']', at);
      if (close == std::string_view::npos || close == at + 1) return {};
      segments.push_back({std::string(path.substr(at + 1, close - at - 1)), at + 1});
      at = close + 1;
    }
    if (at == path.size()) return segments;
    if (path[at] != '.') return {};
    ++at;
  }
}

std::string nearest_path(const SchemaInfo& schema, std::string_view valid, std::string_view wrong,
                         const std::vector<std::string>& names) {
  const std::string near = nearest_name(wrong, names);
  if (!near.empty()) return valid.empty() ? near : std::string(valid) + '.' + near;
  // The name may be right and its place wrong: offer the first place that has it.
  for (const std::string& path : all_paths(schema)) {
    if (path == wrong || path.ends_with('.' + std::string(wrong))) return path;
  }
  return {};
}

}  // namespace strata::config
