// SPDX-License-Identifier: Apache-2.0
// The requests that a controller has taken in. A request is one transaction;
// it becomes one entry for each row that it touches (one with most address
// maps), and an entry waits in the list of its bank, reads and writes apart,
// in order of arrival, to be served by one run of column commands. Each list knows how many of its entries hit the row that
// is open in its bank. All storage is taken at construction.
//
// An entry has a number in the order of arrival of its direction.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "dram/timing/bank.hpp"
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
  std::uint16_t next_free = no_entry;
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
  Outcome outcome = Outcome::unknown;
};
static_assert(sizeof(Entry) == 32);

class RequestQueue {
 public:
  static constexpr std::uint64_t first_number = std::uint64_t{1} << 40U;

  /// parts: entries of a request at most.
  RequestQueue(std::vector<Bank>& banks, std::uint32_t reads, std::uint32_t writes, std::uint32_t parts);

  /// Requests queued; the caller keeps below the depth given.
  std::uint32_t size(bool write) const { return size_[write]; }
  bool empty() const { return size_[0] + size_[1] == 0; }
  Entry& entry(std::uint16_t index) { return entries_[index]; }
  const Entry& entry(std::uint16_t index) const { return entries_[index]; }
  Request& request(std::uint16_t index) { return requests_[index]; }
  const Request& request(std::uint16_t index) const { return requests_[index]; }

  std::uint16_t open_request(memory::Transaction* transaction, bool write, std::uint8_t parts) {
    const std::uint16_t index = free_request_;
    free_request_ = requests_[index].next_free;
    requests_[index] = {transaction, never, 0, parts, write, no_entry};
    ++size_[write];
    return index;
  }
  void close_request(std::uint16_t index) {
    --size_[requests_[index].write];
    requests_[index].next_free = free_request_;
    free_request_ = index;
  }

  /// Appends an entry to the list of its bank.
  void add(Bank& bank, std::uint8_t number_of_bank, std::uint32_t row, bool write, Tick eligible, std::uint16_t request,
           std::uint8_t bursts) {
    const std::uint16_t index = free_entry_;
    free_entry_ = entries_[index].next;
    BankList& list = bank.lists[write];
    const std::uint16_t previous = list.tail;
    (previous == no_entry ? list.head : entries_[previous].next) = index;
    list.tail = index;
    list.hits = static_cast<std::uint16_t>(list.hits + (row == bank.row));
    Entry& entry = entries_[index];
    entry.number = next_[write]++;
    entry.eligible = eligible;
    entry.row = row;
    entry.next = no_entry;
    entry.previous = previous;
    entry.request = request;
    entry.bank = number_of_bank;
    entry.bursts = bursts;
    entry.write = write;
    entry.outcome = Outcome::unknown;
  }
  void remove(std::uint16_t index) {
    Entry& gone = entries_[index];
    Bank& bank = banks_[gone.bank];
    BankList& list = bank.lists[gone.write];
    (gone.previous == no_entry ? list.head : entries_[gone.previous].next) = gone.next;
    (gone.next == no_entry ? list.tail : entries_[gone.next].previous) = gone.previous;
    list.hits = static_cast<std::uint16_t>(list.hits - (gone.row == bank.row));
    gone.next = free_entry_;
    free_entry_ = index;
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

 private:
  std::vector<Bank>& banks_;
  std::array<std::uint32_t, 2> size_{};
  std::array<std::uint64_t, 2> next_{first_number, first_number};  ///< number of the next entry
  std::vector<Entry> entries_;
  std::vector<Request> requests_;
  std::uint16_t free_entry_ = no_entry;  ///< the first of a chain
  std::uint16_t free_request_ = no_entry;
};

}  // namespace strata::dram
