// SPDX-License-Identifier: Apache-2.0
// The levels of TLB and the page walker behind them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::translation {

/// Who shares one instance of a level.
enum class Scope : std::uint8_t { core, group, die };

struct TlbLevelSpec {
  std::string name = "TLB";  ///< name in reports
  std::uint32_t entries = 32;
  std::uint32_t ways = 0;           ///< 0: fully associative
  Bytes entry_reach{2U << 20U};     ///< memory that one entry covers
  std::string replacement = "lru";  ///< of replacement::ReplacementTable
  Scope scope = Scope::core;
  Cycles miss_latency{0};         ///< what a miss here adds when the next level hits
  double misses_per_clock = 1.0;  ///< of one instance; 0: never the limit

  static config::Schema<TlbLevelSpec> schema();
};

struct WalkerSpec {
  Nanoseconds latency{0};      ///< of one walk, beyond the last level's miss
  std::uint32_t parallel = 8;  ///< walks at a time, of one die

  static config::Schema<WalkerSpec> schema();
};

struct TranslationSpec {
  std::vector<TlbLevelSpec> levels;  ///< nearest the core first; none: translation is free
  WalkerSpec walker;

  /// A level may hold an entry forever: its policy never forgets. Under lip it still reaches steady state, since
  /// entries that are not kept pass through one place.
  bool may_keep_entries() const;

  static config::Schema<TranslationSpec> schema();
};

}  // namespace strata::translation
