// SPDX-License-Identifier: Apache-2.0
#include "machine/described/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "machine/described/edge_settings.hpp"

namespace strata::machine {

namespace {

class Positions {
 public:
  Positions(Description& description, bool apart, const config::Position& where, std::vector<Diagnostic>& diagnostics)
      : description_(description), apart_(apart), where_(where), diagnostics_(diagnostics) {}

  std::vector<Placed> all() {
    path();
    translation();
    if (!diagnostics_.empty()) return {};
    for (Block& block : description_.blocks) {
      if (is_placed(block)) continue;
      if (on_path(block.kind) && block.kind != BlockKind::network)
        refuse(block, fmt::format("no edge leads to '{}'", block.name), "write edges: [{from: ..., to: ...}]");
      else if (translates(block.kind))
        refuse(block, fmt::format("no edge leads to '{}' from a core, a cache or a TLB", block.name), "");
      else
        placed_.push_back({&block, info(block.kind).section});
    }
    return std::move(placed_);
  }

 private:
  void refuse(const Block& block, std::string message, std::string hint) {
    // A block of the base is not wrong by itself.
    const config::Position& own = block.settings.where;
    const bool here = own.file_name() == where_.file_name();
    diagnostics_.push_back((here ? own : where_).diagnostic(std::move(message), std::move(hint)));
  }

  bool is_placed(const Block& block) const {
    return std::ranges::any_of(placed_, [&](const Placed& each) { return each.block == &block; });
  }

  /// The only block of that sort that a block leads to; null: there is none, or several, which is refused.
  Block* next(const Block& from, bool (*sort)(BlockKind)) {
    Block* found = nullptr;
    for (const Connection& edge : description_.connections) {
      if (edge.from != from.name) continue;
      Block* const to = description_.find(edge.to);
      if (!sort(to->kind) || to == found) continue;
      if (found != nullptr) {
        refuse(from, fmt::format("'{}' leads to both '{}' and '{}'", from.name, found->name, to->name),
               "a load has one path");
        return nullptr;
      }
      found = to;
    }
    return found;
  }

  void path() {
    Block* core = nullptr;
    for (Block& block : description_.blocks)
      if (block.kind == BlockKind::core) core = &block;
    if (core == nullptr) {
      diagnostics_.push_back(where_.diagnostic("'graph' has no node of kind 'core'", "every path begins there"));
      return;
    }
    for (Block* block = core; block != nullptr;) {
      if (is_placed(*block)) return refuse(*block, fmt::format("edges lead from '{}' back to it", block->name), "");
      if (const Block* const before = placed_.empty() ? nullptr : placed_.back().block; before != nullptr)
        in_order(*before, *block);
      placed_.push_back({block, section(*block)});
      if (block->kind == BlockKind::memory) return;
      const std::size_t faults = diagnostics_.size();
      Block* const after = next(*block, on_path);
      if (after == nullptr && diagnostics_.size() == faults)
        return refuse(*block, fmt::format("no edge leads on from '{}' to memory", block->name),
                      fmt::format("write edges: [{{from: {}, to: ...}}]", block->name));
      block = after;
    }
  }

  /// The machine has no place for blocks in another order.
  void in_order(const Block& before, const Block& block) {
    if (block.kind == BlockKind::network && !apart_)
      return refuse(block, "memory dies are no nodes of the network, so that no load passes it on its way to memory",
                    "lead on to memory, or set dies.memory_apart: true");
    if (block.kind == BlockKind::victim_cache ? placed_.size() == 2 : rank(before) <= rank(block)) return;
    refuse(block, fmt::format("'{}' cannot stand behind '{}'", block.name, before.name),
           "from the core to memory stand caches of cores, of groups, the crossbar, caches of dies, the network, and "
           "caches of memory dies");
  }

  int rank(const Block& block) const {
    const std::string_view shared_by = block.shared_by();
    switch (block.kind) {
      case BlockKind::core:
        return 0;
      case BlockKind::victim_cache:
        return 1;
      case BlockKind::crossbar:
        return 4;
      case BlockKind::output:
        return 5;
      case BlockKind::network:
        return 7;
      case BlockKind::memory_side_cache:
        return 9;
      case BlockKind::memory:
        return 10;
      default:
        break;
    }
    if (shared_by == "memory_die") return 8;
    if (past_crossbar_) return 6;
    return shared_by == "group" ? 3 : 2;
  }

  std::string_view section(const Block& block) {
    if (block.kind == BlockKind::crossbar) past_crossbar_ = true;
    if (block.kind == BlockKind::output) has_l2_ = true;
    if (block.kind != BlockKind::cache) return info(block.kind).section;
    const std::string_view shared_by = block.shared_by();
    if (past_crossbar_) return behind_crossbar(block, shared_by);
    if (!has_l1_) {
      has_l1_ = true;
      if (!shared_by.empty() && shared_by != "core")
        refuse(block, fmt::format("'{}' is the first cache of a core, but shared by {}", block.name, shared_by),
               "set shared_by: core");
      return "l1";
    }
    if (shared_by.empty())
      refuse(block, fmt::format("'{}' is between the L1s and the crossbar without 'shared_by'", block.name),
             "set shared_by: core or shared_by: group, or lead to it from behind the crossbar");
    else if (shared_by != "core" && shared_by != "group")
      refuse(block,
             fmt::format("'{}' stands between the L1s and the crossbar, so a core or a group shares it, not '{}'",
                         block.name, shared_by),
             "set shared_by: core or shared_by: group");
    return "levels";
  }

  std::string_view behind_crossbar(const Block& block, std::string_view shared_by) {
    if (!shared_by.empty() && shared_by != "die" && shared_by != "memory_die")
      refuse(block,
             fmt::format("'{}' stands behind the crossbar, so a die or a memory die shares it, not '{}'", block.name,
                         shared_by),
             "set shared_by: die or shared_by: memory_die");
    if (has_l2_ || shared_by == "memory_die") return "levels";
    has_l2_ = true;
    return "l2";
  }

  void translation() {
    Block* first = nullptr;
    for (const Connection& edge : description_.connections) {
      Block* const to = description_.find(edge.to);
      if (!translates(to->kind) || translates(description_.find(edge.from)->kind)) continue;
      if (first != nullptr && first != to)
        return refuse(*to, fmt::format("cores look pages up in both '{}' and '{}'", first->name, to->name), "");
      first = to;
    }
    for (Block* block = first; block != nullptr; block = next(*block, translates)) {
      if (is_placed(*block)) return refuse(*block, fmt::format("edges lead from '{}' back to it", block->name), "");
      const bool level = block->kind == BlockKind::tlb;
      placed_.push_back({block, level ? "translation.levels" : info(block->kind).section});
    }
  }

  Description& description_;
  const bool apart_;
  const config::Position& where_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<Placed> placed_;
  bool has_l1_ = false;
  bool past_crossbar_ = false;
  bool has_l2_ = false;
};

}  // namespace

std::vector<Placed> placed_blocks(Description& description, bool apart, const config::Position& where,
                                  std::vector<Diagnostic>& diagnostics) {
  return Positions(description, apart, where, diagnostics).all();
}

}  // namespace strata::machine
