// SPDX-License-Identifier: Apache-2.0
// The options of a verb as rows, for manual pages and shell completion. They are read from the
// descriptions that parse the command line.
#pragma once
#include <string>
#include <vector>

#include "verbs.hpp"

namespace strata::cli {

struct OptionRow {
  std::string name;      ///< without dashes
  char letter = 0;       ///< its short form; 0: none
  std::string value;     ///< placeholder of its value; empty: it takes none
  std::string standard;  ///< default value; empty: none
  std::string implied;   ///< the value if it is given without one; empty: it needs a value
  std::string meaning;
  bool repeatable = false;
  bool positional = false;  ///< words without an option are its values

  bool operator==(const OptionRow&) const = default;
  /// The values it takes, where the placeholder lists them: cold|warm.
  std::vector<std::string> choices() const;
};

std::vector<OptionRow> option_rows(const Options& options);

struct OptionGroup {
  std::string question;  ///< empty: of every question
  std::vector<OptionRow> rows;
};

/// The options of a verb: those of every question first, then those of each question.
std::vector<OptionGroup> option_groups(const Verb& verb);

}  // namespace strata::cli
