// SPDX-License-Identifier: Apache-2.0
// The reference page of a schema, as Markdown: one table a spec, in the order in
// which the specs are first met. Written from the descriptions alone, so it
// cannot fall behind the code.
#pragma once

#include <string>

#include "config/schema/info.hpp"

namespace strata::config {

/// The range of a setting, or its choices.
std::string range_text(const FieldInfo& field);
std::string reference_page(const SchemaInfo& schema);

}  // namespace strata::config
