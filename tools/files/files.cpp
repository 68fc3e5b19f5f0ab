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

namespace strata::tools {

namespace fs = std::filesystem;

namespace {
[[noreturn]] void refuse(const std::string& path, std::string message) {
  throw InputError(Diagnostic{path, 0, 0, std::move(message), {}});
}
fs::path folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}
}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse(path.string(), "no such file");
  if (fs::is_directory(status)) refuse(path.string(), "is a directory, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
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
  std::error_code error;
  if (fs::is_directory(path, error)) refuse(path, "is a directory; name a file to write");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, error)) refuse(path, fmt::format("there is no folder {}", folder.string()));
  if (::access(folder.c_str(), W_OK) != 0) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      refuse("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
    return;
  }
  check_writable(path);
  const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      const int why = errno;
      std::error_code ignored;
      fs::remove(temporary, ignored);
      refuse(path, fmt::format("cannot be written: {}", std::strerror(why)));
    }
  }
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    refuse(path, fmt::format("cannot be written: {}", error.message()));
  }
}

}  // namespace strata::tools
