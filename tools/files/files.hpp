// SPDX-License-Identifier: Apache-2.0
// The only place that opens files. Reading is bounded and reports errors of a path; output is
// written to a temporary file in the folder of the target, which is renamed when complete, so a
// failure or an interrupt leaves the old file unchanged. Links stay links; devices and pipes
// are written directly.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace strata::tools {

/// Bytes of a YAML file.
inline constexpr std::uintmax_t most_configuration = 4U << 20U;

/// Whether a YAML text has that key at its top level, which determines the kind of the file.
bool has_key(const std::string& yaml, const std::string& key);
/// The whole file. Throws InputError: not there, a directory, unreadable, or
/// larger than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t most = 64U << 20U);

/// Writes the file whole; `-` is standard output. Throws InputError.
void write_file(const std::string& path, std::string_view text);

/// Throws InputError unless write_file(path) is likely to succeed, so that a
/// long run does not end without a result.
void check_writable(const std::string& path);

}  // namespace strata::tools
