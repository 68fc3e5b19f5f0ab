// SPDX-License-Identifier: Apache-2.0
// --gpu and --set: the machine that the user requests.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "config/load.hpp"
#include "config/request_fault.hpp"
#include "files/library.hpp"
#include "machine/checks/activity.hpp"
#include "machine/spec.hpp"
#include "options.hpp"
#include "report/data.hpp"

namespace strata::cli {

struct Gpu {
  std::string name;  ///< as given
  config::Loaded<machine::MachineSpec> loaded;
  bool own_file = false;  ///< of the user's, not one of the installed names
  const machine::MachineSpec& spec() const { return loaded.spec; }
};

/// Adds --gpu (required unless optional) and --set.
void describe_gpu(po::options_description& description);
/// "NAME with A=1, B=2"; the name alone where nothing is set.
std::string name_with(const std::string& name, const std::vector<std::string>& settings);
/// Of the note that an option had no effect.
struct Overriding {
  std::string_view option = "--set";
  std::vector<std::string> before{};  ///< overrides that come first and are not the option's
  bool more_follow = false;           ///< other options override as well, and may make a difference of this one
};
/// Throws InputError. Reports on stderr if the overrides had no effect on the model.
Gpu load_gpu(const tools::Library& library, const std::string& name, const std::vector<std::string>& overrides,
             const Overriding& overriding = {});
Gpu load_gpu(const tools::Library& library, const Options& options, const Overriding& overriding = {});

/// The result of measure(). A question that the machine refuses is reported as a fault of its
/// configuration or of the question, with the origins of settings: throws InputError. Every
/// other exception is a fault of this program and is not caught.
template <class Measure>
auto ask(const Gpu& gpu, const Measure& measure) {
  try {
    return measure();
  } catch (const InvalidRequest& error) {
    throw InputError(config::diagnostics(error, gpu.loaded.effective(), gpu.name));
  }
}

/// The values that --set and files decide, for a report, with why a question that makes
/// the machine do no more than that does not read some of them.
std::vector<report::Setting> settings(const Gpu& gpu, const machine::Activity& does);
/// Of these the ones that the user of this run gave.
std::vector<report::Setting> given_settings(const Gpu& gpu, const machine::Activity& does);
/// Those of the second after those of the first.
std::vector<report::Setting> together(std::vector<report::Setting> settings, const std::vector<report::Setting>& more);
/// Reports on stderr which given settings are not read, and why.
void print_notes(const std::vector<report::Setting>& settings);

/// "0x" and sixteen digits.
std::string hexadecimal(std::uint64_t fingerprint);

}  // namespace strata::cli
