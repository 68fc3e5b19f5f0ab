// SPDX-License-Identifier: Apache-2.0
#include "files/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/diagnostic.hpp"
#include "files/identity.hpp"
#include "files/temporary.hpp"

namespace strata::tools {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, std::string message) {
  throw InputError(Diagnostic{path.empty() ? "''" : path, 0, 0, std::move(message), {}});
}

// The target of a path. A link is followed, so that its target is written and the link stays; a
// device or a pipe must not be replaced by a file.
struct Target {
  explicit Target(const std::string& name) : path(name) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    exists = fs::exists(status);
    replaceable = !exists || fs::is_regular_file(status);
    if (exists && replaceable) {
      const fs::path real = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
      if (!error) path = real;
    }
  }
  fs::path path;
  bool exists = false;
  bool replaceable = true;
};

// 0, or the errno of the error.
int write_to(const fs::path& path, std::string_view text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return 0;
  return errno != 0 ? errno : EIO;
}

}  // namespace

bool has_key(const std::string& yaml, const std::string& key) {
  return ("\n" + yaml).find("\n" + key + ":") != std::string::npos;
}

std::string read_file(const fs::path& path, std::uintmax_t most) {
  if (path.empty()) refuse("", "an empty name; name a file to read");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse(path.string(), "no such file");
  if (fs::is_directory(status)) refuse(path.string(), "is a directory, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  declare_input(path);
  std::string text;
  std::string chunk(std::size_t{1} << 16U, '\0');
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) refuse(path.string(), fmt::format("is larger than {} bytes", most));
  }
  if (in.bad()) refuse(path.string(), "cannot be read to its end");
  return text;
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  if (path.empty()) refuse(path, "an empty name; name a file to write");
  std::error_code error;
  if (fs::is_directory(path, error)) refuse(path, "is a directory; name a file to write");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, error)) refuse(path, fmt::format("there is no folder {}", folder.string()));
  const Target target(path);
  if ((target.exists && ::access(target.path.c_str(), W_OK) != 0) ||
      (target.replaceable && ::access(folder_of(target.path).c_str(), W_OK) != 0))
    refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      refuse("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
    return;
  }
  check_writable(path);
  const Target target(path);
  if (!target.replaceable) {
    if (const int why = write_to(target.path, text))
      refuse(path, fmt::format("cannot be written: {}", std::strerror(why)));
    return;
  }
  Temporary temporary(target.path);
  if (const int why = write_to(temporary.path(), text))
    refuse(path, fmt::format("cannot be written: {}", std::strerror(why)));
  if (const std::error_code error = temporary.keep())
    refuse(path, fmt::format("cannot be written: {}", error.message()));
}

}  // namespace strata::tools
