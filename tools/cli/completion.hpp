// SPDX-License-Identifier: Apache-2.0
// Scripts that complete verbs, options and their values in a shell.
#pragma once
#include <string>

namespace strata::cli {

std::string bash_completion();
std::string zsh_completion();

}  // namespace strata::cli
