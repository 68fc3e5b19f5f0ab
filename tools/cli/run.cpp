// SPDX-License-Identifier: Apache-2.0
// strata run: kernels on a machine, one after the other: how long they take and
// where the time went.
#include "study/run.hpp"
#include "study/timeline.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "curve_options.hpp"
#include "files/files.hpp"
#include "files/trace_files.hpp"
#include "files/workload.hpp"
#include "gpu.hpp"
#include "import_notes.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/described.hpp"
#include "parallel/progress.hpp"
#include "report/run.hpp"
#include "report/timeline.hpp"
#include "shown.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe(Options& options) {
  describe_gpu(options.description());
  options.description().add_options()
      ("kernel", po::value<std::vector<std::string>>()->value_name("NAME[,param=value]")->composing(),
       "a built-in kernel of `strata list kernels`, or FILE.yaml with one of your own; given again,\n"
       "they run in this order")
      ("trace", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
       "a trace, native or of another tool, after the kernels; given again, in this order")
      ("caches", po::value<std::string>()->value_name("S")->default_value("cold"),
       "cold: each kernel begins with empty caches; warm: with what the one before left in the\n"
       "shared ones, those of the cores empty")
      ("repeat", po::value<std::string>()->value_name("N")->default_value("1"), "runs the list so many times")
      ("placement", po::value<std::string>()->value_name("P"), "which cores get blocks first; else as the GPU says")
      ("sample", po::value<std::string>()->value_name("N")->default_value("64"),
       "follows one line request in so many, for the shares of stages")
      ("timeline", po::value<std::string>()->value_name("FILE"),
       "writes when blocks ran and which way the followed requests went, for Perfetto\n"
       "(https://ui.perfetto.dev) or chrome://tracing; - is stdout")
      ("timeline-events", po::value<std::string>()->value_name("N")->default_value("200000"),
       "slices and arrows that the timeline has at most: where there are more, fewer cores and\n"
       "fewer requests are shown, and the file says how many")
      ("quiet,q", "no progress on stderr");
  Outputs::describe(options.description(), false);
}

std::vector<report::NamedShare> shown(const std::vector<study::StageShare>& stages) {
  std::vector<report::NamedShare> copy;
  for (const study::StageShare& stage : stages) copy.push_back({stage.stage, stage.share, stage.mean_ns, {}});
  return copy;
}

std::vector<report::NamedShare> shown(const std::vector<study::StallShare>& stalls) {
  std::vector<report::NamedShare> copy;
  for (const study::StallShare& stall : stalls) copy.push_back({stall.stall, stall.share, 0, stall.meaning});
  return copy;
}

report::KernelReport shown(const study::KernelRun& run) {
  report::KernelReport kernel;
  kernel.name = run.name;
  kernel.cycles = run.cycles;
  kernel.blocks = run.blocks;
  kernel.warp_instructions = run.warp_instructions;
  kernel.flops = run.flops;
  kernel.transactions = run.transactions;
  kernel.sectors = run.sectors;
  kernel.occupancy = run.occupancy;
  kernel.occupancy_share = run.occupancy_share;
  kernel.did.seconds = run.seconds;
  kernel.did.mean_latency_ns = run.latency_mean_ns;
  kernel.did.levels = cli::shown(run.levels);
  kernel.did.resources = cli::shown(run.resources);
  kernel.did.dram_row_hit_rate = run.dram_row_hit_rate;
  kernel.did.dram_bus_utilisation = run.dram_bus_share;
  kernel.latency_p50_ns = run.latency_p50_ns;
  kernel.latency_p99_ns = run.latency_p99_ns;
  kernel.stages = shown(run.stages);
  kernel.stalls = shown(run.stalls);
  return kernel;
}

trace::LaunchList launches(const Options& options, const Gpu& gpu) {
  const kernels::Target target{static_cast<std::uint32_t>(gpu.spec().core.warp_width),
                               static_cast<std::uint32_t>(gpu.spec().dies.compute * gpu.spec().dies.cores_per_die)};
  trace::LaunchList list;
  const std::uint64_t times = options.count("repeat", 1, 1000000);
  for (std::uint64_t i = 0; i < times; ++i)
    for (const std::string& text : options.texts("kernel"))
      list.push_back(text.ends_with(".yaml") ? kernels::read_kernel({tools::read_file(text), text}, target)
                                             : kernels::make_kernel(text, target));
  for (std::uint64_t i = 0; i < times; ++i)
    for (const std::string& file : options.texts("trace")) {
      formats::ImportReport report;
      for (auto& kernel : tools::open_workload(file, report)) list.push_back(std::move(kernel));
      if (i == 0) tell(report);
    }
  if (list.empty())
    throw InputError(Diagnostic{"run", 0, 0, "nothing to run: name a kernel with --kernel or a file with --trace", {}});
  return list;
}

