// SPDX-License-Identifier: Apache-2.0
// The result of each move of a GPU's settings: a CSV file a GPU, from which the
// page is written and samples are drawn.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace strata::mutation {

/// The largest change of the answers of one kind, and the question it is of.
struct Change {
  double part = 0;       ///< of the answer: 0.02 is 2 %
  std::string question;  ///< empty: no answer changes
};

enum class Verdict : std::uint8_t {
  killed,    ///< an answer changes by `slight_change`, and a row fails
  survived,  ///< it does, and all evaluated rows hold
  idle,      ///< none does
  refused,   ///< no value near it is allowed
};

struct Outcome {
  std::string path;
  std::string from;
  std::string to;  ///< nothing: refused
  Verdict verdict = Verdict::refused;
  Change steady;    ///< of latencies and steady bandwidths
  Change kernel;    ///< of times of whole kernels
  std::string row;  ///< the first row that fails

  /// Whether a change is larger than the threshold of its kind (questions.hpp).
  bool matters() const;
};

/// Throws InputError, naming the line.
std::vector<Outcome> read_outcomes(const std::filesystem::path& file);
/// Of all files FOLDER/GPU.csv.
std::map<std::string, std::vector<Outcome>> read_folder(const std::filesystem::path& folder);
std::string csv(const std::vector<Outcome>& outcomes);

/// Of the moves that matter, or of all that change an answer by `slight_change`.
struct Score {
  std::size_t killed = 0;
  std::size_t survived = 0;

  void add(Verdict verdict);
  std::size_t counted() const { return killed + survived; }
  double percent() const;
};
struct Scores {
  Score matters;
  Score slight;
  std::size_t idle = 0;
  std::size_t refused = 0;
};
Scores scores_of(const std::vector<Outcome>& outcomes);

/// docs/design/mutation-score.md, from the outcomes of each GPU.
std::string page(const std::map<std::string, std::vector<Outcome>>& by_gpu);

}  // namespace strata::mutation
