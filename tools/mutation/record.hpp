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

enum class Verdict : std::uint8_t {
  killed,    ///< it matters, and a row fails
  survived,  ///< it matters, and all rows asked hold
  idle,      ///< it changes no standard question by 1 %
  refused,   ///< no value near it is allowed
};

struct Outcome {
  std::string path;
  std::string from;
  std::string to;  ///< nothing: refused
  Verdict verdict = Verdict::refused;
  std::string question;  ///< the first standard question that changes
  std::string row;       ///< the first row that fails
};

/// Throws InputError, naming the line.
std::vector<Outcome> read_outcomes(const std::filesystem::path& file);
/// Of all files FOLDER/GPU.csv.
std::map<std::string, std::vector<Outcome>> read_folder(const std::filesystem::path& folder);
std::string csv(const std::vector<Outcome>& outcomes);

/// docs/design/mutation-score.md, from the outcomes of each GPU.
std::string page(const std::map<std::string, std::vector<Outcome>>& by_gpu);

}  // namespace strata::mutation