std::uint64_t blocks_of(const trace::LaunchList& list) {
  std::uint64_t blocks = 0;
  for (const auto& kernel : list) blocks += kernel->info().blocks();
  return blocks;
}

constexpr std::uint64_t least_timeline_events = 1000;

// The file of --timeline, if one was asked for, and what goes into it.
class Timeline {
 public:
  Timeline(const Options& options, const Outputs& outputs, const trace::LaunchList& list, std::uint64_t sample)
      : file_(options.text("timeline")) {
    const std::uint64_t events = options.count("timeline-events", least_timeline_events, 100000000);
    if (!file_) return;
    if (*file_ == "-" && outputs.claims_stdout())
      throw InputError(Diagnostic{"--timeline", 0, 0, "standard output is taken; name a file", {}});
    tools::check_writable(*file_);
    // Each kernel has a slice of its own.
    if (list.size() * 10 > events)
      throw InputError(Diagnostic{"--timeline-events", 0, 0,
                                  fmt::format("{} kernels want {} or more", list.size(), list.size() * 10), {}});
    recorder_.emplace(events, sample, blocks_of(list));
  }

  study::TimelineRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  bool claims_stdout() const { return file_ == "-"; }
  void write(const report::Heading& heading) {
    if (!recorder_) return;
    tools::NewFile file(*file_);
    report::timeline_json(heading, recorder_->take(), [&](std::string_view text) {
      file.write({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
    });
    file.keep();
  }

 private:
  std::optional<std::string> file_;
  std::optional<study::TimelineRecorder> recorder_;
};

}  // namespace

int run(const Arguments& arguments) {
  Options options("run --gpu G (--kernel NAME[,param=value] | --trace FILE) [options]",
                  "Runs kernels on a machine, one after the other, and tells how long each took, what every\n"
                  "level moved, what warps waited for and where line requests spent their time.",
                  "strata run --gpu h200 --kernel vecadd,n=1048576 --json run.json");
  describe(options);
  if (!options.parse(arguments)) return exit_done;
  const Outputs outputs(options);
  outputs.check();
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  trace::LaunchList list = launches(options, gpu);
  study::RunQuestion question;
  question.caches = options.choice("caches", {"cold", "warm"}) == 0 ? study::Caches::cold : study::Caches::warm;
  question.placement = options.text("placement").value_or("");
  question.sample = options.count("sample", 1, std::uint64_t{1} << 40U);
  Timeline timeline(options, outputs, list, question.sample);
  question.timeline = timeline.recorder();
  tools::Progress progress("run (blocks)", blocks_of(list), options.has("quiet"));
  question.progress = [&](std::uint64_t done, std::uint64_t) { progress.reach(done); };
  const auto begun = std::chrono::steady_clock::now();
  const study::RunResult result = ask(gpu, [&] { return study::measure_run(gpu.spec(), list, question); });

  report::RunReport answer;
  answer.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  answer.peak_rss_bytes = static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
  answer.heading = {std::string(version), gpu.name, hexadecimal(result.fingerprint)};
  answer.title = fmt::format("{}: {} kernel{}", gpu.spec().name, list.size(), list.size() == 1 ? "" : "s");
  answer.subtitle = fmt::format("{} on {}, caches {}", list.size() == 1 ? "one kernel" : fmt::format("{} kernels", list.size()),
                                gpu.spec().name, question.caches == study::Caches::cold ? "cold" : "warm");
  for (const study::KernelRun& kernel : result.kernels) answer.kernels.push_back(shown(kernel));
  answer.seconds = result.seconds;
  answer.cycles = result.cycles;
  answer.transactions = result.transactions;
  answer.settings = settings(gpu);
  if (outputs.json) tools::write_file(*outputs.json, json(answer));
  if (outputs.csv) tools::write_file(*outputs.csv, csv(answer));
  timeline.write(answer.heading);
  if (!outputs.claims_stdout() && !timeline.claims_stdout()) std::cout << table(answer);
  return exit_done;
}

}  // namespace strata::cli
