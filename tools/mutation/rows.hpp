// SPDX-License-Identifier: Apache-2.0
// The rows of validation/ about one GPU, evaluated on that GPU with one setting moved: from the
// least work to the most, until one fails.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machines.hpp"
#include "study/expectation/evaluate.hpp"
#include "study/expectation/expectation.hpp"

namespace strata::mutation {

class Rows {
 public:
  /// The rows about `gpu` that take at most `budget` seconds and hold on the
  /// machine as it is; those in `only`, where it names any, by how their id begins.
  Rows(const Configurations& configurations, std::string gpu, const std::vector<study::Expectation>& all, double budget,
       const std::vector<std::string>& only);

  std::size_t count() const { return rows_.size(); }
  /// Rows that are not evaluated: too long, or failing already.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// The first row that fails with the setting applied ("path=value"); none: all hold.
  /// A row that the moved machine cannot run is ignored.
  std::optional<std::string> first_failure(const std::string& setting) const;

 private:
  bool holds(const study::Expectation& row, const std::string& setting, study::Machines& machines,
             study::Readings& readings) const;

  const Configurations& configurations_;
  std::string gpu_;
  std::vector<study::Expectation> rows_;
  std::vector<std::string> left_out_;
  study::Readings others_;  ///< of the other sides of orderings, which are not moved
};

}  // namespace strata::mutation
