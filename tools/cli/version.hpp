// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace strata::cli {
inline constexpr const char* version = STRATA_VERSION;
}  // namespace strata::cli
