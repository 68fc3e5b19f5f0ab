// SPDX-License-Identifier: Apache-2.0
// Names out of files reach terminals, tables, documents and pages as text: none
// sends a control sequence, begins a line, opens an element or a column.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::Scratch;
using strata::test::Words;

// Clears the screen, sets a title, ends the line, turns the text round; quotes, a comma, an element.
const std::string hostile = "\x1b[2J\x1b]0;t\x07\n\xC2\x9B\x31m\xE2\x80\xAE\"',<script>alert(1)</script>";
// The same in a quoted scalar of YAML.
const std::string in_yaml = R"("\x1b[2J\x1b]0;t\x07\n\u009b1m\u202e\"',<script>alert(1)</script>")";

// The first control byte of a terminal, with the text before it; empty: there is none.
std::string control_in(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const bool c0 = (byte(i) < 0x20 && text[i] != '\n') || byte(i) == 0x7F;
    const bool c1 = byte(i) == 0xC2 && byte(i + 1) < 0xA0 && byte(i + 1) >= 0x80;
    const bool bidi = byte(i) == 0xE2 && ((byte(i + 1) == 0x80 && byte(i + 2) >= 0xAA && byte(i + 2) <= 0xAE) ||
                                          (byte(i + 1) == 0x81 && byte(i + 2) >= 0xA6 && byte(i + 2) <= 0xA9));
    if (c0 || c1 || bidi)
      return fmt::format("byte {:#x} at {}, behind: {}", byte(i), i,
                         text.substr(i > 60 ? i - 60 : 0, std::min<std::size_t>(i, 60)));
  }
  return {};
}

// Columns of each row, by RFC 4180; 0 if a quote is not closed or is within a plain field.
std::vector<std::size_t> columns_of(const std::string& csv) {
  std::vector<std::size_t> columns;
  std::size_t count = 1;
  bool quoted = false;
  bool begins = true;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted) {
      if (c != '"') continue;
      if (i + 1 < csv.size() && csv[i + 1] == '"')
        ++i;
      else
        quoted = false;
      continue;
    }
    if (c == '"') {
      if (!begins) return {0};
      quoted = true;
    }
    begins = c == ',' || c == '\n';
    if (c == ',') ++count;
    if (c == '\n') {
      columns.push_back(count);
      count = 1;
    }
  }
  if (quoted) columns.push_back(0);
  return columns;
}

struct Hostile : Scratch {
  Hostile() {
    write("g.yaml", "base: b580\nname: " + in_yaml + "\nl2:\n  cache:\n    name: " + in_yaml +
                        "\ncore:\n  name: " + in_yaml + "\n");
    write("g\x1b[2J.yaml", "base: b580\n");
    write("k.yaml", "name: " + in_yaml + "\narrays:\n  - {name: " + in_yaml +
                        ", size: 64 KiB}\nbody:\n  - {op: load, array: " + in_yaml + ", to: x}\n");
    write("t.txt",
          "strata-trace 1\nkernel \"\\x1b[2J\\x07\\x0a\\xc2\\x9b\\xe2\\x80\\xae\\\"',<script>alert(1)</script>\" grid "
          "1 1 1 block 32 1 1\n"
          "block 0\nwarp 0\n  load global ca 4 d1 @0x0+4\n  exit\nend\n");
    write("k.traceg",
          "-kernel name = \x1b[2J\x07<script>alert(1)</script>\",\n-head\x1b[2Jer = 1\n-grid dim = (1,1,1)\n-block dim "
          "= (64,1,1)\n-nregs = 40\n"
          "-accelsim tracer version = 5\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
          "0 1 0 FR\x1b[2JOB 0 0 0\n0 1 0 EXIT 0 0 0\n#END_TB\n");
    write("m\x1b[2J.csv", "footprint_bytes,latency_cycles\n65536,100\n");
    write("bad\x1b[2J.txt",
          "strata-trace 1\nkernel \"k\" grid 1 1 1 block 32 1 1\nblock 0\nwarp 0\n  \x1b[2J\xE2\x80\xAE\nend\n");
    write("bad.yaml", "base: b580\n" + in_yaml + ": 1\n");
  }
};

}  // namespace

