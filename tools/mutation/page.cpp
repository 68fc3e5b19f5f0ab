// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "questions.hpp"
#include "record.hpp"

namespace strata::mutation {

namespace {

constexpr const char* introduction = R"(# Mutation score

Written by `strata-mutation --page docs/design/mutation-score.md`; do not edit.

How much of a configuration do the rows of `validation/` hold in place? Each
number of a GPU's effective configuration is moved to half of its value and to
half as much again, one move at a time. Where that value is refused or not
whole, the nearest that is allowed is taken. Seeds, ends of links, lists of numbers
(masks of address bits), zeros, texts and choices are not moved.

- A move **matters** when the answer to a standard question changes by more than the
  threshold of its kind: **3 %** of a latency or a steady bandwidth, **5 %** of the time
  of a whole kernel. Such questions are the latency of shared memory, L1 and L2; read
  within the L1 of four cores, read within L2 by sixteen cores, copy within L2 by all;
  a copy in memory where the last cache holds at most 32 MiB; and five kernels that find
  the caches empty, a pointer chase and a stream from memory among them.
- It is **killed** when a row fails that holds on the machine as it is.
- It **survives** when no row fails.
- Moves **without effect**, which change no answer by 1 %, and moves that are
  **refused** are not counted.

The score is killed / (killed + survived). The targets, 90 % on `b200`, `mi300x` and
`b580` and 60 % on each machine, are judged by the score of the moves that matter. A row
that takes longer than the budget of the run (`--budget`, estimated seconds) is not
asked, so a score is a lower bound. `validation/mutation/` holds the verdict on each
move, the largest change of both kinds with its question, and the row that fails.

## Why these thresholds

A change that is smaller than what the model claims to know fails no row whose tolerance
comes from its source. So whether such a move is killed says nothing about the rows.

- **3 %** is the tolerance of plateaus of latency and the aim for steady rates
  ([validation](validation.md)); `predicted` rows err by more on the mean. The order in
  which equal events are served, which no document settles, moves a steady rate by 0.35 %.
- **5 %** lies just above the 4 % by which the order of equal events alone moves the time
  of a whole kernel: that time hangs on its slowest warp. Measured kernels are to be met
  within 12 % on the mean.

Smaller changes are counted apart, in the columns on the right of the table: the score at
1 % takes in every move that changes any answer by more than 1 %, by which this page
judged at first. Most of what it adds changes nothing but a kernel of some microseconds,
by no more than 5 %.

Two properties of the questions matter to the scores. The kernels but for
the chase are of 16 to 256 blocks and take 2 to 12 us, of which launching is a large part,
as it is for a user's short kernels: its constants count. And what is read within L2 is more than the L1s of
the cores hold, since otherwise the question would be one about L1s.

```text
build/strata-mutation --gpu rtx4060             # new and surviving moves of one GPU
build/strata-mutation --gpu rtx4060 --fresh     # all of its moves
build/strata-mutation --gpu rtx4060 --setting l2 --budget 40   # long rows too, of a part of the settings
build/strata-mutation --sample 7 20             # do 20 recorded kills still kill?
build/strata-mutation --page docs/design/mutation-score.md
```

)";

constexpr const char* remarks = R"(
What survives is of three kinds.

- **What launching a kernel costs** (`launch`): measured on H200 and MI300X alone; the other
  machines take over the figures, and no document says whether rightly.
- **Widths of the crossbar for requests and stores**: documents give rates of reading;
  a rate of stores within an L2 is known of H200 alone.
- **Queues and thresholds of the memory controllers**: vendors publish none. Rates of
  streams hold some of them in place.
)";

// The change that puts a move furthest over its threshold.
std::string change_of(const Outcome& one) {
  const bool kernel = one.kernel.part / kernel_threshold > one.steady.part / steady_threshold;
  const Change& change = kernel ? one.kernel : one.steady;
  return fmt::format("{:.3g} % of {}", 100 * change.part, change.question);
}

// Those whose score is below its target.
std::string below_target(const std::map<std::string, std::vector<Outcome>>& by_gpu) {
  constexpr std::array<std::string_view, 3> main_machines{"b200", "b580", "mi300x"};
  std::string names;
  for (const auto& [gpu, outcomes] : by_gpu) {
    const bool is_main = std::find(main_machines.begin(), main_machines.end(), gpu) != main_machines.end();
    const Score score = scores_of(outcomes).matters;
    const double target = is_main ? 90 : 60;
    if (score.percent() < target)
      names += fmt::format("{}`{}`, {:.1f} % of {:.0f} % (survivors: {})", names.empty() ? "" : "; ", gpu,
                           score.percent(), target, score.survived);
  }
  return names.empty() ? "Every machine reaches its target.\n" : "Below the target: " + names + ".\n";
}

}  // namespace

std::string page(const std::map<std::string, std::vector<Outcome>>& by_gpu) {
  std::string out = introduction;
  out +=
      "## Scores\n\n| GPU | moves that matter | killed | survived | **score** | more than 1 % of any answer | killed | "
      "score at 1 % | without effect | refused |\n";
  out += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& [gpu, outcomes] : by_gpu) {
    const Scores s = scores_of(outcomes);
    out += fmt::format("| `{}` | {} | {} | {} | **{:.1f} %** | {} | {} | {:.1f} % | {} | {} |\n", gpu,
                       s.matters.counted(), s.matters.killed, s.matters.survived, s.matters.percent(),
                       s.slight.counted(), s.slight.killed, s.slight.percent(), s.idle, s.refused);
  }
  out += "\n" + below_target(by_gpu) + remarks;
  out +=
      "\n## Survivors\n\nOf the moves that matter: the setting, its value and where it was moved; in brackets the "
      "answer that changes most for its threshold.\n";
  for (const auto& [gpu, outcomes] : by_gpu) {
    out += fmt::format("\n### {}\n\n", gpu);
    std::string list;
    for (const Outcome& one : outcomes)
      if (one.verdict == Verdict::survived && one.matters())
        list += fmt::format("- `{}`: {} to {} ({})\n", one.path, one.from, one.to, change_of(one));
    out += list.empty() ? "None.\n" : list;
  }
  return out;
}

}  // namespace strata::mutation
