// SPDX-License-Identifier: Apache-2.0
// The lines that stores have left incomplete: some of their sectors are not valid. Of
// those some may be masked: a few words of a sector are written, and for these it is
// known which. A masked sector is not valid in the tags; it becomes so when its last
// word is written or its data come from below, whichever is first.
//
// There may be a bounded number of incomplete lines, and a smaller one of masked
// ones. For one more the one written to least recently must go. A cache that keeps
// stores cleans it: what is missing of its masked sectors is fetched, and what is dirty
// goes back at once. A cache that passes them on forgets it. A line all of whose sectors
// are valid is none of them.
//
// Measured on an H200 (docs/notes/partial-writes.md): a third of the lines of its
// L2, and a seventh.
#pragma once
#include <cstdint>
#include <vector>

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/unordered_set.hpp>

#include "cache/tags/tag_words.hpp"
#include "engine/pool.hpp"

namespace strata::cache {

using memory::WordMask;

class IncompleteLines {
 public:
  /// 1 <= masked <= most: lines that may be masked, and incomplete, at once.
  IncompleteLines(std::uint64_t most, std::uint64_t masked);

  bool empty() const { return by_age_.empty(); }
  bool holds(LineNumber line) const { return find(line) != by_line_.end(); }
  /// The sectors of a line of which only some words are written.
  SectorMask masked(LineNumber line) const;
  /// Which line must be cleaned before `line` may be kept, masked or not; nullptr: none.
  const LineNumber* one_too_many(LineNumber line, bool masked) const;

  /// A store has left the line incomplete; one_too_many() had none. `masked`: sectors
  /// that are not valid, `words` what is written of them. Returns those sectors that
  /// are whole by that.
  SectorMask keep(LineNumber line, SectorMask masked, WordMask words);
  /// These sectors are valid now. Returns those of them that were masked.
  SectorMask validate(LineNumber line, SectorMask sectors);
  /// The line is complete, clean or gone. Returns its masked sectors.
  SectorMask forget(LineNumber line);
  void clear();

 private:
  using Links = boost::intrusive::link_mode<boost::intrusive::normal_link>;
  template <class Tag>
  using ListHook = boost::intrusive::list_base_hook<boost::intrusive::tag<Tag>, Links>;
  struct Age;
  struct MaskedAge;
  struct Entry : ListHook<Age>, ListHook<MaskedAge>, boost::intrusive::unordered_set_base_hook<Links> {
    LineNumber line = 0;
    WordMask words = 0;
    SectorMask masked = 0;
  };
  struct LineOf {
    using type = LineNumber;
    const LineNumber& operator()(const Entry& entry) const { return entry.line; }
  };
  struct Scattered {
    std::size_t operator()(LineNumber line) const {
      return static_cast<std::size_t>(line * 0x9E37'79B9'7F4A'7C15U >> 32U);
    }
  };
  using ByLine =
      boost::intrusive::unordered_set<Entry, boost::intrusive::key_of_value<LineOf>, boost::intrusive::hash<Scattered>,
                                      boost::intrusive::power_2_buckets<true>,
                                      boost::intrusive::constant_time_size<false>>;
  template <class Tag>
  using ByAge = boost::intrusive::list<Entry, boost::intrusive::base_hook<ListHook<Tag>>>;

  ByLine::const_iterator find(LineNumber line) const { return by_line_.find(line); }
  void unmask(Entry& entry, SectorMask sectors);

  std::uint64_t most_;
  std::uint64_t most_masked_;
  engine::Pool<Entry> entries_;  ///< grows as lines come: a hostile bound costs nothing
  std::vector<ByLine::bucket_type> buckets_;
  ByLine by_line_;
  ByAge<Age> by_age_;  ///< written to least recently first
  ByAge<MaskedAge> masked_by_age_;
};

}  // namespace strata::cache
