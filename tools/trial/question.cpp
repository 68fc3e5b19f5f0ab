// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <sstream>

namespace strata::trial {

namespace {

constexpr int exit_bad_input = 2;
constexpr int exit_cannot_start = 127;

/// A file without a name that a child writes to.
class Sheet {
 public:
  Sheet() : descriptor_(memfd_create("trial", MFD_CLOEXEC)) {}
  ~Sheet() { close(descriptor_); }
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string all;
    std::array<char, 65536> part;
    for (off_t at = 0;; at += static_cast<off_t>(part.size())) {
      const ssize_t read = pread(descriptor_, part.data(), part.size(), at);
      if (read <= 0) return all;
      all.append(part.data(), static_cast<std::size_t>(read));
    }
  }

 private:
  int descriptor_;
};

/// Lines of stderr that are no notes.
std::vector<std::string> complaints(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !line.starts_with("note:")) lines.push_back(line);
  return lines;
}

bool has_no_number(const std::string& text) {
  std::string word;
  for (const char c : text + ' ') {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    if (word == "nan" || word == "inf") return true;
    word.clear();
  }
  return false;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool contains_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    const std::size_t end = at + word.size();
    if (begins && (word.back() == '.' || end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

Answer judge(const std::vector<std::string>& paths, int status, const rusage& use, const std::string& out,
             const std::string& err, const Limits& limits) {
  Answer answer;
  answer.cpu_seconds = static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                       static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
  answer.peak_bytes = static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
  const std::vector<std::string> reported = complaints(err);
  if (!reported.empty()) answer.said = reported.front();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    answer.outcome = signal == SIGXCPU || signal == SIGALRM ? Outcome::time : Outcome::signal;
    if (answer.said.empty()) answer.said = strsignal(signal);
  } else if (err.find("not enough memory") != std::string::npos || answer.peak_bytes > limits.memory_bytes) {
    answer.outcome = Outcome::memory;
    if (answer.said.empty()) answer.said = fmt::format("{} MiB", answer.peak_bytes >> 20U);
  } else if (WEXITSTATUS(status) == exit_bad_input) {
    const auto unnamed = std::find_if(reported.begin(), reported.end(), [&](const std::string& line) {
      return std::none_of(paths.begin(), paths.end(),
                          [&](const std::string& path) { return names_setting(line, path); });
    });
    answer.outcome = reported.empty() || unnamed != reported.end() ? Outcome::refused_unnamed : Outcome::refused;
    if (unnamed != reported.end()) answer.said = *unnamed;
  } else if (WEXITSTATUS(status) != 0) {
    answer.outcome = Outcome::internal;
  } else if (has_no_number(out)) {
    answer.outcome = Outcome::not_a_number;
  }
  return answer;
}

}  // namespace

const char* name_of(Outcome outcome) {
  constexpr std::array<const char*, outcomes> names{"answered",
                                                    "refused, a setting named",
                                                    "refused, no setting named",
                                                    "nan or inf in the answer",
                                                    "exit code that is neither 0 nor 2",
                                                    "ended by a signal",
                                                    "time limit",
                                                    "memory limit"};
  return names[static_cast<std::size_t>(outcome)];
}

bool names_setting(const std::string& text, const std::string& path) {
  if (contains_word(text, path)) return true;
  // Within a part, as DRAM, by its name there: `organisation.page`.
  const std::size_t last = path.rfind('.');
  const std::size_t before = last == std::string::npos || last == 0 ? last : path.rfind('.', last - 1);
  if (before != std::string::npos && contains_word(text, path.substr(before + 1))) return true;
  std::string map = path.substr(0, last);
  if (map == path) return false;
  // The word `network` alone names no setting; `network.links` does.
  if (contains_word(text, map.find('.') == std::string::npos ? map + '.' : map)) return true;
  return map.ends_with(']') && contains_word(text, map.substr(0, map.rfind('[')));
}

Answer ask(const std::vector<std::string>& words, const std::vector<std::string>& paths, const Limits& limits) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Sheet out;
  const Sheet err;
  const pid_t child = fork();
  if (child == 0) {
    // Between fork and exec only functions that a signal handler may call.
    const rlimit cpu{limits.cpu_seconds, limits.cpu_seconds + 5};
    setrlimit(RLIMIT_CPU, &cpu);
    // Tags are untouched pages: this limit is for a runaway, ru_maxrss judges.
    const rlimit space{limits.memory_bytes * 8, limits.memory_bytes * 8};
    setrlimit(RLIMIT_DATA, &space);
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    alarm(limits.wall_seconds);
    dup2(out.descriptor(), STDOUT_FILENO);
    dup2(err.descriptor(), STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(exit_cannot_start);
  }
  int status = 0;
  rusage use{};
  if (child < 0 || wait4(child, &status, 0, &use) != child)
    return {Outcome::internal, "a process cannot be started", 0, 0};
  return judge(paths, status, use, out.text(), err.text(), limits);
}

}  // namespace strata::trial
