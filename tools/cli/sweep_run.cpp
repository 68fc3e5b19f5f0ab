// SPDX-License-Identifier: Apache-2.0
// A point of `sweep --question run`: kernels, run one after the other. The parameters
// of kernels are options of this question, called kernel.NAME.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "base/diagnostic.hpp"
#include "files/workload.hpp"
#include "kernels/catalogue.hpp"
#include "machine/machine.hpp"
#include "parallel/windows.hpp"
#include "report/bandwidth/data.hpp"
#include "report/run/data.hpp"
#include "run_options.hpp"
#include "study/activity.hpp"
#include "study/sweep/values.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

namespace {

// NAME or FILE.yaml, without the parameters after it.
std::string_view name_of(std::string_view kernel) {
  constexpr std::string_view file = ".yaml,";
  const std::size_t at = kernel.find(file);
  return at != std::string_view::npos ? kernel.substr(0, at + file.size() - 1) : kernel.substr(0, kernel.find(','));
}

constexpr std::string_view of_kernels = "kernel.";
constexpr const char* of_no_file = "";

// Throws InputError where a parameter is given as an option that the kernel does not have.
void check_has_all(const std::string& kernel, const config::SchemaInfo& info, const Options& options) {
  for (const auto& option : options.description().options()) {
    const std::string& name = option->long_name();
    if (!name.starts_with(of_kernels) || !options.has(name)) continue;
    const std::string parameter = name.substr(of_kernels.size());
    if (info.find(parameter) != nullptr) continue;
    throw InputError(Diagnostic{
        "--kernel", 0, 0,
        fmt::format("'{}' has no parameter '{}', which --vary {} gives it", name_of(kernel), parameter, name),
        fmt::format("it has {}; parameters of one kernel follow its name: --vary kernel={},{}=...",
                    fmt::join(info.names(), ", "), name_of(kernel),
                    info.names().empty() ? "NAME" : info.names().front())});
  }
}

// With the parameters that were given as options; the last word on each counts.
std::string with_parameters(const std::string& kernel, const Options& options) {
  const auto info = tools::parameters_of(kernel);
  if (info == nullptr) return kernel;
  check_has_all(kernel, *info, options);
  std::string text = kernel;
  for (const std::string& parameter : info->names()) {
    const auto value = options.text(std::string(of_kernels) + parameter);
    if (!value) continue;
    // Alone first: its errors then name it.
    try {
      const std::string alone = fmt::format("{},{}={}", name_of(kernel), parameter, *value);
      if (kernels::find_kernel(name_of(kernel)) != nullptr)
        tools::open_kernel(alone, {});
      else
        tools::parameters_of(alone);
    } catch (InputError& error) {
      std::vector<Diagnostic> diagnostics = error.diagnostics();
      for (Diagnostic& diagnostic : diagnostics)
        diagnostic = {"--kernel." + parameter, 0, 0, diagnostic.message, diagnostic.hint};
      throw InputError(std::move(diagnostics));
    }
    text += fmt::format(",{}={}", parameter, *value);
  }
  return text;
}

class Run final : public SweepQuestion {
  static constexpr std::uint64_t most_generated = std::uint64_t{1} << 20U;

 public:
  explicit Run(const Options& options) : run_(read_run(options)) {
    for (std::string& kernel : run_.kernels) {
      kernel = with_parameters(kernel, options);
      tools::open_kernel(kernel, {});
    }
    for (const std::string& file : run_.traces) tools::form_of(file);
  }

  void check(machine::Machine& machine) const override {
    formats::ImportReport imported;
    trace::LaunchList list = run_.launches(machine.spec(), imported);
    for (std::size_t k = 0; k < run_.kernels.size(); ++k)  // the first of the list
      if (!tools::kernel_file_of(run_.kernels[k]).empty()) tools::generate(*list[k], most_generated);
    study::check_run(machine, list, run_.question);
    // The same on each machine.
    const std::lock_guard lock(imported_mutex_);
    imported_ = std::move(imported);
    for (std::string& note : notes_on(list, machine.spec())) notes_.insert(std::move(note));
  }

  // A list of an Accel-Sim trace names others beside it.
  std::vector<std::string> files() const override {
    namespace fs = std::filesystem;
    std::vector<std::string> all;
    for (const std::string& kernel : run_.kernels)
      if (kernels::find_kernel(name_of(kernel)) == nullptr) all.emplace_back(name_of(kernel));
    for (const std::string& trace : run_.traces) {
      if (!fs::is_directory(trace) && tools::form_of(trace) != tools::TraceForm::accel_sim_list) {
        all.push_back(trace);
        continue;
      }
      const std::size_t begin = all.size();
      for (const fs::directory_entry& entry :
           fs::directory_iterator(fs::is_directory(trace) ? fs::path(trace) : fs::absolute(trace).parent_path()))
        if (entry.is_regular_file()) all.push_back(entry.path().string());
      std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end());
    }
    return all;
  }

