// SPDX-License-Identifier: Apache-2.0
#include "parallel/interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "files/temporary.hpp"

namespace strata::tools {

namespace {

// A signal handler can reach its data only through globals.
std::atomic<int> keeping{0};
std::atomic<bool> asked{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Handlers call only what a signal handler may.

// Ends the process. Without words: the shell names the signal.
extern "C" void on_ending(int signal) {
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void on_interrupt(int signal) {
  if (keeping.load() > 0 && !asked.exchange(true)) return;
  constexpr std::string_view words = "\nstrata: interrupted; each named output is complete or unchanged\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  on_ending(signal);
}

void listen(int signal, void (*handler)(int)) {
  if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void listen_for_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) listen(signal, on_interrupt);
  for (const int signal : {SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF})
    listen(signal, on_ending);
}

Keeping::Keeping() { ++keeping; }
Keeping::~Keeping() { --keeping; }

bool interrupted() { return keeping.load() > 0 && asked.load(); }

void say_interrupted(const std::string& words) {
  const std::string line = fmt::format("\nstrata: interrupted; {}\n", words);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void leave_interrupted() {
  std::cout.flush();
  std::fflush(stdout);
  ::_exit(exit_interrupted);
}

}  // namespace strata::tools
