// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace strata::test {

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path fresh_folder() {
  std::string name = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  return name;
}

}  // namespace

Scratch::Scratch() : root_(fresh_folder()) {}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void Scratch::write(const std::string& name, std::string_view text) const {
  fs::create_directories(path(name).parent_path());
  std::ofstream out(path(name), std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path(name).string());
}

std::string Scratch::read(const std::string& name) const { return contents(path(name)); }

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_))
    all.push_back(entry.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}

Running::Running(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& folder) {
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputs_.path("out").c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, outputs_.path("err").c_str(), flags, 0600);
  const int failed = posix_spawn(&process_, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot run " + program.string() + "; build it first");
}

Running::~Running() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool Running::catches(int number) const {
  const std::string status = "/proc/" + std::to_string(process_) + "/status";
  for (int attempt = 0; attempt < 6000; ++attempt) {
    std::ifstream in(status);
    std::string word;
    while (in >> word) {
      if (word != "SigCgt:" || !(in >> word)) continue;
      if (((std::stoull(word, nullptr, 16) >> (number - 1)) & 1U) != 0) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool Running::works_for(double seconds) const {
  const std::string stat = "/proc/" + std::to_string(process_) + "/stat";
  const double ticks = seconds * static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (;;) {
    std::ifstream in(stat);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    std::string state;
    std::string skipped;
    fields >> state;
    for (int i = 0; i < 10; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    if (!(fields >> user >> system) || state == "Z") return false;
    if (user + system >= ticks) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void Running::signal(int number) const { ::kill(process_, number); }

Outcome Running::wait() {
  int status = 0;
  rusage usage{};
  if (::wait4(process_, &status, 0, &usage) != process_) throw std::runtime_error("lost the program");
  process_ = -1;
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  outcome.out = outputs_.read("out");
  outcome.err = outputs_.read("err");
  outcome.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return outcome;
}

Outcome run(const Scratch& folder, const std::vector<std::string>& arguments) {
  return Running(STRATA_PROGRAM, arguments, folder.path("")).wait();
}

Outcome run(const std::vector<std::string>& arguments) { return run(Scratch(), arguments); }

std::string source_text(const std::string& relative) { return contents(fs::path(STRATA_SOURCE_DIR) / relative); }

}  // namespace strata::test
