// SPDX-License-Identifier: Apache-2.0
// The results of the points of a sweep, stored in a directory as they complete, so that a sweep
// which ended early, is widened or is divided among hosts runs each point once. Each process
// appends to a separate file, one line per point in one write, so no stored result is lost when it
// is killed, and any number of processes may use one directory.
#pragma once
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/effective.hpp"
#include "sweep_question.hpp"

namespace strata::cli {

using NamesAndTexts = std::vector<std::pair<std::string, std::string>>;

/// Names points: equal where this program, the configuration, the question, the contents of its files
/// and the point's values are.
class PointNames {
 public:
  explicit PointNames(const SweepQuestionKind& kind);
  /// A name of it for name().
  std::string configuration(const config::Effective& configuration) const;
  /// settings: in the order in which they are applied. options: all of the question, sorted.
  /// files: read whole, once each. Throws InputError where one cannot be read.
  std::string name(const std::string& configuration, const NamesAndTexts& settings, const NamesAndTexts& options,
                   const std::vector<std::string>& files);

 private:
  std::string common_;                                     ///< of all points: the program and the kind of question
  std::unordered_map<std::string, std::string> contents_;  ///< of files, by a name of theirs
};

class KeptAnswers {
 public:
  /// Reads the stored results; the first new result creates the directory if there is none. figures,
  /// words: how many a result has. Throws InputError: not a directory, or it cannot be read or written.
  KeptAnswers(std::filesystem::path directory, std::size_t figures, std::size_t words);
  ~KeptAnswers();
  KeptAnswers(const KeptAnswers&) = delete;
  KeptAnswers& operator=(const KeptAnswers&) = delete;

  /// Null where there is none.
  const SweepAnswer* find(const std::string& name) const;
  /// Lines that are no answers, as "file:line"; their points are not there.
  const std::vector<std::string>& damaged() const { return damaged_; }
  /// values: of the point, for people who read the file. Any thread may call it. Throws InputError
  /// if it cannot be written; no result is written after that.
  void keep(const std::string& name, const NamesAndTexts& values, const SweepAnswer& answer);

 private:
  void read(const std::filesystem::path& file);
  void open();

  std::filesystem::path directory_;
  std::size_t figures_;
  std::size_t words_;
  std::unordered_map<std::string, SweepAnswer> answers_;
  std::vector<std::string> damaged_;
  std::mutex mutex_;
  int file_ = -1;  ///< not open before the first answer
  bool failed_ = false;
};

}  // namespace strata::cli
