// SPDX-License-Identifier: Apache-2.0
// Which files a command reads and which it writes, distinguished by what they are:
// `a.j`, `./a.j`, a link to it and a hard link are one file. Code that opens a file to read
// declares it here, and every verb declares its outputs before it runs, so no verb can
// overwrite an input or another output.
#pragma once
#include <filesystem>
#include <string>

namespace strata::tools {

/// Throws InputError where the file was declared as an output. Of no effect for
/// `-`, devices and pipes. Any thread may call it.
void declare_input(const std::filesystem::path& path);

/// option: "--json", or the verb if an argument names the output. Throws InputError if another
/// option's output is the same file, if it was read, or if it is standard output.
void declare_output(const std::string& option, const std::string& path);

/// Whether the two are one file; where neither is there yet, would be.
bool same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace strata::tools
