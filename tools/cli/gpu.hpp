// SPDX-License-Identifier: Apache-2.0
// --gpu and --set: a machine as the user asks for it.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "config/load.hpp"
#include "config/request_fault.hpp"
#include "files/library.hpp"
#include "machine/spec.hpp"
#include "options.hpp"
#include "report/data.hpp"

namespace strata::cli {

struct Gpu {
  std::string name;  ///< as given
  config::Loaded<machine::MachineSpec> loaded;
  const machine::MachineSpec& spec() const { return loaded.spec; }
};

/// Adds --gpu (required unless optional) and --set.
void describe_gpu(po::options_description& description);
/// Throws InputError. Says on stderr when a --set changed nothing that the model reads.
Gpu load_gpu(const tools::Library& library, const std::string& name,
             const std::vector<std::string>& overrides);
Gpu load_gpu(const tools::Library& library, const Options& options);

/// What measure() answers. What the machine cannot be asked is told as a fault
/// of its configuration or of the question, with who set what: throws InputError.
/// Every other exception is a fault of this program and passes.
template <class Measure>
auto ask(const Gpu& gpu, const Measure& measure) {
  try {
    return measure();
  } catch (const InvalidRequest& error) {
    throw InputError(config::diagnostics(error, gpu.loaded.effective(), gpu.name));
  }
}

/// The values that --set and the file's own lines decide, for a report.
std::vector<report::Setting> settings(const Gpu& gpu);

/// "0x" and sixteen digits.
std::string hexadecimal(std::uint64_t fingerprint);

}  // namespace strata::cli
