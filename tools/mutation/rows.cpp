// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include "cost.hpp"

namespace strata::mutation {

Rows::Rows(const Configurations& configurations, std::string gpu, const std::vector<study::Expectation>& all,
           double budget, const std::vector<std::string>& only)
    : configurations_(configurations), gpu_(std::move(gpu)) {
  std::vector<study::Expectation> wanted;
  for (const study::Expectation& row : all) {
    if (!row.is_about(gpu_)) continue;
    const bool named =
        std::any_of(only.begin(), only.end(), [&](const std::string& id) { return row.id.starts_with(id); });
    if (!only.empty() && !named) continue;
    if (estimated_seconds(row) > budget)
      left_out_.push_back(row.id);
    else
      wanted.push_back(row);
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const auto& a, const auto& b) { return estimated_seconds(a) < estimated_seconds(b); });
  study::Machines machines;
  study::Readings readings;
  for (study::Expectation& row : wanted) {
    if (holds(row, "", machines, readings))
      rows_.push_back(std::move(row));
    else
      left_out_.push_back(row.id);
  }
  std::erase_if(readings.latency, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.bandwidth, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.kernels, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.handoffs, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  others_ = std::move(readings);
}

bool Rows::holds(const study::Expectation& row, const std::string& setting, study::Machines& machines,
                 study::Readings& readings) const {
  const std::span one(&row, 1);
  for (const auto& [key, where] : study::machines_of(one)) {
    if (machines.contains(key)) continue;
    std::vector<std::string> settings;
    if (key.gpu == gpu_ && !setting.empty()) settings.push_back(setting);
    settings.insert(settings.end(), key.set.begin(), key.set.end());
    machines.emplace(key, configurations_.with(key.gpu, settings));
  }
  for (auto wanted = study::needed(one, readings); !wanted.empty(); wanted = study::needed(one, readings))
    for (const study::Reading& reading : wanted) {
      const study::MachineKey& key =
          std::visit([](const auto& of) -> const study::MachineKey& { return of.machine; }, reading);
      readings.add(reading, measure(machines.at(key).spec, reading));
    }
  return study::evaluate(row, machines, readings).pass;
}

std::optional<std::string> Rows::first_failure(const std::string& setting) const {
  study::Machines machines;
  study::Readings readings = others_;
  for (const study::Expectation& row : rows_) {
    try {
      if (!holds(row, setting, machines, readings)) return row.id;
    } catch (const std::exception&) {
      // A setting that the row itself sets may not fit the moved one.
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace strata::mutation
