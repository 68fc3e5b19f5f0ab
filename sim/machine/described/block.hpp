// SPDX-License-Identifier: Apache-2.0
// The blocks of a machine as a file describes them: nodes with settings, and connections from one to the next. The
// named sections of a configuration (core, l1, levels, crossbar, l2, ...) and the nodes and edges of `graph:` are two
// forms of this description.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::machine {

enum class BlockKind : std::uint8_t {
  core,
  cache,
  texture_cache,
  scalar_cache,
  second_scalar_cache,
  instruction_cache,
  victim_cache,
  crossbar,
  output,  ///< of a crossbar without L2
  network,
  memory_side_cache,
  memory,
  host_memory,
  tlb,
  page_walker
};

struct BlockKindInfo {
  BlockKind kind;
  std::string_view name;     ///< as `kind` of a node has it
  std::string_view node;     ///< the name of its only node; empty: the file chooses names
  std::string_view section;  ///< of its settings; empty: it follows from the position of the node
  std::string_view named;    ///< the setting that has the node's name; empty: none

  bool is_cache() const {
    return kind == BlockKind::cache || kind == BlockKind::memory_side_cache || kind == BlockKind::instruction_cache;
  }
};
const std::vector<BlockKindInfo>& block_kinds();
const BlockKindInfo& info(BlockKind kind);

struct Block {
  std::string name;
  BlockKind kind = BlockKind::core;
  config::Value settings;  ///< a map as its section has it; of caches one as an entry of `levels` is

  /// Of a cache: who shares it; empty: not set.
  std::string_view shared_by() const;
};

struct Connection {
  std::string from, to;
  config::Value settings;  ///< a map
  bool implied = true;     ///< by sections; others are edges of `graph:`
};

struct Description {
  std::vector<Block> blocks;
  std::vector<Connection> connections;

  /// Null: there is none of that name.
  Block* find(std::string_view name);
};

// Entries of maps by dotted paths, beside at() of layout/setting_tree.hpp.

/// The text of a scalar; empty: it is not there.
std::string_view text_of(const config::Value& map, std::string_view path);
/// The place of an entry, made with the maps on the way to it.
config::Value& place(config::Value& map, std::string_view path);
/// Takes an entry out; false: it is not there.
bool take(config::Value& map, std::string_view path, config::Value& taken);
config::Value empty_map(const config::Position& where);
config::Value scalar(std::string text, const config::Position& where);

}  // namespace strata::machine
