// SPDX-License-Identifier: Apache-2.0
// Whether what machine::why_unread() promises is so: each setting of a machine is
// given other values, and small questions are asked with and without. A setting
// that is said to be unread must change no answer; one that is said to be read
// should change the answer of some question.
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
    broken_promise,  ///< said to be unread by a question whose answer it changes
    no_effect,       ///< said to be read, and no question's answer changes
  };
  Kind kind;
  std::string gpu, path, value, question, reason;
  std::string text() const;
};

/// A GPU as the questions are put to it.
machine::MachineSpec plain_machine(const Library& library, const std::string& gpu);
/// How one setting stands the check. asked: how many runs it took.
std::vector<Finding> check_readers(const Library& library, const std::string& gpu, const OtherValues& setting,
                                   const std::vector<SmallQuestion>& questions, std::uint64_t& asked);

}  // namespace strata::tools
