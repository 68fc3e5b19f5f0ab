// SPDX-License-Identifier: Apache-2.0
// Manual pages in troff's man macros.
#pragma once
#include <string>

#include "verbs.hpp"

namespace strata::cli {

/// strata(1).
std::string program_page();
/// strata-VERB(1).
std::string verb_page(const Verb& verb);

}  // namespace strata::cli
