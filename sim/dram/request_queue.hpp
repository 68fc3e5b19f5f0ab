// SPDX-License-Identifier: Apache-2.0
// The requests that a controller has taken in. A request is one transaction;
// it becomes one entry for each row that it touches (one with most address
// maps), and an entry waits in the list of its bank, reads and writes apart,
// in order of arrival, to be served by one run of column commands. Each list knows how many of its entries hit the row that
// is open in its bank. All storage is taken at construction.
//
// An entry has a number in the order of arrival of its direction, and a place: the
// number modulo a power of two. So a set of entries is a bitmap of places, and the
// oldest of it the first bit from the place of the oldest entry on. When an old
// entry would be overlapped by new ones, all are numbered anew, close together.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "dram/bank.hpp"
#include "memory/transaction.hpp"

namespace strata::dram {

/// What the first command of an entry found.
enum class Outcome : std::uint8_t { unknown, hit, closed, conflict };

struct Request {
  memory::Transaction* transaction = nullptr;  ///< null for a posted write, answered before
  Tick first_command = never;
  Tick last_column = 0;    ///< the latest column command
  std::uint8_t parts = 0;  ///< entries not yet served
  bool write = false;
};

struct Entry {
  std::uint64_t number = 0;  ///< in the order of arrival of its direction
  Tick eligible = 0;         ///< no command before
  std::uint32_t row = 0;
  std::uint16_t next = no_entry;
  std::uint16_t previous = no_entry;
  std::uint16_t request = 0;
  std::uint8_t bank = 0;  ///< through all pseudo-channels
  std::uint8_t bursts = 0;
  bool write = false;
  bool leads = false;  ///< of writes to one row that came one after the other: the first that is left
  Outcome outcome = Outcome::unknown;
};
static_assert(sizeof(Entry) == 32);

class RequestQueue {
 public:
  static constexpr std::uint64_t first_number = std::uint64_t{1} << 40U;

  /// parts: entries of a request at most.
  RequestQueue(std::vector<Bank>& banks, std::uint32_t reads, std::uint32_t writes,
               std::uint32_t parts);

  /// Requests queued; the caller keeps below the depth given.
  std::uint32_t size(bool write) const { return size_[write]; }
  bool empty() const { return size_[0] + size_[1] == 0; }
  Entry& entry(std::uint16_t index) { return entries_[index]; }
  const Entry& entry(std::uint16_t index) const { return entries_[index]; }
  Request& request(std::uint16_t index) { return requests_[index]; }

  std::uint16_t open_request(memory::Transaction* transaction, bool write, std::uint8_t parts) {
    const std::uint16_t index = free_requests_.back();
    free_requests_.pop_back();
    requests_[index] = {transaction, never, 0, parts, write};
    ++size_[write];
    return index;
  }
  void close_request(std::uint16_t index) {
    --size_[requests_[index].write];
    free_requests_.push_back(index);
  }

  /// Whether add() needs renumber() first.
  bool numbers_spent(bool write) const { return next_[write] - oldest_[write] > place_mask_; }
  /// Numbers all entries of the direction anew, in the same order; places change.
  void renumber(bool write);
  /// Appends an entry to the list of its bank.
  void add(Bank& bank, std::uint8_t number_of_bank, std::uint32_t row, bool write, Tick eligible,
           std::uint16_t request, std::uint8_t bursts) {
    const std::uint16_t index = free_entries_.back();
    free_entries_.pop_back();
    const std::uint64_t number = next_[write]++;
    live_[write][place(number) / 64] |= std::uint64_t{1} << (number % 64);
    bank_at_[write][place(number)] = number_of_bank;
    BankList& list = bank.lists[write];
    const std::uint16_t previous = list.tail;
    (previous == no_entry ? list.head : entries_[previous].next) = index;
    list.tail = index;
    list.hits = static_cast<std::uint16_t>(list.hits + (row == bank.row));
    Entry& entry = entries_[index];
    entry.number = number;
    entry.eligible = eligible;
    entry.row = row;
    entry.next = no_entry;
    entry.previous = previous;
    entry.request = request;
    entry.bank = number_of_bank;
    entry.bursts = bursts;
    entry.write = write;
    entry.leads = false;
    entry.outcome = Outcome::unknown;
  }
  void remove(std::uint16_t index) {
    const Entry& gone = entries_[index];
    Bank& bank = banks_[gone.bank];
    BankList& list = bank.lists[gone.write];
    (gone.previous == no_entry ? list.head : entries_[gone.previous].next) = gone.next;
    (gone.next == no_entry ? list.tail : entries_[gone.next].previous) = gone.previous;
    list.hits = static_cast<std::uint16_t>(list.hits - (gone.row == bank.row));
    const bool write = gone.write;
    live_[write][place(gone.number) / 64] &= ~(std::uint64_t{1} << (gone.number % 64));
    if (gone.number == oldest_[write]) find_oldest(write);
    free_entries_.push_back(index);
  }
  /// The oldest entry of the list for the open row; there must be one.
  std::uint16_t oldest_hit(bool write, const Bank& bank) const {
    std::uint16_t index = bank.lists[write].head;
    while (entries_[index].row != bank.row) index = entries_[index].next;
    return index;
  }
  /// The bank opens a row, or closes it.
  void change_row(Bank& bank, std::uint32_t row) {
    bank.row = row;
    for (BankList& list : bank.lists) {
      list.hits = 0;
      if (row == closed_row) continue;
      for (std::uint16_t i = list.head; i != no_entry; i = entries_[i].next) {
        list.hits = static_cast<std::uint16_t>(list.hits + (entries_[i].row == row));
      }
    }
  }

  std::uint32_t places() const { return place_mask_ + 1; }
  std::uint16_t place(std::uint64_t number) const {
    return static_cast<std::uint16_t>(number & place_mask_);
  }
  /// The place of the oldest entry.
  std::uint32_t first_place(bool write) const { return place(oldest_[write]); }
  std::uint32_t bank_at(bool write, std::uint32_t place) const { return bank_at_[write][place]; }

 private:
  void find_oldest(bool write) {
    std::uint64_t number = oldest_[write] + 1;
    while (number < next_[write] && ((live_[write][place(number) / 64] >> (number % 64)) & 1U) == 0)
      ++number;
    oldest_[write] = number;
  }

  std::vector<Bank>& banks_;
  std::uint32_t place_mask_;
  std::array<std::uint32_t, 2> size_{};
  std::array<std::uint64_t, 2> next_{first_number, first_number};    ///< number of the next entry
  std::array<std::uint64_t, 2> oldest_{first_number, first_number};  ///< no entry has a lower one
  std::vector<Entry> entries_;
  std::vector<Request> requests_;
  std::vector<std::uint16_t> free_entries_;
  std::vector<std::uint16_t> free_requests_;
  std::array<std::vector<std::uint64_t>, 2> live_;    ///< places of entries
  std::array<std::vector<std::uint8_t>, 2> bank_at_;  ///< by place
  std::vector<std::uint16_t> order_;                  ///< for renumber()
};

}  // namespace strata::dram
