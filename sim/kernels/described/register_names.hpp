// SPDX-License-Identifier: Apache-2.0
// The registers of a kernel file, which have names. Each name takes four registers of a thread, so that any width fits.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text_distance.hpp"
#include "config/schema/reader.hpp"
#include "kernels/warp.hpp"

namespace strata::kernels {

class RegisterNames {
 public:
  bool too_many() const { return names_.size() > most; }
  static constexpr std::size_t most = 63;

  /// So many registers of that name, which a step writes.
  Registers written(const std::string& name, unsigned count) {
    written_.insert(name);
    return registers(name, count);
  }
  /// The same, which a step at that place reads.
  Registers read(const std::string& name, unsigned count, const config::Position& where) {
    reads_.emplace(name, where);
    return registers(name, count);
  }
  /// Reports names that are read and never written. A misspelt name would be one more register, that is ready at all
  /// times: a dependency lost without a word.
  void check(config::Reader& reader) const {
    const std::vector<std::string> written(written_.begin(), written_.end());
    for (const auto& [name, where] : reads_)
      if (!written_.contains(name))
        reader.error(where, fmt::format("no step writes register '{}'", name),
                     did_you_mean(nearest_name(name, written)));
  }

 private:
  Registers registers(const std::string& name, unsigned count) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const auto place = static_cast<unsigned>(found - names_.begin());
    if (found == names_.end()) names_.push_back(name);
    return reg(1 + 4 * std::min<unsigned>(place, most - 1), count);
  }

  std::vector<std::string> names_;                 ///< by number
  std::set<std::string> written_;                  ///< by some step
  std::map<std::string, config::Position> reads_;  ///< where a register is read first
};

}  // namespace strata::kernels
