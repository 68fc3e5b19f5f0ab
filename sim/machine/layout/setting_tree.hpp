// SPDX-License-Identifier: Apache-2.0
// Settings of a machine by their paths, for settings that decide others. Internal to machine.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "config/value/value.hpp"

namespace strata::machine {

/// What was set later has the higher rank.
int rank(const config::Value* value, const config::Value& root);
/// Null: it is not there.
config::Value* at(config::Value& root, std::string_view path);
/// Gives the map at the path an entry, after those it has.
config::Value& entry(config::Value& root, std::string_view map, const std::string& key);
void put(config::Value& value, std::string text, const config::Position& where, std::string why);

}  // namespace strata::machine
