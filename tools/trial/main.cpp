// SPDX-License-Identifier: Apache-2.0
// strata-trial: runs the program for a latency, a bandwidth and three kernels on each of a
// number of random machines. Every question must be answered or refused with the name of a
// setting; any other end is a fault of the program.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <boost/program_options.hpp>

#include "base/diagnostic.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/spec.hpp"
#include "question.hpp"
#include "settings.hpp"

namespace strata::trial {

namespace po = boost::program_options;

namespace {

struct Gpu {
  std::string name;
  std::vector<Setting> settings;
};

/// A GPU with settings changed, as arguments of --set.
struct Machine {
  std::string gpu;
  std::vector<std::string> sets;
  std::uint64_t number = 0;  ///< draws its questions
};

struct Fault {
  std::string command;
  Answer answer;
};

struct Tally {
  std::mutex guard;
  std::array<std::uint64_t, outcomes> questions{};
  std::array<std::uint64_t, outcomes> machines{};  ///< by the worst of its questions
  std::vector<Fault> faults;
  double longest = 0;
  std::uint64_t largest = 0;
};

std::vector<Gpu> read_gpus(const std::vector<std::string>& wanted) {
  const tools::Library library = tools::Library::beside_program();
  const auto schema = machine::MachineSpec::schema();
  std::vector<Gpu> all;
  for (const std::string& name : wanted.empty() ? library.gpus() : wanted) {
    const auto loaded = config::load<machine::MachineSpec>(library.gpu(name), library.configurations());
    all.push_back({name, settings_of(*schema.info(), loaded.effective(schema))});
  }
  return all;
}

/// Where the sum of the channels changes, the sheet's figure no longer holds.
bool changes_peak(const std::string& path) {
  return path.starts_with("memory.channel") || path == "memory.channels_per_die" || path.starts_with("dies.");
}

Machine random_machine(const std::vector<Gpu>& gpus, std::uint64_t seed, std::uint64_t number) {
  RandomSequence random(mix(seed, number));
  const Gpu& gpu = gpus[random.below(gpus.size())];
  Machine machine{gpu.name, {}, mix(seed, number)};
  bool free_of_peak = false;
  for (std::uint64_t i = 1 + random.below(5); i > 0; --i) {
    const Setting& setting = gpu.settings[random.below(gpu.settings.size())];
    const std::string value = random_value(setting, random);
    if (value.empty()) continue;
    machine.sets.push_back(setting.path + '=' + value);
    free_of_peak = free_of_peak || (changes_peak(setting.path) && random.below(8) != 0);
  }
  if (free_of_peak) machine.sets.emplace_back("memory.published_peak=none");
  return machine;
}

/// Every setting of every GPU at the ends and the middle of its range, one at a time.
std::vector<Machine> machines_at_ends(const std::vector<Gpu>& gpus) {
  std::vector<Machine> all;
  for (const Gpu& gpu : gpus)
    for (const Setting& setting : gpu.settings)
      for (const std::string& value : ends_and_middle(setting)) {
        Machine machine{gpu.name, {setting.path + '=' + value}, mix(all.size())};
        if (changes_peak(setting.path)) machine.sets.emplace_back("memory.published_peak=none");
        all.push_back(std::move(machine));
      }
  return all;
}

using Words = std::vector<std::string>;

/// Small footprints, so that a machine takes a second or less.
std::vector<Words> questions_of(std::uint64_t number) {
  static const std::vector<std::string> kernels{"copy,bytes=64KiB",
                                                "triad,bytes=48KiB",
                                                "stream_write,bytes=64KiB",
                                                "vecadd,n=8192",
                                                "gather,n=4096,table=1MiB",
                                                "scatter,n=4096,table=1MiB",
                                                "reduction,n=65536,blocks=8",
                                                "atomic_add,n=1024,repeats=2",
                                                "pointer_chase,loads=200",
                                                "spmv_csr,n=256,nonzeros=8",
                                                "histogram,n=8192",
                                                "shared_stride,stride=2,loads=64",
                                                "transpose_naive,n=64",
                                                "transpose_tiled,n=64",
                                                "sgemm_tiled,n=64",
                                                "stencil7,n=32",
                                                "lbm_d3q19,n=8",
                                                "atomic_pingpong,hops=50",
                                                "copy_passes,bytes=64KiB,passes=2,blocks=8"};
  static const std::vector<std::string> footprints{"4KiB", "48KiB", "192KiB", "1MiB", "3MiB"};
  static const std::vector<std::string> operations{"read", "write", "copy", "triad"};
  RandomSequence random(mix(number, 0x5172617461U));
  const std::string& chase = footprints[random.below(footprints.size())];
  std::vector<Words> all{
      {"latency", "--from", chase, "--to", chase, "--jobs", "1"},
      {"bandwidth", "--cores", "8", "--footprint", footprints[1 + random.below(footprints.size() - 1)], "--op",
       operations[random.below(operations.size())], "--timed", "256KiB", "--jobs", "1"}};
  for (int k = 0; k < 3; ++k) all.push_back({"run", "--kernel", kernels[random.below(kernels.size())]});
  return all;
}

std::string as_typed(const Words& words) {
  std::string line = "strata";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool plain = words[i].find_first_of(" []{}|*&;()") == std::string::npos;
    line += plain ? ' ' + words[i] : " '" + words[i] + '\'';
  }
  return line;
}

void try_machine(const std::string& program, const Machine& machine, const Limits& limits, Tally& tally) {
  Words paths;
  for (const std::string& set : machine.sets) paths.push_back(set.substr(0, set.find('=')));
  Outcome worst = Outcome::answered;
  for (const Words& question : questions_of(machine.number)) {
    Words words{program, question.front(), "--gpu", machine.gpu, "--quiet"};
    words.insert(words.end(), question.begin() + 1, question.end());
    for (const std::string& set : machine.sets) words.insert(words.end(), {"--set", set});
    const Answer answer = ask(words, paths, limits);
    worst = std::max(worst, answer.outcome);
    const std::scoped_lock lock(tally.guard);
    ++tally.questions[static_cast<std::size_t>(answer.outcome)];
    tally.longest = std::max(tally.longest, answer.cpu_seconds);
    tally.largest = std::max(tally.largest, answer.peak_bytes);
    if (!is_fault(answer.outcome)) continue;
    tally.faults.push_back({as_typed(words), answer});
    std::cerr << fmt::format("{}: {}\n  {}\n", name_of(answer.outcome), answer.said, tally.faults.back().command);
  }
  const std::scoped_lock lock(tally.guard);
  ++tally.machines[static_cast<std::size_t>(worst)];
}

/// A message without its numbers: the key by which faults are grouped.
std::string pattern(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const char shown = c >= '0' && c <= '9' ? '#' : c;
    if (shown != '#' || out.empty() || out.back() != '#') out += shown;
  }
  return out;
}

