// SPDX-License-Identifier: Apache-2.0
// What the commands of a page answer. They run in a folder of their own, with the program at
// build/strata as a reader has it, so that what they write leaves the repository alone.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>
#include <boost/json.hpp>

#include "figures/results.hpp"

namespace strata::figures {

struct Printed {
  int exit_status = 0;  ///< -N where signal N ended it
  std::string out;
  std::string err;
};

class Answers {
 public:
  /// The tree whose pages are meant, and the program that answers.
  Answers(std::filesystem::path root, std::filesystem::path program);
  ~Answers();
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  /// What a shell prints for the command. A comment `# exit N` says which status is meant; another
  /// one throws std::runtime_error. Of a status other than 0 the messages belong to the answer.
  const std::string& printed(const std::string& command);
  /// The answer of `build/strata ...` with `--json -`. `validate` is answered from the results.
  const boost::json::value& document(const std::string& command);
  /// A file that a command has written.
  std::string file(const std::string& name) const;

  /// Whether no program need run for this command's document.
  static bool is_from_results(const std::string& command);

  const std::filesystem::path& root() const { return root_; }
  const std::vector<study::Expectation>& expectations() const { return expectations_; }
  Results& results() { return results_; }
  Printed run(const std::string& command) const;

 private:
  std::vector<const study::Expectation*> chosen(const std::string& command) const;

  std::filesystem::path root_;
  std::filesystem::path folder_;
  std::vector<study::Expectation> expectations_;
  Results results_;
  std::map<std::string, std::string> printed_;
  std::map<std::string, boost::json::value> documents_;
};

}  // namespace strata::figures
