// SPDX-License-Identifier: Apache-2.0
// Checks machine::why_unread(): each setting of a machine gets other values, and small
// questions run with and without them. A setting that is reported as unread must not change a
// result; one that is reported as read should change the result of some question.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "files/library.hpp"
#include "machine/checks/activity.hpp"
#include "machine/spec.hpp"

namespace strata::tools {

struct SmallAnswer {
  std::uint64_t fingerprint = 0;
  double figure = 0;  ///< a time or a rate
  bool same_as(const SmallAnswer& other) const;
  /// As far as times are rounded: the unit of time follows from all clocks.
  bool near(const SmallAnswer& other) const;
};

struct SmallQuestion {
  std::string name;
  machine::Activity does;
  std::function<SmallAnswer(const machine::MachineSpec&)> ask;
};

/// Questions of some thousand requests that between them reach every part of that machine.
std::vector<SmallQuestion> small_questions(const machine::MachineSpec& spec);

/// One setting and the other values that are tried: half and twice the present one,
/// the other choices, a value where there is none.
struct OtherValues {
  std::string path;
  std::vector<std::string> values;
};
std::vector<OtherValues> other_values(const Library& library, const std::string& gpu);

struct Finding {
  enum class Kind : std::uint8_t {
    broken_promise,  ///< reported as unread by a question whose result it changes
    no_effect,       ///< reported as read, but no result changes
  };
  Kind kind;
  std::string gpu, path, value, question, reason;
  std::string text() const;
};

/// A GPU in the form used by the questions.
machine::MachineSpec plain_machine(const Library& library, const std::string& gpu);
/// The result of the check of one setting. asked: number of runs.
std::vector<Finding> check_readers(const Library& library, const std::string& gpu, const OtherValues& setting,
                                   const std::vector<SmallQuestion>& questions, std::uint64_t& asked);

}  // namespace strata::tools
