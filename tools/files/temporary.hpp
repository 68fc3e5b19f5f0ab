// SPDX-License-Identifier: Apache-2.0
// The temporary file of an output, which is renamed when complete. Its name contains the
// process; it is removed if it was not kept, also by a signal, and the file of a dead process
// is removed by the next run that writes the same output.
#pragma once
#include <filesystem>
#include <system_error>

namespace strata::tools {

/// The folder of a file, `.` where its path names none.
std::filesystem::path folder_of(const std::filesystem::path& path);

class Temporary {
 public:
  /// Of that output; only a name, no file is opened.
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
