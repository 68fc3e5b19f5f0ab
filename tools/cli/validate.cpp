// SPDX-License-Identifier: Apache-2.0
// strata validate: predicts every expectation and reports the error of the model.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "base/text_distance.hpp"
#include "files/files.hpp"
#include "gpu.hpp"
#include "interrupted.hpp"
#include "load_options.hpp"
#include "machine/checks/unread.hpp"
#include "machine/levels.hpp"
#include "parallel/points.hpp"
#include "parallel/windows.hpp"
#include "report/json.hpp"
#include "report/latency/html.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/expectation/evaluate.hpp"
#include "study/expectation/expectation.hpp"
#include "study/latency/plateaus.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe_validate(Options& options) {
  const auto texts = [](const char* shown) {
    return po::value<std::vector<std::string>>()->composing()->value_name(shown);
  };
  options.description().add_options()("gpu", texts("G"), "only expectations about this GPU; may be given again")(
      "kind", texts("spec|fitted|predicted|ordering"), "only expectations of this kind; may be given again")(
      "id", texts("PREFIX"), "only expectations whose id has this prefix; may be given again")(
      "quick",
      "skips the longest runs: kernels, bandwidth curves, bandwidths of more than 8 MiB or of several arrays, chases "
      "of many threads over more than 32 MiB")("set", texts("PATH=VALUE"),
                                               "overrides a setting of every GPU; may be given again")(
      "jobs", po::value<std::string>()->value_name("N")->default_value("0"),
      "readings run in parallel; 0: one per host core")("html", po::value<std::string>()->value_name("FILE"),
                                                        "write one self-contained page; - is stdout")(
      "quiet,q", "no progress on stderr");
  Outputs::describe(options.description(), false);
  StatsFile::describe(options.description());
}

[[noreturn]] void refuse_choice(const char* option, const std::string& text, const char* what,
                                const std::vector<std::string>& names) {
  throw InputError(Diagnostic{option, 0, 0, fmt::format("no {} '{}'; there are {}", what, text, fmt::join(names, ", ")),
                              did_you_mean(nearest_name(text, names))});
}

std::vector<study::Expectation> chosen(const tools::Library& library, const Options& options) {
  std::vector<study::Expectation> all = study::read_expectations(library.expectations());
  const std::vector<std::string> gpus = options.texts("gpu");
  const std::vector<std::string> kinds = options.texts("kind");
  const std::vector<std::string> ids = options.texts("id");
  const std::vector<std::string> kind_names = study::kind_names();
  for (const std::string& kind : kinds)
    if (std::find(kind_names.begin(), kind_names.end(), kind) == kind_names.end())
      refuse_choice("--kind", kind, "kind", kind_names);
  for (const std::string& gpu : gpus) {
    std::vector<std::string> names;
    for (const study::Expectation& row : all)
      if (std::find(names.begin(), names.end(), row.gpu) == names.end()) names.push_back(row.gpu);
    if (std::none_of(all.begin(), all.end(), [&](const auto& row) { return row.is_about(gpu); }))
      refuse_choice("--gpu", gpu, "expectation about", names);
  }
  const auto passes = [](const std::vector<std::string>& wanted, const auto& fits) {
    return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), fits);
  };
  std::erase_if(all, [&](const study::Expectation& row) {
    return !passes(gpus, [&](const std::string& gpu) { return row.is_about(gpu); }) ||
           !passes(kinds, [&](const std::string& kind) { return study::name(row.kind) == kind; }) ||
           !passes(ids, [&](const std::string& id) { return row.id.starts_with(id); }) ||
           (options.has("quick") && row.is_long());
  });
  if (all.empty())
    throw InputError(Diagnostic{"validate", 0, 0, "no expectation matches --gpu, --kind, --id and --quick", {}});
  return all;
}

