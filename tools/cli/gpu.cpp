// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "machine/checks/cache_shortages.hpp"
#include "machine/checks/unread.hpp"
#include "machine/layout/derived.hpp"

namespace strata::cli {

namespace {

std::string set_by(const config::Position& where) {
  return where.line > 0 ? fmt::format("{}:{}", *where.file, where.line) : *where.file;
}

void collect(const config::Effective& node, const std::string& path, std::vector<report::Setting>& out) {
  if (node.shape == config::Shape::scalar) {
    if (!node.set_by) return;
    report::Setting setting{path, node.absent ? "none" : node.text, set_by(*node.set_by),
                            *node.set_by->file == "--set"};
    setting.bound = node.bound;
    setting.caveat = machine::rounding(node.provenance).value_or("");
    out.push_back(std::move(setting));
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

std::string name_with(const std::string& name, const std::vector<std::string>& settings) {
  return settings.empty() ? name : fmt::format("{} with {}", name, fmt::join(settings, ", "));
}

Gpu load_gpu(const tools::Library& library, const std::string& name, const std::vector<std::string>& overrides,
             const Overriding& overriding) {
  const config::Source source = library.gpu(name);
  std::vector<std::string> all = overriding.before;
  all.insert(all.end(), overrides.begin(), overrides.end());
  Gpu gpu{name, config::load<machine::MachineSpec>(source, library.configurations(), all), !library.comes_along(name)};
  if (!overrides.empty()) {
    const auto plain = config::load<machine::MachineSpec>(source, library.configurations(), overriding.before);
    if (config::differing_paths(plain.effective(), gpu.loaded.effective()).empty())
      fmt::print(stderr, "note: {} has no effect{}: {} has these values already\n", overriding.option,
                 overriding.more_follow ? " by itself" : "", printable(name_with(name, overriding.before)));
    for (const std::string& note : machine::large_totals(gpu.spec(), plain.spec))
      fmt::print(stderr, "note: {}\n", printable(note));
  }
  if (const std::string note = machine::narrow_group_ports(gpu.spec()); !note.empty())
    fmt::print(stderr, "note: {}\n", printable(note));
  return gpu;
}

Gpu load_gpu(const tools::Library& library, const Options& options, const Overriding& overriding) {
  if (!options.has("gpu"))
    throw InputError(
        Diagnostic{"--gpu", 0, 0, fmt::format("give the GPU; there are {}", fmt::join(library.gpus(), ", ")), {}});
  return load_gpu(library, options.get<std::string>("gpu"), options.texts("set"), overriding);
}

namespace {

// A data rate in a user's file, over timings in clocks that it takes from another: they are in clocks of the new rate.
void note_data_rate(std::vector<report::Setting>& settings, const std::string& own) {
  const std::string timing = "memory.channel.timing.";
  report::Setting* rate = nullptr;
  const report::Setting* inherited = nullptr;
  for (report::Setting& setting : settings) {
    if (setting.path == timing + "data_rate" && setting.set_by.starts_with(own)) rate = &setting;
    if (setting.path == timing + "t_rcd_read" && !setting.set_by.starts_with(own) &&
        setting.set_by.find(':') != std::string::npos)
      inherited = &setting;
  }
  if (rate == nullptr || inherited == nullptr) return;
  rate->given = true;
  rate->caveat = fmt::format(
      "the timings in clocks of {} are in clocks of this rate; give them as well, or set the rate by --set, "
      "which keeps their nanoseconds",
      inherited->set_by.substr(0, inherited->set_by.find(':')));
}

}  // namespace

std::vector<report::Setting> settings(const Gpu& gpu, const machine::Activity& does) {
  std::vector<report::Setting> all;
  collect(gpu.loaded.effective(), "", all);
  const std::string own = gpu.own_file ? gpu.name + ':' : std::string();
  if (!own.empty()) note_data_rate(all, own);
  for (report::Setting& setting : all) {
    setting.unread = machine::why_unread(gpu.spec(), does, setting.path).value_or("");
    if (const auto caveat = machine::caveat(gpu.spec(), setting.path)) setting.caveat = *caveat;
    // A user's file describes a machine for many questions: a setting that only this question
    // does not read is not an error.
    if (!own.empty() && setting.set_by.starts_with(own) && machine::why_unread(gpu.spec(), {}, setting.path))
      setting.given = true;
  }
  return all;
}

std::vector<report::Setting> given_settings(const Gpu& gpu, const machine::Activity& does) {
  std::vector<report::Setting> given = settings(gpu, does);
  std::erase_if(given, [](const report::Setting& setting) { return !setting.given; });
  return given;
}

std::vector<report::Setting> together(std::vector<report::Setting> settings, const std::vector<report::Setting>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

void print_notes(const std::vector<report::Setting>& settings) {
  // A file with every setting has many that no question reads.
  constexpr std::size_t most = 8;
  const std::vector<std::string> notes = report::notes_on(settings);
  const std::size_t shown = notes.size() > most + 1 ? most : notes.size();
  for (std::size_t i = 0; i < shown; ++i) fmt::print(stderr, "note: {}\n", printable(notes[i]));
  if (shown < notes.size())
    fmt::print(stderr, "note: {} more settings are not read; --json lists all of them\n", notes.size() - shown);
}

std::string hexadecimal(std::uint64_t fingerprint) { return fmt::format("0x{:016x}", fingerprint); }

}  // namespace strata::cli