SCENARIO("no_name_of_a_file_reaches_a_terminal_a_table_or_a_page_as_anything_but_text") {
  const Hostile folder;
  const Words small = {"--from", "64KiB", "--to", "64KiB", "--timed-loads", "256", "--quiet"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  struct Command {
    Words words;
    Words forms;
  };
  const Words all = {"json", "csv", "svg", "html"};
  const Words lists = {"json", "csv"};
  const Command commands[] = {
      {with({"latency", "--gpu", "g.yaml"}, small), all},
      {with({"latency", "--gpu", "g\x1b[2J.yaml"}, small), all},
      {{"latency", "--gpu", "g.yaml", "--compare", "m\x1b[2J.csv", "--timed-loads", "256", "--quiet"}, all},
      {{"latency", "--gpu", "g\x1b[2J.yaml", "--set", "clocks.core=2670MHz", "--from", "1KiB", "--to", "1KiB",
        "--timed-loads", "256"},
       all},
      {{"bandwidth", "--gpu", "g.yaml", "--footprint", "1MiB", "--quiet"}, all},
      {{"bandwidth", "--gpu", "g.yaml", "--loaded", "--footprint", "1MiB", "--inject", "1GB/s", "--quiet"}, all},
      {{"run", "--gpu", "g.yaml", "--kernel", "k.yaml", "--quiet"}, all},
      {{"run", "--gpu", "g.yaml", "--trace", "t.txt", "--quiet"}, all},
      {{"run", "--gpu", "g.yaml", "--trace", "k.traceg", "--quiet", "--timeline", "out.timeline"}, all},
      {{"sweep", "run", "--gpu", "g.yaml", "--trace", "t.txt", "--vary", "sample=1,2", "--quiet"}, all},
      {{"sweep", "run", "--gpu", "g.yaml", "--vary", "trace=k.traceg,t.txt", "--quiet"}, {"json", "csv", "html"}},
      {{"handoff", "--gpu", "g.yaml", "--pairs", "2", "--quiet"}, all},
      {{"compare", "latency", "--gpu", "g.yaml", "--footprint", "64KiB", "--timed-loads", "256", "--change",
        "l1.cache.hit_latency=50clk", "--quiet"},
       all},
      {{"sensitivity", "latency", "--gpu", "g.yaml", "--footprint", "64KiB", "--timed-loads", "256", "--only",
        "l1.cache.hit", "--quiet"},
       all},
      {{"explain", "--gpu", "g.yaml", "--address", "0"}, {"json", "csv", "svg", "html"}},
      {{"explain", "--gpu", "g.yaml", "--settings"}, lists},
      {{"explain", "--gpu", "g.yaml", "--path", "name"}, lists},
      {{"explain", "--gpu", "g\x1b[2J.yaml", "--settings"}, lists},
      {{"check", "g.yaml", "k.traceg", "t.txt", "g\x1b[2J.yaml"}, lists},
      {{"check", "bad.yaml"}, lists},
      {{"check", "bad\x1b[2J.txt"}, lists},
      {{"list", "gpus\x1b[2J"}, lists},
      {{"list", "graph", "--gpu", "g\x1b[2J.yaml"}, {"json"}},
      {{"latency", "--gpu", hostile}, all},
      {{"run", "--gpu", "b580", "--kernel", hostile}, all},
      {{hostile}, {}},
      {{"trace", "info", "native\x1b[2J.strace"}, lists},
      {{"trace", "import", "k.traceg", "made\x1b[2J.strace"}, {}},
      {{"trace", "convert", "t.txt", "made.strace"}, {}},
      {{"trace", "convert", "native\x1b[2J.strace", "-"}, {}},
      {{"trace", "record", "k.yaml", "made2.strace"}, {}},
  };
  REQUIRE(strata::test::run(folder, {"trace", "convert", "t.txt", "native\x1b[2J.strace"}).exit_code == 0);
  for (const Command& command : commands) {
    std::string line;
    for (const std::string& word : command.words) line += word + ' ';
    Words words = command.words;
    for (const std::string& form : command.forms) words.insert(words.end(), {"--" + form, "out." + form});
    const Outcome outcome = strata::test::run(folder, words);
    CAPTURE(line, outcome.exit_code);
    CHECK(control_in(outcome.out).empty());
    CHECK(control_in(outcome.err).empty());
    if (outcome.exit_code != 0) continue;
    for (const std::string& form : command.forms) {
      const std::string text = folder.read("out." + form);
      CAPTURE(form);
      CHECK(control_in(text).empty());
      if (form == "json") CHECK_NOTHROW(boost::json::parse(text));
      if (form == "svg" || form == "html") CHECK(text.find("<script>alert") == std::string::npos);
      if (form == "csv") {
        const std::vector<std::size_t> columns = columns_of(text);
        REQUIRE(columns.size() > 1);
        for (const std::size_t count : columns) CHECK(count == columns.front());
      }
      std::filesystem::remove(folder.path("out." + form));
    }
  }
}
