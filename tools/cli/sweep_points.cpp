// SPDX-License-Identifier: Apache-2.0
#include "sweep_points.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"

namespace strata::cli {

namespace {

constexpr std::size_t most_shards = 100'000;

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Portion read_portion(const Options& options, const Outputs& outputs) {
  Portion portion;
  portion.directory = options.text("out");
  portion.merge = options.has("merge");
  const auto shard = options.text("shard");
  if (portion.directory && portion.directory->empty()) refuse_sweep("--out", "names no directory");
  if (portion.merge && shard) refuse_sweep("--merge", "reports all shards, and --shard runs one; remove one of them");
  if (!portion.directory && (shard || portion.merge))
    refuse_sweep(shard ? "--shard" : "--merge", "needs a directory for the results",
                 "name one that all shards can write, as --out DIR");
  if (!shard) return portion;
  const std::size_t slash = shard->find('/');
  const auto number = whole(std::string_view(*shard).substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : whole(std::string_view(*shard).substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of || *of > most_shards)
    refuse_sweep("--shard " + *shard,
                 fmt::format("is I/N: the I-th of N parts, from 1/N to N/N, N at most {}", most_shards),
                 "as in --shard 2/8");
  if (outputs.json || outputs.csv || outputs.svg || outputs.html)
    refuse_sweep("--shard " + *shard, "runs a part of the points, but a report needs all of them",
                 "run every shard, then the same sweep with --merge instead");
  portion.shard = *number - 1;
  portion.shards = *of;
  return portion;
}

SweepRun::SweepRun(const SweepPlan& plan, const SweepQuestionKind& kind, Portion portion)
    : plan_(plan), portion_(std::move(portion)) {
  if (!portion_.directory) return;
  kept_ = std::make_unique<KeptAnswers>(*portion_.directory, kind.figures.size(), kind.words.size());
  names_ = plan.names();
  for (const std::string& place : kept_->damaged())
    fmt::print(stderr, "note: {} is not the result of a point and is ignored\n", printable(place));
}

// Neighbours, which take about as long as each other, are of different shards.
bool SweepRun::of_this_shard(std::size_t point) const {
  return portion_.shards == 0 || point % portion_.shards == portion_.shard;
}

void SweepRun::check(std::size_t jobs, bool quiet, bool skip) {
  const std::size_t all = plan_.grid().points();
  std::vector<bool> run(all);
  std::size_t left = 0;
  for (std::size_t point = 0; point < all; ++point) {
    if (!of_this_shard(point)) continue;
    run[point] = kept_ == nullptr || kept_->find(names_[point]) == nullptr;
    (run[point] ? left : kept_points_) += 1;
  }
  skip_ = skip;
  SweepPlan::Checked checked = plan_.check(run, jobs, quiet, skip);
  to_run_ = std::move(checked.points);
  refused = std::move(checked.refused);
  for (const std::string& refusal : refused) fmt::print(stderr, "skipped: {}\n", printable(refusal));
  if (!refused.empty())
    fmt::print(stderr, "note: {} of {} points are refused and skipped\n", left - to_run_.size(), left + kept_points_);
  if (portion_.merge && !to_run_.empty())
    refuse_sweep("--merge", fmt::format("{} of {} points are not in {}", to_run_.size(), asked(), *portion_.directory),
                 "run the shards that are missing; without --merge this command runs those points itself");
  if (kept_ != nullptr && !quiet && (kept_points_ > 0 || portion_.shards > 0))
    fmt::print(stderr, "note: {} of {} points are in {} already\n", kept_points_, asked(),
               printable(*portion_.directory));
}

void SweepRun::measure(std::size_t jobs, bool quiet, stats::Detail statistics) {
  progress_.emplace("sweep", to_run_.size(), quiet);
  auto measured =
      tools::collect_points<SweepAnswer>(to_run_.size(), jobs, *progress_, [this, statistics](std::size_t i) {
        const std::size_t point = to_run_[i];
        SweepAnswer answer;
        try {
          answer = plan_.measure(point, statistics);
        } catch (const InputError& error) {
          if (!skip_) throw;
          answer.refused = error.what();
          return answer;
        }
        if (kept_ != nullptr) kept_->keep(names_[point], plan_.values(point), answer);
        return answer;
      });
  if (measured.complete()) progress_.reset();  // clears its line before notes are printed
  under_way_.emplace(std::move(measured.under_way));
  std::size_t next = 0;
  for (std::size_t point = 0; point < plan_.grid().points(); ++point) {
    if (next < measured.numbers.size() && to_run_[measured.numbers[next]] == point) {
      SweepAnswer& answer = measured.answers[next++];
      if (answer.refused.empty()) {
        points.push_back(point);
        answers.push_back(std::move(answer));
      } else {
        fmt::print(stderr, "skipped: {}\n", printable(answer.refused));
        refused.push_back(std::move(answer.refused));
        ++refused_in_run_;
      }
    } else if (kept_ != nullptr && of_this_shard(point)) {
      if (const SweepAnswer* kept = kept_->find(names_[point])) {
        points.push_back(point);
        answers.push_back(*kept);
      }
    }
  }
}

}  // namespace strata::cli