study::Machines configure(const tools::Library& library, const std::vector<study::Expectation>& expectations,
                          const std::vector<std::string>& overrides) {
  study::Machines machines;
  std::vector<Diagnostic> diagnostics;
  const std::vector<std::string> known = library.gpus();
  for (const auto& [key, where] : study::machines_of(expectations)) {
    if (std::find(known.begin(), known.end(), key.gpu) == known.end()) {
      diagnostics.push_back(
          where.diagnostic(fmt::format("'{}' has no configuration configs/vendors/{}.yaml", key.gpu, key.gpu),
                           did_you_mean(nearest_name(key.gpu, known))));
      continue;
    }
    std::vector<std::string> settings = overrides;
    settings.insert(settings.end(), key.set.begin(), key.set.end());
    try {
      const auto loaded = config::load<machine::MachineSpec>(library.gpu(key.gpu), library.configurations(), settings);
      machines.emplace(key, study::Configured{loaded.spec, loaded.effective()});
    } catch (const InputError& error) {
      // The unchanged machine is first; its errors are reported once.
      for (Diagnostic wrong : error.diagnostics()) {
        if (std::find(diagnostics.begin(), diagnostics.end(), wrong) != diagnostics.end()) continue;
        if (!key.set.empty()) wrong.message += fmt::format(", on {} as {} asks", key.gpu, where.text());
        diagnostics.push_back(std::move(wrong));
      }
    }
  }
  throw_if_any(std::move(diagnostics));
  return machines;
}

machine::Activity activity_of(const study::Reading& any, const study::Machines& machines) {
  return std::visit(
      [&](const auto& reading) {
        using Question = std::decay_t<decltype(reading.question)>;
        if constexpr (std::is_same_v<Question, study::KernelQuestion>)
          return study::activity_of_kernels();
        else if constexpr (std::is_same_v<Question, study::BandwidthQuestion>)
          return study::activity_of(reading.question, machines.at(reading.machine).spec);
        else
          return study::activity_of(reading.question);
      },
      any);
}

// The activity of each machine for the rows. A row that follows from the configuration by arithmetic
// may read any setting.
std::map<study::MachineKey, std::vector<machine::Activity>> activities(
    const std::vector<study::Expectation>& expectations, const study::Machines& machines) {
  std::map<study::MachineKey, std::vector<machine::Activity>> all;
  for (const study::Expectation& row : expectations) {
    const std::vector<study::Reading> readings = study::needed(std::span(&row, 1), {});
    if (readings.empty()) {
      for (const auto& [key, where] : study::machines_of(std::span(&row, 1))) all[key].push_back({});
    }
    for (const study::Reading& reading : readings)
      all[std::visit([](const auto& one) { return one.machine; }, reading)].push_back(activity_of(reading, machines));
  }
  return all;
}

// Settings given by --set that no row reads on any machine, with the reason of one of them.
std::vector<report::Setting> unread_by_all(const tools::Library& library,
                                           const std::vector<study::Expectation>& expectations,
                                           const study::Machines& machines, const std::vector<std::string>& overrides) {
  std::map<std::string, report::Setting> unread;  // by path
  if (overrides.empty()) return {};
  std::set<std::string> read;
  std::string last;
  std::vector<report::Setting> given;
  for (const auto& [key, does] : activities(expectations, machines)) {
    if (std::exchange(last, key.gpu) != key.gpu)
      given = given_settings(
          {key.gpu, config::load<machine::MachineSpec>(library.gpu(key.gpu), library.configurations(), overrides)}, {});
    for (report::Setting& setting : given) {
      if (const auto why = machine::why_unread_by_all(machines.at(key).spec, does, setting.path)) {
        setting.unread = *why;
        unread.emplace(setting.path, setting);
      } else {
        read.insert(setting.path);
      }
    }
  }
  std::vector<report::Setting> all;
  for (const auto& [path, setting] : unread)
    if (!read.contains(path)) all.push_back(setting);
  return all;
}

study::Answer measure(const study::Machines& machines, const study::Reading& any, stats::Detail statistics) {
  return std::visit(
      [&](const auto& reading) -> study::Answer {
        const machine::MachineSpec& spec = machines.at(reading.machine).spec;
        auto question = reading.question;
        question.statistics = statistics;
        tools::OnIdleThreads executor;
        try {
          if constexpr (std::is_same_v<std::decay_t<decltype(reading)>, study::LatencyReading>)
            return study::measure_latency(spec, question, reading.footprint_bytes);
          else if constexpr (std::is_same_v<std::decay_t<decltype(reading)>, study::KernelReading>)
            return study::measure_kernel(spec, question, &executor);
          else if constexpr (std::is_same_v<std::decay_t<decltype(reading)>, study::HandoffReading>)
            return study::measure_handoffs(spec, question);
          else if (question.timed_bytes == 0)
            return study::measure_steady_bandwidth(spec, question, reading.footprint_bytes, &executor);
          else
            return study::measure_bandwidth(spec, question, reading.footprint_bytes, &executor);
        } catch (const InvalidRequest& error) {
          throw InputError(reading.where.diagnostic(
              fmt::format("{} cannot run this question: {}", reading.machine.gpu, error.what())));
        }
      },
      any);
}