  void add_imports(Imports& imports) const override {
    const std::lock_guard lock(imported_mutex_);
    // A question has one trace at most.
    for (const std::string& file : run_.traces) imports[file] = imported_;
    for (const std::string& note : notes_) imports[of_no_file].note(note);
  }

  machine::Activity does(const machine::MachineSpec&) const override {
    machine::Activity does = study::activity_of_kernels();
    does.placement = run_.question.placement;
    return does;
  }

  std::vector<report::Setting> unread_options(const Given& given, const machine::MachineSpec&) const override {
    return cli::unread_options(given, run_.question, (run_.kernels.size() + run_.traces.size()) * run_.repeat);
  }

  SweepAnswer measure(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    formats::ImportReport told_before;
    trace::LaunchList list = run_.launches(spec, told_before);
    study::RunQuestion question = run_.question;
    question.statistics = statistics;
    tools::OnIdleThreads executor;
    if (run_.may_run_in_parallel()) question.executor = &executor;
    const study::RunResult result = study::measure_run(spec, list, question);
    return answer(result);
  }

  SweepAnswer explained(const machine::MachineSpec& spec, stats::Detail statistics) const override {
    return measure(spec, statistics);
  }

 private:
  // Empty where --sampled was not given.
  static std::string sampling_in_words(const study::RunResult& result) {
    std::string words;
    for (const study::KernelRun& kernel : result.kernels) {
      if (!kernel.sampling) continue;
      if (!words.empty()) words += "; ";
      if (result.kernels.size() > 1) words += kernel.name + ": ";
      words += kernel.sampling->whole_because.empty()
                   ? fmt::format("estimate from {} of {} blocks, {:.1f} % to either side", kernel.sampling->blocks_run,
                                 kernel.blocks, 100 * kernel.sampling->spread)
                   : "run whole";
    }
    return words;
  }

  // Of several kernels: sums, and means over their time; the bottleneck is that of the longest.
  static SweepAnswer answer(const study::RunResult& result) {
    const study::KernelRun* longest = &result.kernels.front();
    double instructions = 0, requests = 0, sectors = 0, read = 0, written = 0, latency = 0, present = 0, accesses = 0;
    std::vector<std::pair<std::string, double>> peaks;
    for (const study::KernelRun& kernel : result.kernels) {
      if (kernel.seconds > longest->seconds) longest = &kernel;
      const double weight = kernel.seconds / result.seconds;
      const stats::LevelUse& dram = kernel.levels.back();
      instructions += static_cast<double>(kernel.warp_instructions);
      requests += static_cast<double>(kernel.transactions);
      sectors += static_cast<double>(kernel.sectors);
      read += static_cast<double>(dram.bytes_read);
      written += static_cast<double>(dram.bytes_written);
      present += weight * kernel.occupancy_share;
      if (kernel.accesses > 0) latency += kernel.latency_mean_ns * static_cast<double>(kernel.accesses);
      accesses += static_cast<double>(kernel.accesses);
      for (const stats::LevelUse& level : kernel.levels) {
        if (!(level.peak_bytes_per_second > 0)) continue;
        const auto known =
            std::find_if(peaks.begin(), peaks.end(), [&](const auto& p) { return p.first == level.name; });
        auto& share = known == peaks.end() ? peaks.emplace_back(level.name, 0) : *known;
        share.second += weight * level.bytes_per_second / level.peak_bytes_per_second;
      }
    }
    const bool any = !longest->resources.empty();
    SweepAnswer answer;
    answer.figures = {result.seconds * 1e9,
                      result.cycles,
                      instructions,
                      requests,
                      sectors,
                      read,
                      written,
                      (read + written) / result.seconds,
                      latency / accesses,
                      present,
                      any ? longest->resources.front().busy_fraction : 0};
    answer.words = {report::bottleneck_in_words(report::KernelReport{*longest}.watched()), sampling_in_words(result)};
    answer.shares = std::move(peaks);
    answer.fingerprint = result.fingerprint;
    // Stages of all kernels, weighed by their accesses; levels of all; resources of the longest.
    for (const study::KernelRun& kernel : result.kernels)
      for (const stats::NamedShare& stage : kernel.stages) {
        const double part = stage.mean_ns * static_cast<double>(kernel.accesses) / accesses;
        const auto known = std::find_if(answer.parts.begin(), answer.parts.end(),
                                        [&](const AnswerPart& p) { return p.name == stage.name; });
        if (known == answer.parts.end())
          answer.parts.push_back({"stages", stage.name, part});
        else
          known->value += part;
      }
    std::stable_sort(answer.parts.begin(), answer.parts.end(),
                     [](const AnswerPart& a, const AnswerPart& b) { return a.value > b.value; });
    std::vector<stats::LevelUse> levels = result.kernels.front().levels;
    for (std::size_t k = 1; k < result.kernels.size(); ++k)
      for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i].sectors += result.kernels[k].levels[i].sectors;
        levels[i].hits += result.kernels[k].levels[i].hits;
        levels[i].misses += result.kernels[k].levels[i].misses;
      }
    add_use(answer, levels, longest->resources);
    for (std::size_t k = 0; k < result.kernels.size(); ++k)
      if (!result.kernels[k].statistics.empty())
        answer.statistics.push_back({{fmt::format("{}", k), result.kernels[k].name}, result.kernels[k].statistics});
    return answer;
  }

  RunOptions run_;
  mutable std::mutex imported_mutex_;
  mutable formats::ImportReport imported_;
  mutable std::set<std::string> notes_;  ///< on the kernels and the machines they run on
};

