// SPDX-License-Identifier: Apache-2.0
#include "study/latency/chase_paths.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "machine/machine.hpp"

namespace strata::study {

namespace {
// Between the last answer and completion no block marks a stage for a sampled line: the load
// waits for the port through which answers reach the registers.
constexpr memory::Stage register_return = std::numeric_limits<memory::Stage>::max();

const memory::StageName& named(const machine::Machine& machine, memory::Stage stage) {
  static const memory::StageName last{"register return", memory::StageKind::other, {}};
  return stage == register_return ? last : machine.stages().described(stage);
}
}  // namespace

void ChasePaths::listen(memory::JourneySampler& sampler) {
  sampler.listen({[](void* self, const memory::Journey& journey, std::uint32_t core, std::uint32_t) {
                    static_cast<ChasePaths*>(self)->answered(journey, core);
                  },
                  this});
}

void ChasePaths::answered(const memory::Journey& journey, std::uint32_t core) {
  const std::vector<memory::Milestone>& line = journey.milestones();
  std::vector<memory::Milestone>& last = last_line_[core];
  if (line.empty()) return;
  if (last.empty() || line.back().until > last.back().until) last = line;
}

void ChasePaths::completed(std::uint32_t core, Duration latency, unsigned served_by) {
  std::vector<memory::Milestone> line = std::exchange(last_line_[core], {});
  if (line.empty()) return;
  const Time completed = line.front().from + latency;
  if (completed > line.back().until) line.push_back({register_return, line.back().until, completed});
  Stages stages;
  for (const memory::Milestone& milestone : line) stages.push_back(milestone.stage);
  if (by_level_.size() <= served_by) by_level_.resize(served_by + 1);
  Path& path = by_level_[served_by][stages];
  path.spent.resize(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) path.spent[i] += line[i].until - line[i].from;
  path.latency += latency;
  ++path.loads;
}

LevelPath ChasePaths::mean(const Stages& stages, const Path& path) const {
  const auto loads = static_cast<double>(path.loads);
  LevelPath mean;
  mean.taken = path.loads;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const memory::StageName& stage = named(machine_, stages[i]);
    const memory::StageName* const next = i + 1 < stages.size() ? &named(machine_, stages[i + 1]) : nullptr;
    mean.stages.push_back({stage.name, machine_.core_clock().count(path.spent[i]) / loads,
                           machine_.timebase().to_nanoseconds(path.spent[i]) / loads, stage_note(stage, next)});
  }
  mean.cycles = machine_.core_clock().count(path.latency) / loads;
  mean.ns = machine_.timebase().to_nanoseconds(path.latency) / loads;
  return mean;
}

std::vector<LevelPath> ChasePaths::most_common(const std::vector<std::string>& levels) const {
  std::vector<LevelPath> paths;
  for (std::size_t i = 0; i < by_level_.size(); ++i) {
    const auto& all = by_level_[i];
    if (all.empty()) continue;
    const auto most = std::max_element(all.begin(), all.end(),
                                       [](const auto& a, const auto& b) { return a.second.loads < b.second.loads; });
    LevelPath path = mean(most->first, most->second);
    path.level = levels[i];
    for (const auto& [stages, other] : all) path.loads += other.loads;
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace strata::study