// The readings of one round, and their results.
struct Round {
  std::vector<study::Reading> wanted;
  tools::Progress progress;
  std::optional<tools::Points<study::Answer>> points{};  // destroyed first: uses the members above

  Round(std::vector<study::Reading> readings, const char* what, bool quiet)
      : wanted(std::move(readings)), progress(what, wanted.size(), quiet) {}
};

// In rounds: each evaluates the readings that the results of the previous one require. After an
// interrupt there are no more rounds.
study::Readings read_machines(const std::vector<study::Expectation>& expectations, const study::Machines& machines,
                              const Options& options, stats::Detail statistics, std::deque<Round>& rounds) {
  study::Readings known;
  const std::size_t jobs = options.count("jobs", 0, 1024);
  for (auto wanted = study::needed(expectations, known); !wanted.empty(); wanted = study::needed(expectations, known)) {
    Round& round = rounds.emplace_back(std::move(wanted), known.empty() ? "readings" : "knees", options.has("quiet"));
    round.points.emplace(tools::collect_points<study::Answer>(
        round.wanted.size(), jobs, round.progress,
        [&](std::size_t i) { return measure(machines, round.wanted[i], statistics); }));
    for (std::size_t i = 0; i < round.points->numbers.size(); ++i)
      known.add(round.wanted[round.points->numbers[i]], round.points->answers[i]);
    if (!round.points->complete()) break;
  }
  return known;
}

// A part for each reading of a row: for a knee, those at its ends.
void add_statistics(StatsFile& file, const std::vector<study::Expectation>& rows, const study::Readings& known) {
  for (const study::Expectation& row : rows) {
    std::size_t number = 0;
    const auto add = [&](std::string point, const std::vector<stats::Statistic>& statistics) {
      file.add({row.id, fmt::format("{}", number++), std::move(point)}, statistics);
    };
    for (const study::Reading& any : study::needed(std::span(&row, 1), {})) {
      if (const auto* chase = std::get_if<study::LatencyReading>(&any)) {
        add(fmt::format("{}", chase->footprint_bytes), known.latency.at(*chase).statistics);
      } else if (const auto* stream = std::get_if<study::BandwidthReading>(&any)) {
        add(fmt::format("{}", stream->footprint_bytes), known.bandwidth.at(*stream).statistics);
      } else if (const auto* kernel = std::get_if<study::KernelReading>(&any)) {
        add(kernel->question.kernel, known.kernels.at(*kernel).statistics);
      } else {
        const auto& pairs = std::get<study::HandoffReading>(any);
        for (const study::HandoffPoint& pair : known.handoffs.at(pairs))
          add(fmt::format("cores {} and {}", pair.cores.first, pair.cores.second), pair.statistics);
      }
    }
  }
}

// Those whose readings are all there.
std::vector<study::Expectation> answered(const std::vector<study::Expectation>& expectations,
                                         const study::Readings& known) {
  std::vector<study::Expectation> rows;
  std::copy_if(expectations.begin(), expectations.end(), std::back_inserter(rows),
               [&](const study::Expectation& row) { return study::needed(std::span(&row, 1), known).empty(); });
  return rows;
}

report::Kind kind_of(study::Kind kind) {
  switch (kind) {
    case study::Kind::spec:
      return report::Kind::spec;
    case study::Kind::fitted:
      return report::Kind::fitted;
    case study::Kind::predicted:
      return report::Kind::predicted;
    case study::Kind::ordering:
      return report::Kind::ordering;
  }
  throw std::logic_error("an expectation without kind");
}

std::string subtitle(const study::ComparedCurve& curve) {
  return fmt::format("{}{}{}", in_words(curve.question), curve.machine.set.empty() ? "" : ", ",
                     fmt::join(curve.machine.set, ", "));
}

