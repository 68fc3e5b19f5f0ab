// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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
(masks of address bits), noughts, texts and choices are not moved.

- A move **matters** when the answer to a standard question changes by more than the
  threshold of its kind: **2 %** of a latency or a steady bandwidth, **5 %** of the time
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

A move that changes no answer beyond what the model claims to know is not one that a
row could fail on, unless the row were narrower than its source.

- Plateaus of latency and steady rates are to hold within 3 % of what was measured
  (`predicted` rows within 4.7 % on the mean), and the order in which equal events are
  served, which no document settles, moves a steady rate by 0.35 %. 2 % lies between.
- The time of a whole kernel hangs on its slowest warp. The order of equal events alone
  moves it by 4 %, and measured kernels are met within 12 % on the mean. 5 % is just above
  the former.

Changes between 1 % and the thresholds are counted as well, in the columns on the right
of the table: the score at 1 % takes in every move that changes any answer by more than
1 %. Up to November it was the only score. The product and the atomics were too small
then, of 4 blocks and 2 us: they are those of 16 blocks and 256 blocks now. Launching
remains a large part of them, as it is for every kernel of some microseconds, and its
constants count. What was called a read within L2 had lain in the L1s of all cores.

```text
build/strata-mutation --gpu rtx4060             # new and surviving moves of one GPU
build/strata-mutation --gpu rtx4060 --fresh     # all of its moves
build/strata-mutation --sample 7 20             # do 20 recorded kills still kill?
build/strata-mutation --page docs/design/mutation-score.md
```

)";

constexpr const char* remarks = "";

// The change that puts a move furthest over its threshold.
std::string change_of(const Outcome& one) {
  const bool kernel = one.kernel.part / kernel_threshold > one.steady.part / steady_threshold;
  const Change& change = kernel ? one.kernel : one.steady;
  return fmt::format("{:.3g} % of {}", 100 * change.part, change.question);
}

}  // namespace

std::string page(const std::map<std::string, std::vector<Outcome>>& by_gpu) {
  std::string out = introduction;
  out += "## Scores\n\n| GPU | moves that matter | killed | survived | **score** | more than 1 % of any answer | killed | score at 1 % | without effect | refused |\n";
  out += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& [gpu, outcomes] : by_gpu) {
    const Scores s = scores_of(outcomes);
    out += fmt::format("| `{}` | {} | {} | {} | **{:.1f} %** | {} | {} | {:.1f} % | {} | {} |\n", gpu, s.matters.counted(),
                       s.matters.killed, s.matters.survived, s.matters.percent(), s.slight.counted(), s.slight.killed,
                       s.slight.percent(), s.idle, s.refused);
  }
  out += remarks;
  out += "\n## Survivors\n\nOf the moves that matter: the setting, its value and where it was moved; in brackets the answer that changes most for its threshold.\n";
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
