// SPDX-License-Identifier: Apache-2.0
// Trace files on disk: random access for reading, writing to a temporary file that is renamed
// when complete, and text that may be compressed (gzip, xz, zstd, recognised by its first
// bytes) and is unpacked as it is read.
#pragma once
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "files/temporary.hpp"
#include "formats/bytes.hpp"
#include "formats/import/import.hpp"

namespace strata::tools {

/// Throws InputError: not there, a directory, unreadable.
std::shared_ptr<formats::ByteSource> open_bytes(const std::filesystem::path& path);
/// `-` is standard input. Throws InputError.
std::unique_ptr<formats::TextSource> open_text(const std::filesystem::path& path);
/// The first bytes of the file, unpacked; fewer if it is shorter.
std::string beginning_of(const std::filesystem::path& path, std::size_t bytes);

/// A file that is there once keep() was called, and else as it was before.
class NewFile final : public formats::ByteSink {
 public:
  /// `-`: standard output. Throws InputError if it cannot be written.
  explicit NewFile(const std::string& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void write(std::span<const unsigned char> bytes) override;
  void keep();
  std::uint64_t bytes() const { return bytes_; }

 private:
  [[noreturn]] void refuse() const;
  std::string path_;
  std::filesystem::path target_;
  std::optional<Temporary> temporary_;  ///< none: written in place
  std::ofstream out_;
  std::uint64_t bytes_ = 0;
};

/// Bytes stored in an unnamed file in the folder for temporaries.
std::unique_ptr<formats::SpillFile> spill_file();

}  // namespace strata::tools
