// SPDX-License-Identifier: Apache-2.0
// Tables of fixed results. Every build, of any compiler and optimisation, must give
// the same fingerprints and figures to the last bit. After an intended change of the
// model or of a configuration the tables are written again with
//   STRATA_UPDATE_GOLDEN=1 build/tests/test_golden
// and their difference is read before it is committed.
#pragma once
#include <string>
#include <vector>

namespace strata::golden {

/// Compares the rows with those of the file in tests/golden, or writes it if an update is
/// requested.
void compare(const std::string& file, const std::string& columns, const std::vector<std::string>& rows);

}  // namespace strata::golden
