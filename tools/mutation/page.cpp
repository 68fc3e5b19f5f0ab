// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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

- A move **matters** when the answer to a standard question changes by more than
  1 %: the latency of shared memory, L1 and L2; read within the L1 of four cores,
  read and copy within L2; five kernels that find the caches empty, a pointer chase
  and a stream from memory among them; and a copy in memory where the last cache
  holds at most 32 MiB.
- It is **killed** when a row fails that holds on the machine as it is.
- It **survives** when it matters and no row fails.
- Moves **without effect** on the standard questions and moves that are
  **refused** are not counted.

The score is killed / (killed + survived). A row that takes longer than the
budget of the run (`--budget`, estimated seconds) is not asked, so a score is a
lower bound. `validation/mutation/` holds the verdict on each move, with the
question that changes and the row that fails.

```text
build/strata-mutation --gpu rtx4060             # new and surviving moves of one GPU
build/strata-mutation --gpu rtx4060 --fresh     # all of its moves
build/strata-mutation --sample 7 20             # do 20 recorded kills still kill?
build/strata-mutation --page docs/design/mutation-score.md
```

)";

struct Score {
  std::size_t killed = 0;
  std::size_t survived = 0;
  std::size_t idle = 0;
  std::size_t refused = 0;
};

Score score_of(const std::vector<Outcome>& outcomes) {
  Score score;
  for (const Outcome& one : outcomes) {
    switch (one.verdict) {
      case Verdict::killed: ++score.killed; break;
      case Verdict::survived: ++score.survived; break;
      case Verdict::idle: ++score.idle; break;
      case Verdict::refused: ++score.refused; break;
    }
  }
  return score;
}

}  // namespace

std::string page(const std::map<std::string, std::vector<Outcome>>& by_gpu) {
  std::string out = introduction;
  out += "## Scores\n\n| GPU | moves that matter | killed | survived | score | without effect | refused |\n";
  out += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& [gpu, outcomes] : by_gpu) {
    const Score s = score_of(outcomes);
    const std::size_t counted = s.killed + s.survived;
    const double share = counted == 0 ? 0 : 100 * static_cast<double>(s.killed) / static_cast<double>(counted);
    out += fmt::format("| `{}` | {} | {} | {} | {:.1f} % | {} | {} |\n", gpu, counted, s.killed, s.survived, share, s.idle, s.refused);
  }
  out += "\n## Survivors\n\nThe setting, its value and where it was moved; in brackets the question whose answer changes.\n";
  for (const auto& [gpu, outcomes] : by_gpu) {
    out += fmt::format("\n### {}\n\n", gpu);
    std::string list;
    for (const Outcome& one : outcomes)
      if (one.verdict == Verdict::survived)
        list += fmt::format("- `{}`: {} to {} ({})\n", one.path, one.from, one.to, one.question);
    out += list.empty() ? "None.\n" : list;
  }
  return out;
}

}  // namespace strata::mutation
