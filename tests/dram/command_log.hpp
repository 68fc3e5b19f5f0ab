// SPDX-License-Identifier: Apache-2.0
// Records every command that a channel sends, for tests of single commands.
#pragma once
#include <vector>

#include "dram/timing/command.hpp"

namespace strata::dram::test {

class CommandLog {
 public:
  CommandListener listener() {
    return {[](void* self, const Command& command) { static_cast<CommandLog*>(self)->commands.push_back(command); },
            this};
  }
  std::vector<Command> of(CommandKind kind) const {
    std::vector<Command> found;
    for (const Command& command : commands) {
      if (command.kind == kind) found.push_back(command);
    }
    return found;
  }
  std::vector<Command> commands;
};

}  // namespace strata::dram::test
