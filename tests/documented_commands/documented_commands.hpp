// SPDX-License-Identifier: Apache-2.0
// The commands that the documentation shows, so that a test can run them all. A command is a line
// of a fenced block (of any language but `text`) that begins with `build/strata`, with or without
// the prompt `$ `; a backslash at its end continues it on the next line. A trailing comment `#
// exit 1` states the expected exit status if it is not 0. Blocks marked `text` are for text that
// cannot be run: forms of a command, output.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata::documented {

struct DocumentedCommand {
  std::string command;  // without prompt and comment, continuation lines joined
  int exit_status = 0;
  std::size_t line = 0;
};

struct DocumentedCommands {
  std::vector<DocumentedCommand> commands;
  // Lines of shell blocks that call the program by another name and would therefore go unrun.
  std::vector<std::size_t> misnamed_lines;
};

DocumentedCommands documented_commands(std::string_view markdown);

}  // namespace strata::documented
