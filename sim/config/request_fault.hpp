// SPDX-License-Identifier: Apache-2.0
// An InvalidRequest as diagnostics: each fault at the place where the likeliest of its settings
// was set, with the origins of the others.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "config/effective.hpp"

namespace strata::config {

/// name: the subject of a message where none of its settings was set.
std::vector<Diagnostic> diagnostics(const InvalidRequest& request, const Effective& effective, const std::string& name);

}  // namespace strata::config