void describe_swept_kernel_run(po::options_description& description) { describe_run(description, false); }

// Kernels that the command line names, by --kernel or --vary.
std::vector<std::string> named(const Options& options) {
  std::vector<std::string> kernels;
  if (const auto kernel = options.text("kernel")) kernels.push_back(*kernel);
  for (const std::string& variation : options.texts("vary")) {
    if (!variation.starts_with("kernel=")) continue;
    for (std::string& kernel : study::written_values(variation, true)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

// The value of that parameter in the text, otherwise the default of the kernel.
std::string present(std::string_view kernel, const config::FieldInfo& field) {
  const std::string given = "," + field.name + "=";
  const std::size_t at = kernel.find(given);
  if (at == std::string_view::npos) return field.default_text;
  const std::string_view rest = kernel.substr(at + given.size());
  return std::string(rest.substr(0, rest.find(',')));
}

void describe_parameters(po::options_description& description, const Options& options) {
  struct Parameter {
    std::string name;
    std::set<std::string> values;  // that kernels give it
    std::size_t kernels = 0;       // that have it
  };
  std::vector<Parameter> parameters;
  std::size_t kernels = 0;
  for (const std::string& text : named(options)) {
    const auto info = tools::parameters_of(text);
    if (info == nullptr) continue;
    ++kernels;
    for (const config::FieldInfo& field : info->fields) {
      auto known =
          std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == field.name; });
      if (known == parameters.end()) known = parameters.insert(known, {field.name, {}, 0});
      known->values.insert(present(text, field));
      ++known->kernels;
    }
  }
  for (const Parameter& parameter : parameters) {
    auto* const value = po::value<std::string>()->value_name("VALUE");
    const std::string& present = *parameter.values.begin();
    // The current value is that of all kernels if they agree.
    if (parameter.kernels == kernels && parameter.values.size() == 1 && !present.empty() && present != "none")
      value->default_value(present);
    description.add_options()((std::string(of_kernels) + parameter.name).c_str(), value,
                              "that parameter of the kernels");
  }
}

std::unique_ptr<SweepQuestion> read_swept_kernel_run(const Options& options) { return std::make_unique<Run>(options); }

}  // namespace

SweepQuestionKind sweep_run() {
  const auto count = [](const char* field, const char* title, bool shown) {
    return report::SweepFigure{field, title, "", 1, 0, true, shown};
  };
  return {"run",
          "time of kernels",
          "--vary l2.slices_per_die='*0.5,*1' --kernel stream_read,bytes=4MiB",
          describe_swept_kernel_run,
          read_swept_kernel_run,
          {{"time_ns", "time", "us", 1e3, 2},
           {"cycles", "cycles", "", 1, 0},
           count("warp_instructions", "warp instructions", false),
           count("transactions", "line requests", true),
           count("sectors", "sectors", false),
           count("dram_bytes_read", "DRAM read", false),
           count("dram_bytes_written", "DRAM written", false),
           {"dram_bytes_per_second", "DRAM", "GB/s", 1e9},
           {"mean_latency_ns", "latency", "ns"},
           {"occupancy", "warps present", "%", 0.01, 0},
           {"bottleneck_busy_fraction", "busy", "%", 0.01}},
          0,
          {"bottleneck", "sampling"},
          "level_peak_fractions",
          "of its peak",
          describe_parameters,
          {{"kernel_number", {"kernel", report::Align::right}}, {"kernel_name", {"name", report::Align::left}}}};
}

}  // namespace strata::cli
