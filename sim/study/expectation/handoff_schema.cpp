// SPDX-License-Identifier: Apache-2.0
// The hand-off of an expectation file.
#include "study/expectation/schema.hpp"

namespace strata::study::written {

using config::choices;
using config::range;

config::Schema<HandoffAt> handoff_schema() {
  return config::Schema<HandoffAt>("handoff", "compare-and-swap in turns by two threads")
      .optional("space", of<HandoffAt>(&HandoffQuestion::space),
                "where the word lies: between two cores, or inside a block",
                choices<trace::Space>({{"global", trace::Space::global}, {"shared", trace::Space::shared}}))
      .optional("home", of<HandoffAt>(&HandoffQuestion::home), "of the word, as the first core sees it",
                choices<ChaseHome>({{"any", ChaseHome::any}, {"near", ChaseHome::near}, {"far", ChaseHome::far}}))
      .optional("address", of<HandoffAt>(&HandoffQuestion::address), "of the word, bytes")
      .optional("loop", of<HandoffAt>(&HandoffQuestion::loop_cycles), "core cycles from an answer to the next attempt",
                range(0.0, 1e6))
      .optional("handoffs", of<HandoffAt>(&HandoffQuestion::handoffs), "timed for each pair", range(1, 1 << 20))
      .optional("pairs", of<HandoffAt>(&HandoffDraw::pairs), "measured at most; 0: all", range(0, 1 << 30))
      .optional("seed", of<HandoffAt>(&HandoffDraw::seed), "of their draw")
      .optional("figure", &HandoffAt::figure, "what is asked of the pairs",
                choices<HandoffFigure>({{"mean", HandoffFigure::mean, "over the pairs"},
                                        {"least", HandoffFigure::least, "of the fastest pair"},
                                        {"most", HandoffFigure::most, "of the slowest pair"}}))
      .optional("relation", &HandoffAt::relation, "of the pairs that count, a name of `strata handoff`; else all")
      .optional("set", &HandoffAt::set, "settings, each `path=value`");
}

}  // namespace strata::study::written
