// SPDX-License-Identifier: Apache-2.0
#include "files/workload.hpp"

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "files/trace_files.hpp"
#include "formats/native/writer.hpp"
#include "formats/text/text.hpp"
#include "kernels/described/described.hpp"

namespace strata::tools {

namespace fs = std::filesystem;

const char* name(TraceForm form) {
  switch (form) {
    case TraceForm::native:
      return "native trace";
    case TraceForm::text:
      return "text form of a trace";
    case TraceForm::accel_sim_list:
      return "Accel-Sim list of kernels";
    case TraceForm::accel_sim_kernel:
      return "Accel-Sim kernel";
    case TraceForm::nvbit:
      return "NVBit mem_trace output";
    case TraceForm::csv:
      return "CSV";
  }
  return "";
}

namespace {
fs::path list_in(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? path / "kernelslist.g" : path;
}
// A native trace in a nameless file, written first and read afterwards.
class Imported final : public formats::ByteSource, public formats::ByteSink {
 public:
  explicit Imported(std::string name) : name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, std::span<unsigned char> into) override { file_->read(offset, into); }
  void write(std::span<const unsigned char> bytes) override {
    file_->write(bytes);
    size_ += bytes.size();
  }

 private:
  std::string name_;
  std::unique_ptr<formats::SpillFile> file_ = spill_file();
  std::uint64_t size_ = 0;
};

// The file as named, or with the ending of a packer.
fs::path packed(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error)) return path;
  for (const char* ending : {".xz", ".gz", ".zst"})
    if (fs::exists(path.string() + ending, error)) return path.string() + ending;
  return path;
}
}  // namespace

TraceForm form_of(const fs::path& given) {
  const fs::path path = list_in(given);
  const std::string head = beginning_of(path, 8192);
  // A file shorter than the mark is truncated within it.
  constexpr std::string_view mark = "\x89STRACE";
  if (!head.empty() && mark.starts_with(std::string_view(head).substr(0, mark.size()))) return TraceForm::native;
  if (formats::is_text_trace(head)) return TraceForm::text;
  const bool list = path.filename().string().starts_with("kernelslist");
  if (list || head.starts_with("Memcpy") || head.starts_with("kernel-")) return TraceForm::accel_sim_list;
  if (head.starts_with("-kernel") || head.find("\n-kernel name") != std::string::npos)
    return TraceForm::accel_sim_kernel;
  if (head.starts_with("cycle,") || path.extension() == ".csv") return TraceForm::csv;
  if (head.find("- LAUNCH -") != std::string::npos || head.find("NVBit") != std::string::npos) return TraceForm::nvbit;
  throw InputError(Diagnostic{path.string(),
                              0,
                              0,
                              "is not a trace of a known form: native, its text form, "
                              "Accel-Sim, NVBit mem_trace or CSV (docs/formats/trace.md)",
                              {}});
}

void import_trace(const fs::path& given, TraceForm form, formats::KernelSink& sink, formats::ImportReport& report) {
  const fs::path path = list_in(given);
  if (form == TraceForm::native) {
    for (const auto& kernel : formats::open_trace(open_bytes(path))) formats::copy_kernel(*kernel, sink);
    return;
  }
  const auto text = open_text(path);
  switch (form) {
    case TraceForm::text:
      formats::read_text(*text, sink);
      break;
    case TraceForm::accel_sim_list:
      formats::import_accel_sim_list(
          *text, [&](const std::string& file) { return open_text(packed(path.parent_path() / file)); }, sink, report);
      break;
    case TraceForm::accel_sim_kernel:
      formats::import_accel_sim_kernel(*text, sink, report);
      break;
    case TraceForm::nvbit:
      formats::import_nvbit(*text, *spill_file(), sink, report);
      break;
    default:
      formats::import_csv(*text, *spill_file(), sink, report);
  }
}

namespace {
// The value of --kernel, split: FILE.yaml or a built-in name, and the settings after it.
struct KernelText {
  std::string file;  ///< empty: a built-in kernel
  std::vector<std::string> settings;
};
KernelText take_apart(const std::string& text) {
  constexpr std::string_view ending = ".yaml";
  if (text.ends_with(ending) && text.find(".yaml,") == std::string::npos) return {text, {}};
  const std::size_t at = text.find(".yaml,");
  if (at == std::string::npos) return {};
  KernelText parts{text.substr(0, at + ending.size()), {}};
  for (std::size_t from = at + ending.size(); from < text.size();) {
    const std::size_t end = std::min(text.find(',', from + 1), text.size());
    parts.settings.push_back(text.substr(from + 1, end - from - 1));
    from = end;
  }
  return parts;
}
}  // namespace

std::unique_ptr<trace::Kernel> open_kernel(const std::string& text, const kernels::Target& target) {
  const KernelText parts = take_apart(text);
  if (parts.file.empty()) return kernels::make_kernel(text, target);
  const std::string yaml = read_file(parts.file, most_configuration);
  if (!has_key(yaml, "body") && (has_key(yaml, "base") || has_key(yaml, "clocks")))
    throw InputError(
        Diagnostic{parts.file, 0, 0, "is a configuration of a GPU, not a kernel", "use --gpu " + parts.file});
  return kernels::read_kernel({yaml, parts.file}, target, parts.settings);
}

std::uint64_t generate(trace::Kernel& kernel, std::uint64_t most) {
  std::uint64_t instructions = 0;
  trace::Instruction instruction;
  for (std::uint64_t block = 0; block < kernel.info().blocks(); ++block) {
    const auto streams = kernel.open(block);
    for (std::uint32_t warp = 0; warp < kernel.info().warps_per_block(); ++warp)
      while (streams->warp(warp).next(instruction))
        if ((instructions += instruction.repeat) >= most) return instructions;
  }
  return instructions;
}

std::string kernel_file_of(const std::string& text) { return take_apart(text).file; }

std::shared_ptr<const config::SchemaInfo> parameters_of(const std::string& text) {
  const KernelText parts = take_apart(text);
  if (!parts.file.empty())
    return kernels::read_parameters_of({read_file(parts.file, most_configuration), parts.file}, parts.settings);
  const kernels::KernelKind* const kind = kernels::find_kernel(std::string_view(text).substr(0, text.find(',')));
  return kind == nullptr ? nullptr : kind->parameters();
}

std::shared_ptr<formats::ByteSource> native_form(const fs::path& path, formats::ImportReport& report) {
  const TraceForm form = form_of(path);
  if (form == TraceForm::native) return open_bytes(path);
  auto file = std::make_shared<Imported>(path.string());
  formats::TraceWriter writer(*file);
  import_trace(path, form, writer, report);
  writer.finish();
  return file;
}

trace::LaunchList open_workload(const fs::path& path, formats::ImportReport& report) {
  return formats::open_trace(native_form(path, report));
}

}  // namespace strata::tools
