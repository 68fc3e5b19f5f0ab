// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP. As long as an object of Keeping lives, the first
// of them only sets a flag, so that a verb can write its partial results; the next one, and any
// at another time, ends the process by that signal at once. Temporaries of outputs are removed
// before, as they are by the other signals that end a process and can be caught, but for those
// of a fault of its own (SIGSEGV, SIGABRT). A signal that is ignored, as nohup does, stays
// ignored.
#pragma once
#include <string>

namespace strata::tools {

/// The exit status of a verb whose answer is incomplete.
inline constexpr int exit_interrupted = 130;

/// To be called once, before any thread is started.
void listen_for_interrupts();

/// Results so far are kept at an interrupt.
class Keeping {
 public:
  Keeping();
  ~Keeping();
  Keeping(const Keeping&) = delete;
  Keeping& operator=(const Keeping&) = delete;
};

/// Whether an interrupt occurred during the life of a Keeping that still exists.
bool interrupted();

/// "strata: interrupted; <words>" on stderr, in a line of its own.
void say_interrupted(const std::string& words);

/// Flushes standard output and ends the process with exit_interrupted, without waiting for
/// threads and without destroying objects that they use.
[[noreturn]] void leave_interrupted();

}  // namespace strata::tools
