// SPDX-License-Identifier: Apache-2.0
// An impossible configuration or question, which the user must
// correct, unlike every other std::logic_error, which is a fault of this program.
// It carries all errors at once, each with the settings involved,
// so that the tools can report their origins.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strata {

struct RequestFault {
  std::string message;                ///< what does not fit, with the values
  std::vector<std::string> settings;  ///< paths that take part, the likeliest cause first
  std::string remedy;                 ///< a value that fits
};

class InvalidRequest : public std::invalid_argument {
 public:
  explicit InvalidRequest(std::vector<RequestFault> faults)
      : std::invalid_argument(joined(faults)), faults_(std::move(faults)) {}
  explicit InvalidRequest(std::string message, std::vector<std::string> settings = {}, std::string remedy = {})
      : InvalidRequest(std::vector<RequestFault>{{std::move(message), std::move(settings), std::move(remedy)}}) {}

  const std::vector<RequestFault>& faults() const noexcept { return faults_; }

 private:
  static std::string joined(const std::vector<RequestFault>& faults) {
    std::string all;
    for (const RequestFault& fault : faults) {
      if (!all.empty()) all += '\n';
      all += fault.message;
      if (!fault.remedy.empty()) all += " (" + fault.remedy + ')';
    }
    return all;
  }

  std::vector<RequestFault> faults_;
};

}  // namespace strata
