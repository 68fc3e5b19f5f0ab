// SPDX-License-Identifier: Apache-2.0
// The built program, run like a user: in a separate folder, with empty standard input; the test
// reads all its output and files.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace strata::test {

using Words = std::vector<std::string>;  ///< of a command line
inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Outcome {
  int exit_code = 0;  ///< -N where signal N ended it
  std::string out;
  std::string err;
  std::uint64_t peak_rss_bytes = 0;  ///< or that of the test program at the start, if larger
};

/// A folder that is there as long as the object, with the files of one test.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path path(const std::string& name) const { return root_ / name; }
  void write(const std::string& name, std::string_view text) const;
  std::string read(const std::string& name) const;
  /// The contents of the folder, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path root_;
};

/// A run in parallel with the test. It ends by itself; a test waits for it.
class Running {
 public:
  Running(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const std::filesystem::path& folder);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Waits until the program has a handler for that signal; false: after a minute it had none.
  bool catches(int number) const;
  /// Waits until it has used this number of seconds of processor time; false: it ended before.
  bool works_for(double seconds) const;
  void signal(int number) const;
  Outcome wait();

 private:
  Scratch outputs_;
  pid_t process_ = -1;
};

/// The built program with these arguments, from within the folder.
Outcome run(const Scratch& folder, const std::vector<std::string>& arguments);
/// The same in a folder that is gone afterwards.
Outcome run(const std::vector<std::string>& arguments);

/// The text of a file of the source tree.
std::string source_text(const std::string& relative);

}  // namespace strata::test
