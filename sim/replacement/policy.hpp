// SPDX-License-Identifier: Apache-2.0
// What a replacement policy is: a class without virtual functions, a template argument of the tags
// of a cache or the entries of a TLB, that sees one set at a time. It may keep the lines of a set in an order
// of its own (then a line moves, those between its old and its new way move by one, and the new way
// is returned), use the two policy bits of each line word, ask for words of state per set, and keep
// state of its own that all sets share. Choosing a victim changes nothing; only hits, insertions and
// removals do, so that a lookup that stalls because no MSHR is free leaves no trace.
//
// Caches and TLBs differ in their words alone: a TLB has a page where a cache has a line.
#pragma once
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "replacement/line_word.hpp"

namespace strata::replacement {

inline constexpr std::uint32_t no_way = ~std::uint32_t{0};

/// What a policy is built for.
struct TagShape {
  std::uint64_t sets;
  std::uint32_t ways;
  std::uint64_t seed;
  std::string_view policy{};  ///< its name in the table, where it is chosen by name (AnyPolicy)
};

/// How what a cache held before loses its influence on what it holds, as new lines come.
enum class Forgets : std::uint8_t {
  by_recency,  ///< wholly, once each set has seen as many lines as it has ways
  gradually,   ///< by the factor e for each capacity
  never,       ///< no bound is known: warm-ups are not shortened
};

/// One set of a tag array.
struct SetView {
  std::uint64_t* lines;  ///< `ways` line words
  std::uint64_t* state;  ///< the policy's words, zero at first
  std::uint32_t ways;
  std::uint64_t set;  ///< its number

  bool movable(std::uint32_t way) const { return !LineWord::pending(lines[way]); }
  std::uint32_t first_empty() const {
    for (std::uint32_t way = 0; way < ways; ++way) {
      if (LineWord::empty(lines[way])) return way;
    }
    return no_way;
  }
  /// The first line at or after way, going round, that no fetch holds in place.
  std::uint32_t movable_from(std::uint32_t way) const {
    for (std::uint32_t step = 0; step < ways; ++step) {
      const std::uint32_t at = way + step < ways ? way + step : way + step - ways;
      if (movable(at)) return at;
    }
    return no_way;
  }
  /// Puts word first and moves the lines before `way` back by one.
  [[gnu::always_inline]] void move_to_front(std::uint32_t way, std::uint64_t word) const {
    switch (way) {  // a few are moved in less than a call
      case 3:
        lines[3] = lines[2];
        [[fallthrough]];
      case 2:
        lines[2] = lines[1];
        [[fallthrough]];
      case 1:
        lines[1] = lines[0];
        [[fallthrough]];
      case 0:
        break;
      default:
        std::memmove(lines + 1, lines, way * sizeof *lines);
    }
    lines[0] = word;
  }
  /// Closes the gap at `way`; the last place is then empty.
  void close_gap(std::uint32_t way) const {
    std::memmove(lines + way, lines + way + 1, (ways - 1 - way) * sizeof *lines);
    lines[ways - 1] = 0;
  }
  /// The last line that no fetch holds in place; an empty place is last of all.
  std::uint32_t last_movable() const {
    for (std::uint32_t way = ways; way-- > 0;) {
      if (movable(way)) return way;
    }
    return no_way;
  }
};

/// hit and insert return the way where the line then is; victim returns an
/// empty way if there is one, and no_way if every line is held by a fetch.
template <class P>
concept ReplacementPolicy = std::constructible_from<P, const TagShape&> &&
                            requires(P policy, const P unchanged, SetView set, std::uint32_t way, std::uint64_t word) {
                              { P::name } -> std::convertible_to<std::string_view>;
                              { P::meaning } -> std::convertible_to<std::string_view>;
                              { P::forgets } -> std::convertible_to<Forgets>;
                              { unchanged.state_words() } -> std::same_as<std::uint32_t>;
                              { policy.hit(set, way) } -> std::same_as<std::uint32_t>;
                              { unchanged.victim(set) } -> std::same_as<std::uint32_t>;
                              { policy.insert(set, way, word) } -> std::same_as<std::uint32_t>;
                              { policy.remove(set, way) };
                            };

}  // namespace strata::replacement
