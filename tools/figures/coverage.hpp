// SPDX-License-Identifier: Apache-2.0
// Which statements of the documents have a row of validation/, by document.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "study/expectation/expectation.hpp"

namespace strata::figures {

/// The statements of a document are numbered from 1.
struct Document {
  std::string prefix;  ///< `B2` of B2-47
  std::string name;
  unsigned statements = 0;
  unsigned by_id = 0;        ///< of them, with rows of that id
  unsigned by_other_id = 0;  ///< with rows of another id, as validation/README.md lists them
  unsigned in_tests = 0;     ///< asserted by tests of the execution model alone
  unsigned without = 0;      ///< that the model does not read, with a reason in validation/README.md
};

/// As validation/documents.csv lists them. Throws InputError where that cannot be read.
std::vector<Document> coverage(const std::filesystem::path& root, const std::vector<study::Expectation>& expectations);

}  // namespace strata::figures
