// SPDX-License-Identifier: Apache-2.0
// The lines of a write-back cache of which some sectors are written in part: for
// each the sectors in question and the words of them that are written. Such a
// sector is neither valid nor dirty in the tags. It becomes both when its last
// word is written or when its data come from below, whichever is first. There are
// words for a bounded number of lines; whoever needs one more must have the one
// completed that was written to least recently.
//
// Measured on an H200 (docs/design/partial-writes.md): a sixth of the lines of its
// L2, whether one sector or four of a line are written in part.
#pragma once
#include <cstdint>
#include <vector>

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/unordered_set.hpp>

#include "cache/line_word.hpp"

namespace strata::cache {

using memory::WordMask;

class MaskedLines {
 public:
  /// most >= 1: lines that may be written in part at once.
  explicit MaskedLines(std::uint64_t most);

  bool full() const { return free_.empty(); }
  std::uint64_t size() const { return by_age_.size(); }
  bool holds(LineNumber line) const { return find(line) != by_line_.end(); }
  /// The sectors of a line that are written in part.
  SectorMask sectors(LineNumber line) const;

  /// Words of sectors that are not valid are written. Returns the sectors that are
  /// whole by that, and forgets them. Not for a new line where full().
  SectorMask write(LineNumber line, SectorMask sectors, WordMask words);
  /// These sectors have become whole otherwise, or are gone. Returns those of them
  /// that were written in part.
  SectorMask forget(LineNumber line, SectorMask sectors);
  /// The line that was written to least recently; there is one.
  LineNumber oldest() const { return by_age_.front().line; }
  void clear();

 private:
  using Links = boost::intrusive::link_mode<boost::intrusive::normal_link>;
  struct Entry : boost::intrusive::list_base_hook<Links>,
                 boost::intrusive::unordered_set_base_hook<Links> {
    LineNumber line = 0;
    WordMask words = 0;
    SectorMask sectors = 0;
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
  using ByLine = boost::intrusive::unordered_set<
      Entry, boost::intrusive::key_of_value<LineOf>, boost::intrusive::hash<Scattered>,
      boost::intrusive::power_2_buckets<true>, boost::intrusive::constant_time_size<false>>;
  using ByAge = boost::intrusive::list<Entry>;

  ByLine::const_iterator find(LineNumber line) const { return by_line_.find(line); }
  void drop(Entry& entry);

  std::vector<Entry> entries_;
  std::vector<ByLine::bucket_type> buckets_;
  ByLine by_line_;
  ByAge by_age_;             ///< written to least recently first
  std::vector<Entry*> free_;
};

}  // namespace strata::cache