report::CurveReport report_of(const study::ComparedCurve& curve, const study::Machines& machines,
                              const std::string& fingerprint) {
  const machine::MachineSpec& spec = machines.at(curve.machine).spec;
  report::CurveReport out;
  out.heading = {version, curve.machine.gpu, fingerprint};
  out.title = fmt::format("{}: load-to-use latency", spec.name);
  out.subtitle = subtitle(curve);
  for (const study::LatencyPoint& point : curve.line) {
    out.points.push_back({point.footprint_bytes, point.latency_ns, point.latency_cycles, {}});
    for (const study::LevelShare& share : point.served_by)
      out.points.back().hit_level_shares.emplace_back(share.level, share.share);
  }
  const bool nanoseconds = curve.unit.dimension == study::Dimension::time;
  for (const study::Plateau& plateau : study::plateaus(curve.line))
    out.plateaus.push_back({nanoseconds ? plateau.latency_ns : plateau.latency_cycles,
                            static_cast<double>(plateau.from_bytes), static_cast<double>(plateau.to_bytes),
                            plateau.level});
  for (const machine::Capacity& capacity : machine::capacities(spec))
    out.capacities.push_back({static_cast<double>(capacity.bytes), capacity.level});
  out.comparison = report::Comparison{curve.source, nanoseconds ? "ns" : "cycles", {}};
  for (const study::MeasuredPoint& point : curve.measured)
    out.comparison->points.push_back({point.footprint_bytes, point.measured, point.predicted});
  return out;
}

report::ValidationReport report_of(const std::vector<study::Expectation>& expectations, const study::Machines& machines,
                                   const study::Readings& readings) {
  report::ValidationReport out;
  for (const study::Expectation& expectation : expectations) {
    const study::Row row = study::evaluate(expectation, machines, readings);
    out.rows.push_back({expectation.id, expectation.gpu, expectation.quantity,
                        std::string(expectation.measure.unit.name), row.measured, row.predicted, row.error,
                        row.tolerance, kind_of(expectation.kind), expectation.source, row.pass, row.note});
    out.rows.back().absolute = row.absolute;
    for (const study::RowPoint& point : row.points)
      out.rows.back().points.push_back({point.label, point.measured, point.predicted});
  }
  std::uint64_t fingerprint = 0;
  for (const auto& [reading, point] : readings.latency) fingerprint = mix(fingerprint, point.fingerprint);
  for (const auto& [reading, point] : readings.bandwidth) fingerprint = mix(fingerprint, point.fingerprint);
  out.heading = {version, fmt::format("{}", fmt::join(report::gpus_of(out.rows), ", ")), hexadecimal(fingerprint)};
  for (const study::ComparedCurve& curve : study::compared_curves(expectations, readings))
    out.curves.push_back(report_of(curve, machines, out.heading.fingerprint));
  return out;
}

}  // namespace

Options validate_options(const Arguments&) {
  Options options(
      "validate [options]",
      "Predicts every expectation of validation/ and compares it with the measurement. Each row has a kind:\n"
      "`spec` follows from the configuration by arithmetic; a parameter was tuned on a `fitted` row; nothing\n"
      "was tuned on a `predicted` row; an `ordering` states that one quantity exceeds another.\n"
      "Exit status 1: a row is outside its tolerance.",
      "strata validate --gpu h200 --html h200.html");
  describe_validate(options);
  return options;
}

int validate(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  // Reading the rows and configuring their machines takes seconds on a slow host.
  const tools::Keeping keeping;
  const tools::Library library = tools::Library::beside_program();
  const std::vector<study::Expectation> expectations = chosen(library, options);
  const study::Machines machines = configure(library, expectations, options.texts("set"));
  study::check(expectations, machines);

  const std::vector<report::Setting> given = unread_by_all(library, expectations, machines, options.texts("set"));
  print_notes(given);

  std::deque<Round> rounds;
  const study::Readings readings = read_machines(expectations, machines, options, statistics.detail(), rounds);
  const std::vector<study::Expectation> rows = tools::interrupted() ? answered(expectations, readings) : expectations;
  const std::optional<report::Incomplete> kept = what_is_kept(rows.size(), expectations.size(), "rows");
  report::ValidationReport report = report_of(rows, machines, readings);
  report.heading.incomplete = kept;
  report.settings = given;
  if (outputs.json) tools::write_file(*outputs.json, report::json(report));
  if (outputs.csv) tools::write_file(*outputs.csv, report::csv(report));
  if (outputs.html) tools::write_file(*outputs.html, report::html(report));
  if (!outputs.claims_stdout()) std::cout << report::table(report);
  add_statistics(statistics, rows, readings);
  statistics.write(report.heading, {{"row", {"row", report::Align::left}},
                                    {"reading", {"reading", report::Align::right}},
                                    {"footprint_or_kernel", {"footprint or kernel", report::Align::left}}});
  const report::ValidationSummary summary = report::summarise(report.rows);
  return finish(report.heading, summary.all.passed == summary.all.rows ? exit_done : exit_failed_check);
}

}  // namespace strata::cli
