// SPDX-License-Identifier: Apache-2.0
#include "figures/answers.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <boost/algorithm/string.hpp>

#include "files/files.hpp"
#include "files/library.hpp"

namespace strata::figures {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {
constexpr std::string_view validate = "build/strata validate";

Results results_of(const fs::path& root) {
  const fs::path file = root / "validation/results.csv";
  return {"validation/results.csv", fs::exists(file) ? tools::read_file(file) : ""};
}

// "strata run ... # exit 1": the status that is meant.
int status_meant(const std::string& command) {
  const std::size_t at = command.find("# exit ");
  return at == std::string::npos ? 0 : std::stoi(command.substr(at + 7));
}

std::string without_comment(const std::string& command) {
  return boost::algorithm::trim_right_copy(command.substr(0, command.find(" #")));
}
}  // namespace

Answers::Answers(fs::path root, fs::path program)
    : root_(std::move(root)),
      folder_(fs::temp_directory_path() / fmt::format("strata-figures-{}", getpid())),
      expectations_(study::read_expectations(tools::Library(root_).expectations())),
      results_(results_of(root_)) {
  fs::remove_all(folder_);  // of a process of that number that was ended
  fs::create_directories(folder_ / "build");
  fs::create_symlink(fs::absolute(program), folder_ / "build/strata");
  for (const char* name : {"configs", "traces", "validation", "docs"})
    fs::create_symlink(fs::absolute(root_) / name, folder_ / name);
}

Answers::~Answers() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Printed Answers::run(const std::string& command) const {
  const std::string line =
      fmt::format("cd '{0}' && ( {1} ) >'{0}/build/out' 2>'{0}/build/err' </dev/null", folder_.string(), command);
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), tools::read_file(folder_ / "build/out"),
          tools::read_file(folder_ / "build/err")};
}

const std::string& Answers::printed(const std::string& command) {
  if (const auto known = printed_.find(command); known != printed_.end()) return known->second;
  const Printed answer = run(without_comment(command));
  if (answer.exit_status != status_meant(command))
    throw std::runtime_error(fmt::format("exit status {}, expected {}: {}\n{}", answer.exit_status,
                                         status_meant(command), command, answer.err));
  return printed_.emplace(command, answer.exit_status == 0 ? answer.out : answer.out + answer.err).first->second;
}

bool Answers::is_from_results(const std::string& command) { return command.starts_with(validate); }

std::vector<const study::Expectation*> Answers::chosen(const std::string& command) const {
  std::vector<std::string> words;
  const std::string options = boost::algorithm::trim_copy(without_comment(command).substr(validate.size()));
  if (!options.empty())
    boost::algorithm::split(words, options, boost::algorithm::is_space(), boost::algorithm::token_compress_on);
  std::map<std::string, std::vector<std::string>> wanted;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quiet") continue;
    if ((words[i] != "--id" && words[i] != "--gpu" && words[i] != "--kind") || i + 1 == words.size())
      throw std::runtime_error(
          fmt::format("'{}' is not answered from validation/results.csv; expected --id, --gpu or --kind", words[i]));
    wanted[words[i]].push_back(words[i + 1]);
    ++i;
  }
  const auto passes = [&](const char* option, const auto& fits) {
    const auto found = wanted.find(option);
    return found == wanted.end() || std::any_of(found->second.begin(), found->second.end(), fits);
  };
  std::vector<const study::Expectation*> rows;
  for (const study::Expectation& row : expectations_)
    if (passes("--id", [&](const std::string& id) { return row.id.starts_with(id); }) &&
        passes("--gpu", [&](const std::string& gpu) { return row.is_about(gpu); }) &&
        passes("--kind", [&](const std::string& kind) { return study::name(row.kind) == kind; }))
      rows.push_back(&row);
  if (rows.empty()) throw std::runtime_error(fmt::format("no expectation is left by {}", options));
  return rows;
}

const json::value& Answers::document(const std::string& command) {
  if (const auto known = documents_.find(command); known != documents_.end()) return known->second;
  if (is_from_results(command))
    return documents_.emplace(command, results_.document(chosen(command), command.find("--id ") != std::string::npos))
        .first->second;
  const std::string asked = without_comment(command);
  if (asked.find_first_of("|&;<>") != std::string::npos)
    throw std::runtime_error(fmt::format("'{}' has no document: expected one call of build/strata", command));
  const Printed answer = run(asked + " --json -");
  if (answer.exit_status != status_meant(command))
    throw std::runtime_error(fmt::format("exit status {}, expected {}: {} --json -\n{}", answer.exit_status,
                                         status_meant(command), asked, answer.err));
  return documents_.emplace(command, json::parse(answer.out)).first->second;
}

std::string Answers::file(const std::string& name) const { return tools::read_file(folder_ / name); }

}  // namespace strata::figures
