// SPDX-License-Identifier: Apache-2.0
// The requests that a controller has taken in. A request is one transaction;
// it becomes one entry for each row that it touches (one with most address
// maps), and an entry waits in the list of its bank, reads and writes apart,
// in order of arrival, to be served by one run of column commands. Each list knows how many of its entries hit the row that
// is open in its bank. All storage is taken at construction.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "dram/command.hpp"
#include "memory/transaction.hpp"

namespace strata::dram {

inline constexpr std::uint16_t no_entry = 0xFFFF;
inline constexpr std::int64_t closed_row = -1;

/// What the first command of an entry found.
enum class Outcome : std::uint8_t { unknown, hit, closed, conflict };

struct Request {
  memory::Transaction* transaction = nullptr;  ///< null for a posted write, answered before
  Tick accepted = 0;
  Tick first_command = never;
  Tick begun = 0;         ///< its latest run of column commands
  Tick last_column = 0;
  Tick last_data = 0;     ///< end of the last beat so far
  std::uint8_t parts = 0; ///< entries not yet served
  bool write = false;
};

struct Entry {
  std::uint64_t age = 0;    ///< order of arrival
  Tick eligible = 0;        ///< no command before
  std::uint32_t bank = 0;   ///< through all pseudo-channels
  std::uint32_t row = 0;
  std::uint16_t next = no_entry;
  std::uint16_t previous = no_entry;
  std::uint16_t request = 0;
  std::uint8_t bursts = 0;
  bool write = false;
  Outcome outcome = Outcome::unknown;
};

class RequestQueue {
 public:
  RequestQueue(std::uint32_t banks, std::uint32_t reads, std::uint32_t writes)
      : entries_(4 * std::size_t{reads + writes}), requests_(reads + writes), lists_(banks) {
    for (std::size_t i = entries_.size(); i-- > 0;) free_entries_.push_back(static_cast<std::uint16_t>(i));
    for (std::size_t i = requests_.size(); i-- > 0;) free_requests_.push_back(static_cast<std::uint16_t>(i));
  }

  /// Requests queued; the caller keeps below the depth given.
  std::uint32_t size(bool write) const { return size_[write]; }
  std::uint16_t head(bool write, std::uint32_t bank) const { return lists_[bank][write].head; }
  std::uint32_t hits(bool write, std::uint32_t bank) const { return lists_[bank][write].hits; }
  Entry& entry(std::uint16_t index) { return entries_[index]; }
  const Entry& entry(std::uint16_t index) const { return entries_[index]; }
  Request& request(std::uint16_t index) { return requests_[index]; }

  std::uint16_t open_request(const Request& request) {
    const std::uint16_t index = free_requests_.back();
    free_requests_.pop_back();
    requests_[index] = request;
    ++size_[request.write];
    return index;
  }
  void close_request(std::uint16_t index) {
    --size_[requests_[index].write];
    free_requests_.push_back(index);
  }

  /// Appends to its bank's list; open_row: the row open there.
  std::uint16_t add(const Entry& entry, std::int64_t open_row) {
    const std::uint16_t index = free_entries_.back();
    free_entries_.pop_back();
    Entry& added = entries_[index] = entry;
    std::uint16_t& tail = lists_[entry.bank][entry.write].tail;
    added.next = no_entry;
    added.previous = tail;
    (tail == no_entry ? lists_[entry.bank][entry.write].head : entries_[tail].next) = index;
    tail = index;
    if (entry.row == open_row) ++lists_[entry.bank][entry.write].hits;
    return index;
  }
  void remove(std::uint16_t index, std::int64_t open_row) {
    const Entry& gone = entries_[index];
    (gone.previous == no_entry ? lists_[gone.bank][gone.write].head : entries_[gone.previous].next) = gone.next;
    (gone.next == no_entry ? lists_[gone.bank][gone.write].tail : entries_[gone.next].previous) = gone.previous;
    if (gone.row == open_row) --lists_[gone.bank][gone.write].hits;
    free_entries_.push_back(index);
  }
  /// The oldest entry of the list for row; there must be one.
  std::uint16_t oldest_hit(bool write, std::uint32_t bank, std::int64_t row) const {
    std::uint16_t index = lists_[bank][write].head;
    while (entries_[index].row != row) index = entries_[index].next;
    return index;
  }
  /// The row open in bank has become row, or closed_row.
  void row_changed(std::uint32_t bank, std::int64_t row) {
    for (std::size_t write = 0; write < 2; ++write) {
      std::uint16_t count = 0;
      if (row != closed_row) {
        for (std::uint16_t i = lists_[bank][write].head; i != no_entry; i = entries_[i].next) {
          if (entries_[i].row == row) ++count;
        }
      }
      lists_[bank][write].hits = count;
    }
  }

 private:
  struct List {
    std::uint16_t head = no_entry;
    std::uint16_t tail = no_entry;
    std::uint16_t hits = 0;
  };
  std::vector<Entry> entries_;
  std::vector<Request> requests_;
  std::vector<std::uint16_t> free_entries_;
  std::vector<std::uint16_t> free_requests_;
  std::vector<std::array<List, 2>> lists_;  ///< by bank, then read or write
  std::array<std::uint32_t, 2> size_{};
};

}  // namespace strata::dram
