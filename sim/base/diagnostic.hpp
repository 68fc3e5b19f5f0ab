// SPDX-License-Identifier: Apache-2.0
// An error in an input, with all that is needed to correct it: where, what,
// and the nearest valid input. Readers collect every
// diagnostic of an input and throw them together as one InputError, so that a
// user corrects a file once rather than error by error. The tools print them and
// exit with 2.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

struct Diagnostic {
  std::string file;        ///< name shown to the user; may be `--set` or `-`
  std::size_t line = 0;    ///< from 1; 0: the input as a whole
  std::size_t column = 0;  ///< from 1, in characters; 0: the line as a whole
  std::string message;
  std::string hint;  ///< what to do instead, for example from did_you_mean()

  /// `file:line:column: message (hint)` on one line; parts that are unknown are
  /// left out, control characters escaped, very long texts cut.
  std::string text() const;
  bool operator==(const Diagnostic&) const = default;
};

/// The hint `did you mean 'name'?`; empty where there is no name to offer.
std::string did_you_mean(std::string_view name);

/// Thrown once per input, carrying all that is wrong with it.
/// what() is every diagnostic's text, one a line, in the order found.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(Diagnostic diagnostic);
  const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Throws an InputError if the list is not empty.
void throw_if_any(std::vector<Diagnostic> diagnostics);

}  // namespace strata
