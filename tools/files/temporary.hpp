// SPDX-License-Identifier: Apache-2.0
// The file beside an output that is written first and renamed when whole. Its
// name carries the process; it is removed where it was not kept, by a signal as
// well, and one that a dead process left is removed by the next run that writes
// the same output.
#pragma once
#include <filesystem>
#include <system_error>

namespace strata::tools {

class Temporary {
 public:
  /// Of that output; a name alone, nothing is opened.
  explicit Temporary(std::filesystem::path target);
  /// Removes it unless kept.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Renames it to the output.
  std::error_code keep();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  int slot_ = -1;  ///< of the list that remove_temporaries() reads
};

/// Those of this process; for signal handlers.
void remove_temporaries() noexcept;

}  // namespace strata::tools
