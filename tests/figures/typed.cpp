// SPDX-License-Identifier: Apache-2.0
// Which numbers count as typed figures.
#include "figures/typed.hpp"
#include "catch.hpp"

namespace {
using namespace strata::figures;  // NOLINT(google-build-using-namespace)

std::size_t typed(const std::string& text, const std::vector<Allowed>& allowed = {}) {
  return typed_figures(read_page("docs/guide/p.md", text), allowed).size();
}
}  // namespace

TEST_CASE("a_number_with_a_unit_a_decimal_and_a_cell_that_is_a_number_are_figures") {
  for (const char* text : {"within 8.0 % of it", "reads 7.26 TB/s", "at 458 cycles", "takes 20 ns", "(3.56 against",
                           "| B200 | 26 | x |", "| x | **412** |", "about 12,000 MB/s", "64 B/clk", "5%",
                           "0.20 TFLOP/s", "3 us", "half of it, at 458.", "lasts 12\nns"}) {
    INFO(text);
    CHECK(typed(text) == 1);
  }
}

TEST_CASE("sizes_counts_and_words_are_no_figures") {
  for (const char* text : {"an L2 of 189 MiB", "32 lanes", "Debian 12", "exit status 2", "lines of 128 B", "512 bytes",
                           "stride 4096 KiB", "| `NAME` | 2 MiB |"}) {
    INFO(text);
    CHECK(typed(text) == 0);
  }
}

TEST_CASE("a_figure_in_a_block_before_a_mark_in_a_command_or_allowed_is_not_typed") {
  CHECK(typed("<!-- figures: record 2026-01-01 -->\nwas 8.0 % once\n<!-- end figures -->\nand 9.0 % now") == 1);
  const std::string block =
      "<!-- figures: console x -->\n```console\n$ build/strata list gpus\n5 ns\n```\n<!-- end figures -->\n";
  CHECK(typed(block + "takes 5<!-- figure: x /y --> ns") == 0);
  CHECK(typed("```console\n$ build/strata latency --set a=5ns\n```\n") == 0);
  CHECK(typed("```console\n$ build/strata latency\n5 ns\n```\n") == 1);
  CHECK(typed("```yaml\nlatency: 5 ns\n```\n") == 0);
  CHECK(typed("the bound of 80 % is meant", {{"docs/guide/p.md", "bound of 80 %", "a bound"}}) == 0);
  CHECK(typed("the bound of 80 % is meant", {{"docs/guide/q.md", "bound of 80 %", "a bound"}}) == 1);
  CHECK(typed("the bound of 80 % and 81 %", {{"docs/guide/p.md", "bound of 80 %", "a bound"}}) == 1);
}
