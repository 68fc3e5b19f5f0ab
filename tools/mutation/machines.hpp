// SPDX-License-Identifier: Apache-2.0
// The configurations of the library, each read from its files once, with
// settings applied to it as often as it takes.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "config/inherit.hpp"
#include "config/value/value.hpp"
#include "files/library.hpp"
#include "study/expectation/evaluate.hpp"

namespace strata::mutation {

class Configurations {
 public:
  explicit Configurations(const tools::Library& library);
  /// Throws InputError where the settings do not fit.
  study::Configured with(const std::string& gpu, const std::vector<std::string>& settings) const;

 private:
  std::map<std::string, config::Value> trees_;
};

/// Throws the exception of the study if the machine cannot run this.
study::Answer measure(const machine::MachineSpec& spec, const study::Reading& reading);

}  // namespace strata::mutation
