// SPDX-License-Identifier: Apache-2.0
// strata run: kernels on a machine, one after the other: how long they take and
// where the time went.
#include "study/run/run.hpp"
#include "study/run/timeline.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "curve_options.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"
#include "files/trace_files.hpp"
#include "gpu.hpp"
#include "import_notes.hpp"
#include "interrupted.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "machine/peaks.hpp"
#include "parallel/progress.hpp"
#include "parallel/windows.hpp"
#include "report/run/run.hpp"
#include "report/run/timeline.hpp"
#include "run_options.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "unread_options.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe_verb(Options& options) {
  describe_gpu(options.description());
  describe_run(options.description(), true);
  options.description().add_options()("timeline", po::value<std::string>()->value_name("FILE"),
                                      "writes the times of blocks and the paths of sampled requests, for Perfetto\n"
                                      "(https://ui.perfetto.dev) or chrome://tracing; - is stdout")(
      "timeline-events", po::value<std::string>()->value_name("N")->default_value("200000"),
      "most slices and arrows of the timeline; above, fewer cores and fewer requests are shown,\n"
      "and the file states how many")("threads", po::value<std::string>()->value_name("N")->default_value("0"),
                                      "host threads; 0: one per host core. Their number does not change results")(
      "quiet,q", "no progress on stderr");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
}

constexpr std::uint64_t least_timeline_events = 1000;

// The file of --timeline, if given, and its contents.
class Timeline {
 public:
  Timeline(const Options& options, const Outputs& outputs, const trace::LaunchList& list, std::uint64_t sample)
      : file_(options.text("timeline")) {
    const std::uint64_t events = options.count("timeline-events", least_timeline_events, 100000000);
    if (!file_) {
      if (options.has("timeline-events"))
        throw InputError(Diagnostic{"--timeline-events", 0, 0, "requires --timeline", {}});
      return;
    }
    if (*file_ == "-" && outputs.claims_stdout())
      throw InputError(Diagnostic{"--timeline", 0, 0, "standard output is taken; name a file", {}});
    tools::check_writable(*file_);
    tools::declare_output("--timeline", *file_);
    // Each kernel has a slice.
    if (list.size() * 10 > events)
      throw InputError(Diagnostic{
          "--timeline-events", 0, 0, fmt::format("{} kernels need {} or more", list.size(), list.size() * 10), {}});
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

// The needs of its blocks determine which split of L1 and shared memory a kernel has. If no kernel uses the
// one that the user set, the setting is reported.
void note_carve_outs(std::vector<report::Setting>& set, const machine::MachineSpec& spec,
                     const trace::LaunchList& list) {
  const auto& all = spec.l1.carve_outs;
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const auto& split) { return split.name == spec.l1.carve_out; });
  std::set<std::string> taken;
  for (const auto& kernel : list) taken.insert(machine::carve_out_of(spec, kernel->info()).name);
  if (own == all.end() || taken.contains(own->name)) return;
  // One of them is enough: a capacity sets the size.
  const auto paths = {std::string("l1.capacity"), std::string("l1.carve_out"),
                      fmt::format("l1.carve_outs[{}].size", own - all.begin())};
  for (const std::string& path : paths) {
    const auto setting = std::find_if(set.begin(), set.end(),
                                      [&](const report::Setting& other) { return other.given && other.path == path; });
    if (setting == set.end()) continue;
    setting->caveat =
        fmt::format("no kernel takes the carve-out '{}'; by the shared memory of their blocks they take '{}'",
                    own->name, fmt::join(taken, "', '"));
    return;
  }
}

}  // namespace

Options run_options(const Arguments&) {
  Options options("run --gpu G (--kernel NAME[,param=value] | --trace FILE) [options]",
                  "Runs kernels on a machine, one after the other, and reports for each its time, the traffic of\n"
                  "every level, the stall reasons of its warps and the time of its requests by stage.",
                  "strata run --gpu h200 --kernel vecadd,n=1048576 --json run.json");
  describe_verb(options);
  return options;
}

int run(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  RunOptions run = read_run(options);
  machine::Activity does = study::activity_of_kernels();
  does.placement = run.question.placement;
  study::RunQuestion& question = run.question;
  formats::ImportReport imported;
  trace::LaunchList list = run.launches(gpu.spec(), imported);
  tell(imported);
  tell(notes_on(list, gpu.spec()));
  std::vector<report::Setting> set =
      together(settings(gpu, does), unread_options(given_in(options), question, list.size()));
  ask(gpu, [&] {
    note_carve_outs(set, gpu.spec(), list);
    return true;
  });
  print_notes(set);
  Timeline timeline(options, outputs, list, question.sample);
  question.timeline = timeline.recorder();
  question.statistics = statistics.detail();
  tools::Progress progress("run (blocks)", blocks_of(list), options.has("quiet"));
  question.progress = [&](std::uint64_t done, std::uint64_t) {
    progress.reach(done);
    return !tools::interrupted();
  };
  const tools::Keeping keeping;
  const auto begun = std::chrono::steady_clock::now();
  tools::OnIdleThreads executor;
  study::RunResult result;
  if (run.may_run_in_parallel()) question.executor = &executor;
  tools::on_threads(options.count("threads", 0, 1024),
                    [&] { result = ask(gpu, [&] { return study::measure_run(gpu.spec(), list, question); }); });

  report::RunReport answer;
  answer.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  answer.peak_rss_bytes = static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
  answer.heading = {std::string(version), gpu.name, hexadecimal(result.fingerprint)};
  if (!result.complete) answer.heading.incomplete = what_is_kept(result.blocks_done, blocks_of(list), "blocks");
  answer.title =
      outputs.titled(fmt::format("{}: {} kernel{}", gpu.spec().name, list.size(), list.size() == 1 ? "" : "s"));
  answer.subtitle =
      fmt::format("{} on {}, caches {}", list.size() == 1 ? "one kernel" : fmt::format("{} kernels", list.size()),
                  gpu.spec().name, question.caches == study::Caches::cold ? "cold" : "warm");
  for (const study::KernelRun& kernel : result.kernels) answer.kernels.push_back({kernel});
  answer.seconds = result.seconds;
  answer.cycles = result.cycles;
  answer.transactions = result.transactions;
  for (const auto& [name, op_class] : {std::pair{"FP32", trace::OpClass::fp32}, {"FP64", trace::OpClass::fp64}})
    if (const auto rate = machine::flops_per_second(gpu.spec(), op_class)) answer.peaks.push_back({name, *rate});
  answer.settings = std::move(set);
  if (outputs.json) tools::write_file(*outputs.json, json(answer));
  if (outputs.csv) tools::write_file(*outputs.csv, csv(answer));
  if (outputs.svg) tools::write_file(*outputs.svg, svg(answer));
  if (outputs.html) tools::write_file(*outputs.html, html(answer));
  timeline.write(answer.heading);
  for (std::size_t i = 0; i < result.kernels.size(); ++i)
    statistics.add({fmt::format("{}", i), result.kernels[i].name}, result.kernels[i].statistics);
  statistics.write(answer.heading,
                   {{"kernel", {"kernel", report::Align::right}}, {"name", {"name", report::Align::left}}});
  if (!outputs.claims_stdout() && !timeline.claims_stdout()) std::cout << table(answer) << statistics.busiest();
  return finish(answer.heading, exit_done);
}

}  // namespace strata::cli
