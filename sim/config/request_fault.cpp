// SPDX-License-Identifier: Apache-2.0
#include "config/request_fault.hpp"

#include <optional>

namespace strata::config {

namespace {

constexpr std::size_t most_shown = 4;

bool by_override(const Position& where) { return where.file_name().starts_with("--"); }

/// The origin of the path, or of the part of the tree that holds it.
std::optional<Position> setter(const Effective& effective, std::string path) {
  for (;;) {
    const Effective* node = find_path(effective, path);
    if (node != nullptr) return node->set_by;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    path.resize(dot);
  }
}

}  // namespace

std::vector<Diagnostic> diagnostics(const InvalidRequest& request, const Effective& effective,
                                    const std::string& name) {
  std::vector<Diagnostic> all;
  for (const RequestFault& fault : request.faults()) {
    std::string who;
    std::size_t shown = 0;
    // Overrides first: they are the change of the user.
    for (const bool override : {true, false})
      for (const std::string& path : fault.settings) {
        const std::optional<Position> where = setter(effective, path);
        if ((where && by_override(*where)) != override) continue;
        // The message states what a question needs; the origin is added only for an override.
        if (!where || (!override && (shown >= most_shown || fault.remedy.empty()))) continue;
        who += (who.empty() ? "" : ", ") + path + " set by " + where->text();
        ++shown;
      }
    Diagnostic diagnostic{name, 0, 0, fault.message, fault.remedy};
    if (!who.empty()) diagnostic.hint = fault.remedy.empty() ? who : who + "; " + fault.remedy;
    all.push_back(std::move(diagnostic));
  }
  return all;
}

}  // namespace strata::config
