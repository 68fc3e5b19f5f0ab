// SPDX-License-Identifier: Apache-2.0
#include "documented_commands.hpp"

#include <sstream>

namespace strata::documented {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

bool calls(std::string_view line, std::string_view program) {
  return line == program || (line.starts_with(program) && line[program.size()] == ' ');
}

// Takes the trailing "# exit N" or any other comment off the command.
void take_comment(DocumentedCommand& documented) {
  constexpr std::string_view status = "# exit ";
  const std::size_t at = documented.command.rfind(" #");
  if (at == std::string::npos) return;
  const std::string comment = documented.command.substr(at + 1);
  if (comment.starts_with(status)) documented.exit_status = std::stoi(comment.substr(status.size()));
  documented.command = trimmed(documented.command.substr(0, at));
}

}  // namespace

DocumentedCommands documented_commands(std::string_view markdown) {
  DocumentedCommands found;
  std::istringstream lines{std::string(markdown)};
  bool inside = false;
  std::string language;
  std::size_t number = 0;
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    std::string line = trimmed(raw);
    if (line.starts_with("```")) {
      inside = !inside;
      language = trimmed(std::string_view(line).substr(3));
      continue;
    }
    if (!inside || language == "text") continue;
    if (line.starts_with("$ ")) line = trimmed(std::string_view(line).substr(2));
    if (calls(line, "build/strata")) {
      DocumentedCommand documented{line, 0, number};
      while (documented.command.ends_with('\\') && std::getline(lines, raw)) {
        ++number;
        documented.command.pop_back();
        documented.command = trimmed(documented.command) + " " + trimmed(raw);
      }
      take_comment(documented);
      found.commands.push_back(documented);
    } else if (calls(line, "strata") || calls(line, "./build/strata") || calls(line, "./strata")) {
      found.misnamed_lines.push_back(number);
    }
  }
  return found;
}

}  // namespace strata::documented
