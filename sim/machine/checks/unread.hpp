// SPDX-License-Identifier: Apache-2.0
// Which settings of a machine have no reader, and why: another setting decides
// in their place, the machine lacks the part, or the question never uses it. A
// rule here is a promise that the setting changes no answer of that question;
// tests/tools/unread_settings.cpp and strata-reads hold it to that. What no rule names is read.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "machine/checks/activity.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

/// Why a machine that does no more than that does not read the setting at PATH; the
/// reason is a sentence without a full stop, and names what to set instead where there
/// is such a setting. None: the setting is read, or there is no such setting. Entries
/// of lists are named by their index: `network.links[0].width`.
std::optional<std::string> why_unread(const MachineSpec& spec, const Activity& does, std::string_view path);

/// The same of all that a machine is made to do, one after the other: the reason of the first, where none
/// of them reads the setting. Without any of them it is read.
std::optional<std::string> why_unread_by_all(const MachineSpec& spec, std::span<const Activity> does,
                                             std::string_view path);

/// What a setting does not decide though its name suggests it, in one sentence; none: nothing.
std::optional<std::string> caveat(const MachineSpec& spec, std::string_view path);

}  // namespace strata::machine