void report(Tally& tally) {
  std::cout << fmt::format("{:36} {:>9} {:>9}\n", "", "machines", "questions");
  for (std::size_t i = 0; i < outcomes; ++i)
    if (i < 2 || tally.questions[i] + tally.machines[i] > 0)
      std::cout << fmt::format("{:36} {:9} {:9}\n", name_of(static_cast<Outcome>(i)), tally.machines[i],
                               tally.questions[i]);
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < outcomes; ++i)
    if (is_fault(static_cast<Outcome>(i))) others += tally.machines[i];
  std::cout << fmt::format("{:36} {:9} {:9}\n", "anything else", others, tally.faults.size());
  std::cout << fmt::format("longest question {:.1f} s, largest {} MiB\n", tally.longest, tally.largest >> 20U);
  std::map<std::string, std::vector<const Fault*>> groups;
  for (const Fault& fault : tally.faults)
    groups[fmt::format("{}: {}", name_of(fault.answer.outcome), pattern(fault.answer.said))].push_back(&fault);
  for (const auto& [what, faults] : groups)
    std::cout << fmt::format("\n{} x {}\n  {}\n  {}\n", faults.size(), what, faults.front()->answer.said,
                             faults.front()->command);
}

int trial(int count, char** words) {
  po::options_description description("options");
  description.add_options()("help,h", "this text")(
      "seed", po::value<std::uint64_t>()->value_name("N"),
      "of machines and questions; default: a random one, which is printed")(
      "machines", po::value<std::uint64_t>()->value_name("N")->default_value(500),
      "number of machines; 0: until --seconds are over")("seconds",
                                                         po::value<double>()->value_name("S")->default_value(0),
                                                         "no machine is started after this time; 0: no bound")(
      "ends",
      "every setting of every GPU at the ends and the middle of its range, one at a time, in an order drawn by the "
      "seed; --machines 0: all of them")("gpu", po::value<std::vector<std::string>>()->composing()->value_name("G"),
                                         "these GPUs; default: all")(
      "jobs", po::value<unsigned>()->value_name("N")->default_value(0),
      "machines at a time; 0: one for each host core")(
      "cpu-seconds", po::value<unsigned>()->value_name("S")->default_value(60), "limit of one question")(
      "memory-mib", po::value<std::uint64_t>()->value_name("N")->default_value(2048),
      "limit of one question, resident");
  po::variables_map options;
  po::store(po::parse_command_line(count, words, description), options);
  po::notify(options);
  if (options.count("help") != 0) {
    std::cout << "usage: strata-trial [options]\n\nTries random machines; exit 1 if a question is neither answered nor "
                 "refused with the name of\n"
                 "a setting.\n\n"
              << description;
    return 0;
  }
  const std::uint64_t seed = options.count("seed") != 0 ? options["seed"].as<std::uint64_t>() : std::random_device{}();
  const auto wanted = options["machines"].as<std::uint64_t>();
  const double seconds = options["seconds"].as<double>();
  Limits limits;
  limits.cpu_seconds = options["cpu-seconds"].as<unsigned>();
  limits.memory_bytes = options["memory-mib"].as<std::uint64_t>() << 20U;
  const std::vector<Gpu> gpus =
      read_gpus(options.count("gpu") != 0 ? options["gpu"].as<std::vector<std::string>>() : std::vector<std::string>{});
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "strata";

  std::vector<Machine> listed;
  if (options.count("ends") != 0) {
    listed = machines_at_ends(gpus);
    RandomSequence random(seed);
    for (std::size_t i = 0; i + 1 < listed.size(); ++i)
      std::swap(listed[i], listed[i + random.below(listed.size() - i)]);
  }
  const std::uint64_t machines = listed.empty()
                                     ? (wanted == 0 ? ~std::uint64_t{0} : wanted)
                                     : (wanted == 0 ? listed.size() : std::min<std::uint64_t>(wanted, listed.size()));
  std::cout << fmt::format("strata-trial: seed {}{}\n", seed,
                           listed.empty() ? "" : fmt::format(", {} of {} values", machines, listed.size()))
            << std::flush;

  Tally tally;
  std::atomic<std::uint64_t> next = 0;
  const auto began = std::chrono::steady_clock::now();
  const auto work = [&] {
    for (std::uint64_t i = next++; i < machines; i = next++) {
      if (seconds > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > seconds)
        return;
      try_machine(program, listed.empty() ? random_machine(gpus, seed, i) : listed[i], limits, tally);
    }
  };
  unsigned jobs = options["jobs"].as<unsigned>();
  if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (unsigned j = 0; j < jobs; ++j) threads.emplace_back(work);
  threads.clear();
  report(tally);
  return tally.faults.empty() ? 0 : 1;
}

}  // namespace

}  // namespace strata::trial

int main(int count, char** words) {
  try {
    return strata::trial::trial(count, words);
  } catch (const std::exception& error) {
    std::cerr << "strata-trial: " << error.what() << '\n';
    return 2;
  }
}
