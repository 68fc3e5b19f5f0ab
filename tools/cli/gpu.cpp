// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/diagnostic.hpp"
#include "machine/derived.hpp"

namespace strata::cli {

namespace {

std::string set_by(const config::Position& where) {
  return where.line > 0 ? fmt::format("{}:{}", *where.file, where.line) : *where.file;
}

void collect(const config::Effective& node, const std::string& path, std::vector<report::Setting>& out) {
  if (node.shape == config::Shape::scalar) {
    if (node.set_by) out.push_back({path, node.text, set_by(*node.set_by)});
    return;
  }
  std::size_t index = 0;
  for (const config::Effective& child : node.children) {
    const std::string step = child.key.empty() ? fmt::format("[{}]", index) : (path.empty() ? "" : ".") + child.key;
    collect(child, path + step, out);
    ++index;
  }
}

}  // namespace

void describe_gpu(po::options_description& description) {
  description.add_options()("gpu", po::value<std::string>()->value_name("G"),
                            "a name of `strata list gpus`, or a YAML file")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUE"),
      "overrides a setting, for example l2.slices_per_die=64; may be given again");
}

Gpu load_gpu(const tools::Library& library, const std::string& name,
             const std::vector<std::string>& overrides) {
  const config::Source source = library.gpu(name);
  Gpu gpu{name, config::load<machine::MachineSpec>(source, library.configurations(), overrides)};
  if (!overrides.empty()) {
    const auto plain = config::load<machine::MachineSpec>(source, library.configurations(), {});
    if (config::differing_paths(plain.effective(), gpu.loaded.effective()).empty())
      fmt::print(stderr, "note: --set changes nothing: {} has these values already\n", name);
    for (const std::string& note : machine::large_totals(gpu.spec(), plain.spec)) fmt::print(stderr, "note: {}\n", note);
  }
  return gpu;
}

Gpu load_gpu(const tools::Library& library, const Options& options) {
  if (!options.has("gpu"))
    throw InputError(Diagnostic{"--gpu", 0, 0, fmt::format("say which GPU; there are {}", fmt::join(library.gpus(), ", ")), {}});
  return load_gpu(library, options.get<std::string>("gpu"), options.texts("set"));
}

std::vector<report::Setting> settings(const Gpu& gpu) {
  std::vector<report::Setting> all;
  collect(gpu.loaded.effective(), "", all);
  return all;
}

std::string hexadecimal(std::uint64_t fingerprint) { return fmt::format("0x{:016x}", fingerprint); }

}  // namespace strata::cli
