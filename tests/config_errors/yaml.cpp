// SPDX-License-Identifier: Apache-2.0
// Constructs that YAML allows and a configuration does not, and files that are not YAML.
#include <chrono>
#include <fstream>

#include "refusal.hpp"

using namespace strata::test;

TEST_CASE("anchors_and_aliases_are_refused") {
  check_configuration_refused(
      "base: h200\nname: &n Mine\nvendor: *n\n",
      "mine.yaml:2:7: anchors ('&n') are not supported (write the value out in full, or share it with 'use:')\n"
      "mine.yaml:3:9: aliases ('*') are not supported (write the value out in full, or share it with 'use:')");
}

TEST_CASE("tags_are_refused") {
  check_configuration_refused("base: h200\nname: !str Mine\n",
                              "mine.yaml:2:7: tags ('!str') are not supported (remove the tag)");
}

TEST_CASE("merge_keys_are_refused") {
  check_configuration_refused("base: h200\n<<: 4\n",
                              "mine.yaml:2:1: merge keys ('<<') are not supported (use 'base:' or 'use:')");
}

TEST_CASE("a_second_document_is_refused") {
  check_configuration_refused("base: h200\n---\nname: x\n",
                              "mine.yaml:2:1: a second document begins here (keep one document per file)");
}

TEST_CASE("a_NUL_byte_is_refused") {
  check_configuration_refused(std::string("base: h200\nname: Mi\0ne\n", 22),
                              "mine.yaml:2:9: a NUL byte (is this a text file?)");
}

TEST_CASE("text_that_is_not_UTF_8_is_refused") {
  check_configuration_refused(
      "\xff\xfe"
      "base: h200\n",
      "mine.yaml:1:1: the text is not UTF-8");
}

TEST_CASE("broken_syntax_is_reported_where_it_breaks") {
  check_configuration_refused(
      "base: h200\n  name: [x\n",
      "mine.yaml:2:7: not valid YAML: illegal map value (a value that holds ': ' needs quotes)");
}

TEST_CASE("nesting_is_bounded") {
  const std::string open(1000, '[');
  const std::string close(1000, ']');
  check_configuration_refused("base: h200\nname: " + open + close + "\n", "mine.yaml:2:70: nested more than 64 deep");
}

TEST_CASE("a_hundred_megabytes_of_nesting_cost_neither_time_nor_memory") {
  const Scratch folder;
  constexpr std::uintmax_t bytes = 100'000'000;
  {
    std::ofstream out(folder.path("deep.yaml"), std::ios::binary);
    const std::string brackets(1'000'000, '[');
    for (std::uintmax_t written = 0; written < bytes; written += brackets.size()) out << brackets;
  }
  const auto begun = std::chrono::steady_clock::now();
  const Outcome outcome = run(folder, {"check", "deep.yaml"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "deep.yaml: is larger than 4194304 bytes\n");
  CHECK(took.count() < 20);
  // The memory of the program differs by an order of magnitude under a sanitizer.
  CHECK(outcome.peak_rss_bytes < run(folder, {"list", "gpus"}).peak_rss_bytes + bytes / 4);
}

TEST_CASE("a_million_brackets_are_refused_before_they_are_read") {
  check_configuration_refused(std::string(1'100'000, '['),
                              "mine.yaml: 1100000 bytes are more than a configuration may have (1048576 bytes)");
}
