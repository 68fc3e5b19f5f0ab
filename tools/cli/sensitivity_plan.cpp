// SPDX-License-Identifier: Apache-2.0
#include "sensitivity_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/invalid_request.hpp"
#include "base/text_distance.hpp"
#include "config/explain.hpp"
#include "machine/checks/unread.hpp"
#include "machine/machine.hpp"
#include "study/sweep/values.hpp"

namespace strata::cli {

namespace {

// "l2" begins "l2.cache.ways" and not "l2_prefetch.depth".
bool begins(const std::string& path, const std::string& prefix) {
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || prefix.ends_with('.') || path[prefix.size()] == '.' ||
         path[prefix.size()] == '[';
}

std::string message_of(const InputError& error) {
  std::string all;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    all += (all.empty() ? "" : "; ") + diagnostic.message;
    if (!diagnostic.hint.empty()) all += fmt::format(" ({})", diagnostic.hint);
  }
  return all;
}

}  // namespace

SensitivityPlan::SensitivityPlan(const Gpu& gpu, const SweepQuestionKind& kind, const Options& options, double by,
                                 const std::string& only)
    : gpu_(gpu), kind_(kind), question_(kind.read(options)), fixed_(question_options(kind, options)) {
  find_things(by, only);
}

void SensitivityPlan::find_things(double by, const std::string& only) {
  const config::Effective effective = gpu_.loaded.effective();
  const auto schema = machine::MachineSpec::schema().info();
  const machine::Activity does = question_->does(gpu_.spec());
  std::vector<std::string> read;
  for (study::NumberSetting& setting : study::number_settings(effective)) {
    ++numbers_;
    if (machine::why_unread(gpu_.spec(), does, config::indexed_path(effective, setting.path))) {
      ++unread_;
      continue;
    }
    read.push_back(setting.path);
    if (!only.empty() && !begins(setting.path, only)) continue;
    Thing thing{std::move(setting), study::kind_of_setting(*schema, read.back()), 0, {}, {}};
    if (thing.kind != nullptr) {
      thing.number = study::number_of(thing.setting.value, *thing.kind).value_or(0);
      thing.down = study::moves(thing.setting.value, *thing.kind, study::Direction::down, by);
      thing.up = study::moves(thing.setting.value, *thing.kind, study::Direction::up, by);
    }
    things_.push_back(std::move(thing));
  }
  if (!things_.empty() || only.empty()) return;
  throw InputError(Diagnostic{"--only", 0, 0,
                              fmt::format("no number that this question reads has a path that begins with '{}'", only),
                              did_you_mean(nearest_name(only, read))});
}

MovedAnswer SensitivityPlan::ask(const std::vector<std::string>& overrides, stats::Detail statistics) const {
  std::vector<Diagnostic> diagnostics;
  const machine::MachineSpec spec = gpu_.loaded.with(overrides, diagnostics);
  throw_if_any(std::move(diagnostics));
  {
    machine::Machine machine(spec);
    question_->check(machine);
  }
  SweepAnswer answer = question_->measure(spec, statistics);
  return {0, true, answer.figures[kind_.drawn], {}, answer.fingerprint, std::move(answer.statistics)};
}

MovedAnswer SensitivityPlan::base(stats::Detail statistics) const {
  return cli::ask(gpu_, [&] { return ask({}, statistics); });
}

MovedAnswer SensitivityPlan::move(std::size_t index) const {
  const Thing& thing = things_[index / 2];
  const std::vector<study::Move>& tried = index % 2 == 0 ? thing.down : thing.up;
  MovedAnswer refused;
  if (tried.empty()) {
    refused.refused = thing.kind == nullptr ? "is not moved: it has no unit to which a factor applies"
                      : thing.number == 0   ? "is 0, which no factor moves"
                                            : "no other whole number above 0 lies near";
    return refused;
  }
  for (std::size_t i = 0; i < tried.size(); ++i) {
    std::string why;
    try {
      MovedAnswer answer = ask({thing.setting.path + "=" + tried[i].text});
      answer.chosen = i;
      return answer;
    } catch (const InputError& error) {
      why = message_of(error);
    } catch (const InvalidRequest& error) {
      why = error.what();
    }
    if (i == 0) refused.refused = fmt::format("at {}: {}", tried[i].text, why);
  }
  return refused;
}

MovedAnswer SensitivityPlan::draw(const std::vector<std::size_t>& things, double range, std::uint64_t seed,
                                  std::uint64_t number) const {
  std::vector<std::string> overrides;
  for (const std::size_t i : things) {
    const Thing& thing = things_[i];
    overrides.push_back(thing.setting.path + "=" +
                        study::drawn(thing.setting.path, thing.setting.value, *thing.kind, range, seed, number).text);
  }
  try {
    return ask(overrides);
  } catch (const InputError& error) {
    return {0, false, 0, message_of(error), 0};
  } catch (const InvalidRequest& error) {
    return {0, false, 0, error.what(), 0};
  }
}

}  // namespace strata::cli
