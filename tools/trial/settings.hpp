// SPDX-License-Identifier: Apache-2.0
// The settings of a GPU for a trial: every path of its effective configuration with its
// description in the schema, and the texts that --set can give it: the ends and the middle of
// the declared range, and values at random.
#pragma once
#include <string>
#include <vector>

#include "base/random.hpp"
#include "config/effective.hpp"
#include "config/schema/info.hpp"
#include "config/value/unit.hpp"

namespace strata::trial {

struct Setting {
  std::string path;
  config::FieldInfo about;
  std::string present;                       ///< its value as text; empty: none
  const config::NumberKind* kind = nullptr;  ///< null: no number
  std::vector<std::string> names;            ///< the allowed texts, if the schema does not state them
};

/// Every setting of the configuration that a trial moves, in the schema's order.
/// Names in reports are omitted, and texts that no table lists.
std::vector<Setting> settings_of(const config::SchemaInfo& schema, const config::Effective& effective);

/// The ends and the middle of the range; every choice; true and false; none where that is allowed.
std::vector<std::string> ends_and_middle(const Setting& setting);

/// One of those, or a value at random: near the present one or anywhere in the range.
std::string random_value(const Setting& setting, RandomSequence& random);

}  // namespace strata::trial
