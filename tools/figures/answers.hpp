// SPDX-License-Identifier: Apache-2.0
// The outputs of the commands of a page. They run in a separate folder, with the program at
// build/strata as for a reader, so that their files do not change the repository.
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

  /// The output of the command in a shell. A comment `# exit N` states the expected status;
  /// another one throws std::runtime_error. With a status other than 0 the messages belong to the
  /// output.
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
