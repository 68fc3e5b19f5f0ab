// SPDX-License-Identifier: Apache-2.0
// strata check: a configuration is read and its machine built, or a trace is read
// to its last instruction, or the instructions of a kernel are generated; no simulation is run.
#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "files/files.hpp"
#include "files/workload.hpp"
#include "formats/native/reader.hpp"
#include "gpu.hpp"
#include "import_notes.hpp"
#include "listing.hpp"
#include "machine/machine.hpp"

namespace strata::cli {

namespace {
// A file or folder that is there and is no YAML.
bool is_trace(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error) && file.extension() != ".yaml" && file.extension() != ".yml";
}
// A folder holds a trace of Accel-Sim, which its list of kernels opens.
void refuse_other_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error) && !std::filesystem::exists(folder / "kernelslist.g", error))
    throw InputError(Diagnostic{folder.string(), 0, 0, "is a folder without kernelslist.g, so not a trace of Accel-Sim",
                                "name a configuration or a kernel file (YAML), a name of `strata list gpus`, a trace "
                                "file, or the folder of a trace with its kernelslist.g"});
}
// A user-defined kernel: a YAML file with a body.
bool is_kernel(const std::string& text) {
  const std::string file = tools::kernel_file_of(text);
  std::error_code error;
  return !file.empty() && std::filesystem::exists(file, error) &&
         (file != text || tools::has_key(tools::read_file(file, tools::most_configuration), "body"));
}

// Executes it without a machine, so that indices outside their arrays are reported.
std::string check_kernel(const std::string& text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 22U;
  const std::uint64_t instructions = tools::generate(*tools::open_kernel(text, {}), most);
  if (instructions >= most) return fmt::format("kernel, valid in its first {} warp instructions", instructions);
  return fmt::format("kernel of {} warp instructions, all valid", instructions);
}
}  // namespace

Options check_options(const Arguments&) {
  Options options("check FILE[,param=value]... [--set PATH=VALUE]",
                  "Reads configurations with their bases and parts, and builds their machines.\n"
                  "FILE is a configuration, a name of `strata list gpus`, a trace of any form, which is\n"
                  "read to its last instruction, or a kernel file with or without values of its\n"
                  "parameters, whose first 4194304 warp instructions are generated.",
                  "strata check my-gpu.yaml");
  options.description().add_options()("file", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                                      "a configuration, a trace or a kernel file; may be given again")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUE"), "overrides a setting");
  Outputs::describe(options.description(), false);
  options.positional("file", -1);
  return options;
}

int check(const Options& options) {
  if (!options.has("file")) throw InputError(Diagnostic{"check", 0, 0, "expected a file to check", {}});
  const Outputs outputs(options);
  outputs.check();
  report::Listing all = listing("files", {{"file", {"file", report::Align::left}},
                                          {"what", {"is", report::Align::left}},
                                          {"notes", {"notes", report::Align::left}}});
  std::string text;
  const auto found = [&](const std::string& file, const std::string& what, const std::vector<std::string>& notes) {
    all.rows.push_back({file, what, fmt::format("{}", fmt::join(notes, "; "))});
    text += printable(fmt::format("{}: {}", file, what)) + '\n';
  };
  const tools::Library library = tools::Library::beside_program();
  for (const std::string& file : options.texts("file")) {
    if (is_trace(file)) {
      refuse_other_folder(file);
      formats::ImportReport report;
      const std::uint64_t instructions = formats::verify_trace(tools::native_form(file, report), &report);
      const std::vector<std::string> notes = notes_of(report);
      tell(notes);
      found(file, fmt::format("{} warp instructions, all valid", instructions), notes);
      continue;
    }
    if (is_kernel(file)) {
      found(file, check_kernel(file), {});
      continue;
    }
    const Gpu gpu = load_gpu(library, file, options.texts("set"));
    ask(gpu, [&] { const machine::Machine machine(gpu.spec()); });
    const std::vector<report::Setting> given = given_settings(gpu, {});
    print_notes(given);
    found(file, fmt::format("{} is valid", gpu.spec().name), report::notes_on(given));
  }
  write_listing(outputs, all, text);
  return exit_done;
}

}  // namespace strata::cli
