// SPDX-License-Identifier: Apache-2.0
// A page of the documentation and the figures in it that a command writes. Markdown renders
// none of the marks. A block stands between two comments:
//
//   <!-- figures: console NAME -->      a fenced block; each line `$ COMMAND` is followed by what
//   <!-- figures: table NAME            the command prints
//   $ COMMAND                           a table with a line for each element of the answer's
//   rows: /PATH                         array at PATH (without `rows:` one line), as the pattern
//   elements: id=B2-13 id=B2-16         says: `{PATH}` is the value at PATH, `{PATH +.1 TB}` has
//   where: pass=no                      a sign and one decimal, in units of 10^12, `{PATH 4g}` four
//   | heading | heading |               digits; `elements:` names those of the array that are
//   | --- | ---: |                      shown, in this order, and `where:` what all of them have
//   | `{id}` | {predicted .1} |
//   -->
//   <!-- figures: file NAME.svg -->     a fenced block whose command writes that file of the
//                                       page's folder
//   <!-- figures: validation -->        rows, passes and mean error by kind of validation/results.csv
//   <!-- figures: expectations -->      rows by file of validation/expectations
//   <!-- figures: record DATE -->       figures as they were that day, which stay
//   <!-- end figures -->
//
// A figure in a sentence stands before a mark of its own, `492<!-- figure: NAME PATH UNIT -->`:
// the value at PATH of what the first command of block NAME answers with `--json -`, with as many
// decimals as the page shows. NAME.2 is the second command. A mark within a fenced block outside
// of these blocks is text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::figures {

enum class BlockKind : std::uint8_t { console, table, file, validation, expectations, coverage, record };

struct Block {
  BlockKind kind = BlockKind::console;
  std::string name;        ///< of the block; of a file block the file, of a record the date
  std::size_t header = 0;  ///< index of the line of the first comment
  std::size_t begin = 0;   ///< first line that is written
  std::size_t end = 0;     ///< the line of the closing comment
  std::vector<std::string> commands;
  std::string rows;                   ///< path of the array; empty: the whole answer is one row
  std::vector<std::string> elements;  ///< of the array, in this order; empty: all
  std::vector<std::string> where;     ///< KEY=VALUE, which the elements shown have
  std::vector<std::string> heading;   ///< of a table: two lines
  std::string pattern;                ///< of a table: a row
};

/// A figure in a sentence.
struct Inline {
  std::size_t line = 0;
  std::size_t begin = 0;  ///< columns of the number
  std::size_t end = 0;
  std::size_t block = 0;    ///< index into Page::blocks
  std::size_t command = 0;  ///< index into its commands
  std::string path;
  std::string unit;
};

struct Page {
  std::string name;  ///< relative to the repository, as messages name it
  std::vector<std::string> lines;
  std::vector<Block> blocks;
  std::vector<Inline> inlines;

  std::string text() const;
};

/// Throws InputError: a mark that is not understood, a block without end, a name that is not there.
Page read_page(std::string name, std::string_view text);

}  // namespace strata::figures
