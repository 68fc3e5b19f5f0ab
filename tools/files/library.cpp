// SPDX-License-Identifier: Apache-2.0
#include "files/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"
#include "files/files.hpp"

namespace strata::tools {

namespace fs = std::filesystem;

namespace {

// Shown as configs/vendors/b200.yaml wherever the library lies.
config::Source shown(const fs::path& root, const fs::path& relative) {
  return {read_file(root / relative, most_configuration), relative.generic_string()};
}

// A name, as against a path of some file.
bool is_name(const std::string& text) { return !text.empty() && !config::is_path(text); }

// A GPU, else a machine of the lessons.
std::optional<fs::path> configuration(const fs::path& root, const std::string& name) {
  std::error_code error;
  for (const char* folder : {"configs/vendors", "configs/lessons"}) {
    const fs::path relative = fs::path(folder) / (name + ".yaml");
    if (fs::exists(root / relative, error)) return relative;
  }
  return std::nullopt;
}
}  // namespace

Library Library::beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const char* relative : {"..", "../share/strata", "../.."}) {
    const fs::path root = (program.parent_path() / relative).lexically_normal();
    if (fs::is_directory(root / "configs/vendors", error)) return Library(root);
  }
  throw InputError(Diagnostic{program.string(), 0, 0, "finds no folder configs/vendors beside its own folder", {}});
}

std::vector<std::string> Library::names(const std::string& folder) const {
  std::vector<std::string> all;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_ / folder, error))
    if (entry.path().extension() == ".yaml") all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  return all;
}

bool Library::comes_along(const std::string& name) const {
  return is_name(name) && configuration(root_, name).has_value();
}

config::Source Library::gpu(const std::string& name_or_file) const {
  if (!is_name(name_or_file)) {
    std::string yaml = read_file(name_or_file, most_configuration);
    if (has_key(yaml, "body"))
      throw InputError(
          Diagnostic{name_or_file, 0, 0, "is a kernel, not a configuration of a GPU", "use --kernel " + name_or_file});
    return {std::move(yaml), name_or_file};
  }
  if (const auto relative = configuration(root_, name_or_file)) return shown(root_, *relative);
  throw InputError(Diagnostic{"--gpu", 0, 0,
                              fmt::format("no configuration '{}'; there are {}", name_or_file, fmt::join(gpus(), ", ")),
                              did_you_mean(nearest_name(name_or_file, gpus()))});
}

config::Library Library::configurations() const {
  const auto find = [root = root_](config::SourceKind kind, std::string_view name) -> std::optional<config::Source> {
    const bool base = kind == config::SourceKind::base;
    if (base && config::is_path(name)) {
      const fs::path path(name);
      std::error_code error;
      if (!fs::exists(path, error)) return std::nullopt;
      return config::Source{read_file(path, most_configuration), std::string(name)};
    }
    if (!is_name(std::string(name))) return std::nullopt;
    if (base) {
      const auto found = configuration(root, std::string(name));
      return found ? std::optional(shown(root, *found)) : std::nullopt;
    }
    const fs::path relative = fs::path("configs/parts") / (std::string(name) + ".yaml");
    std::error_code error;
    if (!fs::exists(root / relative, error)) return std::nullopt;
    return shown(root, relative);
  };
  const auto path_from = [](std::string_view file, std::string_view base) {
    std::string path = (fs::path(file).parent_path() / base).lexically_normal().generic_string();
    return config::is_path(path) ? path : "./" + path;  // no name
  };
  return {find, gpus(), names("configs/parts"), path_from};
}

std::vector<config::Source> Library::expectations() const {
  std::vector<config::Source> all;
  for (const std::string& name : names("validation/expectations"))
    all.push_back(shown(root_, fs::path("validation/expectations") / (name + ".yaml")));
  return all;
}

}  // namespace strata::tools
