// SPDX-License-Identifier: Apache-2.0
// strata trace: inspects, converts and imports traces.
#include <fmt/format.h>

#include <iostream>
#include <stdexcept>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"
#include "files/trace_files.hpp"
#include "files/workload.hpp"
#include "formats/accel_sim/writer.hpp"
#include "formats/native/writer.hpp"
#include "formats/text/text.hpp"
#include "gpu.hpp"
#include "import_notes.hpp"
#include "listing.hpp"
#include "options.hpp"
#include "study/run/run.hpp"

namespace strata::cli {

namespace {

std::string dimensions(const trace::Dimensions& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); }

void info(const std::string& path, const Outputs& outputs) {
  const auto source = tools::open_bytes(path);
  const formats::TraceSummary summary = formats::summarise(*source);
  std::uint64_t instructions = 0;
  report::Listing all = listing("kernels", {{"kernel", {"kernel", left}},
                                            {"grid", {"grid", right}},
                                            {"block", {"block", right}},
                                            {"registers", {"registers", right}},
                                            {"shared_bytes", {"shared [B]", right}},
                                            {"warp_width", {"warp", right}},
                                            {"blocks", {"blocks in it", right}},
                                            {"warp_instructions", {"warp instructions", right}},
                                            {"touched_mib", {"touches at most [MiB]", right}}});
  for (const auto& kernel : summary.kernels) {
    instructions += kernel.instructions;
    std::uint64_t touched = 0;
    for (const trace::Region& region : kernel.info.regions) touched += region.bytes;
    all.rows.push_back({kernel.info.name, dimensions(kernel.info.grid), dimensions(kernel.info.block),
                        fmt::format("{}", kernel.info.registers_per_thread),
                        fmt::format("{}", kernel.info.shared_bytes), fmt::format("{}", kernel.info.warp_width),
                        fmt::format("{}", kernel.blocks_with_instructions), fmt::format("{}", kernel.instructions),
                        fmt::format("{:.0f}", static_cast<double>(touched) / (1U << 20U))});
  }
  all.above =
      fmt::format("{}: version {}, {} bytes, {} kernels, {} warp instructions ({:.2f} bytes each)\n\n", printable(path),
                  summary.version, summary.bytes, summary.kernels.size(), instructions,
                  static_cast<double>(summary.bytes) / static_cast<double>(std::max<std::uint64_t>(instructions, 1)));
  write_listing(outputs, all);
}

// Into the form of the suffix of the output: .txt or - is text.
void write(const std::string& to, bool text, const auto& produce) {
  tools::NewFile file(to);
  if (to.ends_with(".traceg")) {
    formats::AccelSimWriter writer(file);
    try {
      produce(writer);
    } catch (const std::invalid_argument& error) {
      throw InputError(Diagnostic{to, 0, 0, error.what(), {}});
    }
  } else if (text) {
    formats::TextWriter writer(file);
    produce(writer);
    writer.finish();
  } else {
    formats::TraceWriter writer(file);
    produce(writer);
    writer.finish();
    std::cerr << fmt::format("{}: {} warp instructions, {} bytes\n", printable(to), writer.instructions(),
                             writer.bytes());
  }
  file.keep();
}
// What a recorded kernel runs on.
kernels::Target target_of(const Options& options) {
  const auto width = static_cast<std::uint32_t>(options.count("warp-width", 16, 64));
  if (!options.has("gpu")) return {width, 1};
  if (options.has("warp-width"))
    throw InputError(Diagnostic{"--warp-width", 0, 0, "does not go with --gpu, which gives it", "remove one of them"});
  const tools::Library library = tools::Library::beside_program();
  return study::target_of(load_gpu(library, options.get<std::string>("gpu"), {}).spec());
}

}  // namespace

Options trace_options(const Arguments&) {
  Options options(
      "trace info FILE | trace convert FROM TO | trace import FROM TO | trace record KERNEL TO",
      "info     lists the kernels of a native trace, from its index alone\n"
      "convert  from native to text and back; TO is text if it ends in .txt or is -, and a kernel\n"
      "         in Accel-Sim's form if it ends in .traceg\n"
      "import   reads an Accel-Sim kernelslist.g (or its folder) or .traceg, the output of NVBit's\n"
      "         mem_trace, or CSV (cycle,warp,op,address,bytes); gzip, xz and zstd are unpacked\n"
      "record   writes the instructions of a built-in kernel, NAME[,parameter=value...], or one described in a\n"
      "         file: KERNEL.yaml (docs/guide/own-kernel.md)\n"
      "docs/formats/trace.md describes the forms.",
      "strata trace record vecadd,n=100000 vecadd.strace");
  options.description().add_options()(
      "words", po::value<std::vector<std::string>>()->composing()->value_name("info|convert|import|record"),
      "what to do, and with which files")(
      "warp-width", po::value<std::string>()->default_value("32")->value_name("LANES"),
      "of a recorded kernel: 16, 32 or 64")("gpu", po::value<std::string>()->value_name("G"),
                                            "that a recorded kernel is for: its warps, and Tensor Memory if it has it");
  Outputs::describe(options.description(), false);
  options.positional("words", 3);
  return options;
}

int trace(const Options& options) {
  const std::vector<std::string> words = options.texts("words");
  const auto refuse = [](const char* what) { throw InputError(Diagnostic{"trace", 0, 0, what, {}}); };
  if (words.empty()) refuse("expected info, convert, import or record");
  if (words[0] == "info") {
    if (words.size() != 2) refuse("info takes one file");
    const Outputs outputs(options);
    outputs.check();
    info(words[1], outputs);
    return exit_done;
  }
  if (options.has("json") || options.has("csv")) refuse("--json and --csv apply to info only");
  if (words[0] != "convert" && words[0] != "import" && words[0] != "record")
    refuse("expected info, convert, import or record");
  if (words.size() != 3) refuse("expected an input and an output file");
  tools::check_writable(words[2]);
  tools::declare_output("trace " + words[0], words[2]);
  const bool text = words[2] == "-" || words[2].ends_with(".txt");
  formats::ImportReport report;
  if (words[0] == "record") {
    const kernels::Target target = target_of(options);
    const auto kernel = tools::open_kernel(words[1], target);
    if (kernel->info().reads_values)
      throw InputError(
          Diagnostic{words[1], 0, 0,
                     "depends on values that it reads from memory, so its instructions are known only during a run",
                     "run it: strata run --kernel " + words[1]});
    write(words[2], text, [&](formats::KernelSink& sink) { formats::copy_kernel(*kernel, sink); });
    return exit_done;
  }
  const tools::TraceForm form = tools::form_of(words[1]);
  const bool own = form == tools::TraceForm::native || form == tools::TraceForm::text;
  if (own != (words[0] == "convert"))
    throw InputError(
        Diagnostic{words[1],
                   0,
                   0,
                   fmt::format("is a {}; `strata trace {}` takes it", tools::name(form), own ? "convert" : "import"),
                   {}});
  write(words[2], text, [&](formats::KernelSink& sink) { tools::import_trace(words[1], form, sink, report); });
  tell(report);
  return exit_done;
}

}  // namespace strata::cli
