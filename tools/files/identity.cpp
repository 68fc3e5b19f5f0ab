// SPDX-License-Identifier: Apache-2.0
#include "files/identity.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"

namespace strata::tools {

namespace fs = std::filesystem;

namespace {

// Device and inode of an existing file; otherwise the real path of the folder and the name.
struct Identity {
  std::optional<std::pair<dev_t, ino_t>> file;
  fs::path place;
  bool operator==(const Identity& other) const {
    if (file || other.file) return file == other.file;
    return place == other.place;
  }
};

// Whether the path is standard output under another name: the file, pipe or terminal to which it is
// connected. A device such as /dev/null accepts any number of outputs.
bool is_standard_output(const fs::path& path) {
  struct stat named{};
  struct stat output{};
  if (path.empty() || path == "-" || ::stat(path.c_str(), &named) != 0 || ::fstat(STDOUT_FILENO, &output) != 0)
    return false;
  if (named.st_dev != output.st_dev || named.st_ino != output.st_ino) return false;
  return !S_ISCHR(output.st_mode) || ::isatty(STDOUT_FILENO) != 0;
}

// Nothing for outputs that several writers may share: devices and pipes.
std::optional<Identity> identity(const fs::path& path) {
  if (path.empty() || path == "-") return std::nullopt;
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{std::pair(status.st_dev, status.st_ino), {}};
  }
  // A link may lead to a file that does not exist yet.
  fs::path target = path;
  std::error_code error;
  constexpr int most_links = 40;
  for (int i = 0; i < most_links && fs::is_symlink(target, error); ++i)
    target = target.parent_path() / fs::read_symlink(target, error);
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  const fs::path real = fs::canonical(folder, error);
  return Identity{std::nullopt, (error ? folder.lexically_normal() : real) / target.filename()};
}

struct Output {
  std::string option;
  std::string path;
  Identity identity;
};

// All of the process: a file that is opened deep within a library is an input too.
struct Declared {
  std::mutex mutex;
  std::vector<Output> outputs;
  std::vector<std::pair<dev_t, ino_t>> inputs;  // ascending
};
Declared& declared() {
  static Declared all;
  return all;
}

[[noreturn]] void refuse(const Output& output, const std::string& what) {
  throw InputError(
      Diagnostic{output.option, 0, 0, fmt::format("'{}' is {}; name another file", output.path, what), {}});
}

}  // namespace

bool same_file(const fs::path& one, const fs::path& other) {
  const auto a = identity(one);
  return a && a == identity(other);
}

void declare_input(const fs::path& path) {
  const auto read = identity(path);
  if (!read || !read->file) return;
  Declared& all = declared();
  const std::lock_guard lock(all.mutex);
  for (const Output& output : all.outputs)
    if (output.identity == *read) refuse(output, fmt::format("an input of this command, '{}'", path.string()));
  const auto at = std::lower_bound(all.inputs.begin(), all.inputs.end(), *read->file);
  if (at == all.inputs.end() || *at != *read->file) all.inputs.insert(at, *read->file);
}

void declare_output(const std::string& option, const std::string& path) {
  if (is_standard_output(path))
    throw InputError(Diagnostic{option, 0, 0, fmt::format("'{}' is the file of standard output", path),
                                "write - for it, or name another file"});
  const auto written = identity(path);
  if (!written) return;
  Declared& all = declared();
  const std::lock_guard lock(all.mutex);
  Output output{option, path, *written};
  for (const Output& other : all.outputs)
    if (other.identity == *written) refuse(output, fmt::format("the output of {}", other.option));
  if (written->file && std::binary_search(all.inputs.begin(), all.inputs.end(), *written->file))
    refuse(output, "an input of this command");
  all.outputs.push_back(std::move(output));
}

}  // namespace strata::tools
