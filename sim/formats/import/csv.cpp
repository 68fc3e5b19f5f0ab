// SPDX-License-Identifier: Apache-2.0
// The smallest form of accesses: `cycle,warp,op,address,bytes` a line. Lines
// of the same cycle, warp, operation and size that follow each other are the
// lanes of one instruction, which is not issued before that core cycle of the
// kernel. Up to 64 bytes are one lane's; more are cut into lanes of 16 bytes.
// Blocks are of eight warps of 32: warp w is warp w modulo 8 of block w / 8.
#include <fmt/format.h>

#include "formats/import/regroup.hpp"
#include "formats/lines.hpp"

namespace strata::formats {

using trace::Instruction;

namespace {

constexpr std::uint32_t warps_per_block = 8;
constexpr std::uint64_t piece = 16;
/// Blocks are numbered by warps, so a number far beyond those of any kernel creates blocks
/// without work, which are still launched.
constexpr std::uint64_t most_warps = Regroup::most_warps;

class CsvReader {
 public:
  CsvReader(TextSource& text, SpillFile& spill) : lines_(text), regroup_(spill) {}

  void read(KernelSink& sink, ImportReport& report) {
    std::string_view line;
    while (lines_.next(line)) {
      if (line.starts_with("# end ")) {
        said_rows_ = Words(lines_, line).number(line.substr(6), "the number of rows");
        continue;
      }
      if (line.empty() || line.front() == '#') continue;
      if (said_rows_) lines_.fail("a row after '# end'");
      if (lines_.number() == 1 && line.starts_with("cycle")) {
        if (line != "cycle,warp,op,address,bytes") lines_.fail("the columns are cycle,warp,op,address,bytes");
        continue;
      }
      try {
        row(line);
      } catch (const std::invalid_argument& error) {
        lines_.fail(error.what());
      }
    }
    try {
      flush();
    } catch (const std::invalid_argument& error) {
      lines_.fail(error.what());
    }
    if (regroup_.empty()) lines_.fail("it contains no access");
    if (said_rows_ && *said_rows_ != rows_)
      lines_.fail(fmt::format("the file has {} rows, but '# end' states {}", rows_, *said_rows_));
    if (!lines_.ended() && !said_rows_)
      report.note("the last line has no line end: if the file was truncated, its number may be incomplete");
    else if (!said_rows_)
      report.note(fmt::format("{} rows were read; to state that the file is complete, end it with a line '# end {}'",
                              rows_, rows_));
    trace::KernelInfo info;
    info.name = "csv";
    info.grid.x = static_cast<std::uint32_t>(last_warp_ / warps_per_block + 1);
    info.block.x = nvidia_warp_width * warps_per_block;
    if (const std::string idle = regroup_.idle_blocks(info.blocks()); !idle.empty())
      report.note(fmt::format("{}: block n has the warps {}n to {}n + {}", idle, warps_per_block, warps_per_block,
                              warps_per_block - 1));
    regroup_.drain(info, sink);
    report.kernels = 1;
    report.instructions = instructions_;
  }

 private:
  static memory::Operation operation_of(std::string_view word, const Words& words) {
    for (const char* name : {"load", "ld", "read", "r", "L", "R"})
      if (word == name) return memory::Operation::load;
    for (const char* name : {"store", "st", "write", "w", "S", "W"})
      if (word == name) return memory::Operation::store;
    for (const char* name : {"atomic", "atom", "red", "a", "A"})
      if (word == name) return memory::Operation::atomic;
    words.fail(fmt::format("'{}' is not load, store or atomic", word.substr(0, 64)));
  }

  void row(std::string_view line) {
    Words words(lines_, line, ", \t");
    const std::uint64_t cycle = words.number("a cycle", latest_cycle);
    const std::uint64_t warp = words.number("a warp", most_warps - 1);
    const memory::Operation operation = operation_of(words.need("an operation"), words);
    const std::string_view text = words.need("an address");
    const std::uint64_t address = words.number(text, "an address", ~std::uint64_t{0}, text.starts_with("0x") ? 16 : 10);
    const std::uint64_t bytes = words.number("bytes", piece * nvidia_warp_width);
    if (bytes == 0) words.fail("an access of 0 bytes");
    if (bytes - 1 > ~address)
      words.fail(fmt::format("an access of {} bytes at 0x{:x} reaches beyond the last address", bytes, address));
    if (!words.next().empty()) words.fail("too many columns");
    ++rows_;
    const bool cut = bytes > trace::most_bytes_per_lane;
    const std::uint64_t each = cut ? piece : bytes;
    const bool joins = pending_.lanes > 0 && !cut && warp == warp_ && cycle == pending_.not_before_cycle &&
                       operation == pending_.operation && each == pending_.bytes_per_lane &&
                       pending_.lanes < nvidia_warp_width;
    if (!joins) {
      flush();
      warp_ = warp;
      pending_.operation = operation;
      pending_.not_before_cycle = cycle;
      pending_.bytes_per_lane = static_cast<std::uint8_t>(each);
    }
    for (std::uint64_t at = 0; at < bytes; at += each) pending_.addresses[pending_.lanes++] = address + at;
    if (cut) flush();
    last_warp_ = std::max(last_warp_, warp);
  }

  void flush() {
    if (pending_.lanes > 0) {
      regroup_.add(warp_ / warps_per_block, static_cast<std::uint32_t>(warp_ % warps_per_block), pending_);
      ++instructions_;
    }
    pending_.dependent = false;
    pending_.lanes = 0;
  }

  Lines lines_;
  Regroup regroup_;
  Instruction pending_ = [] {
    Instruction none;
    none.dependent = false;
    none.lanes = 0;
    return none;
  }();
  std::uint64_t warp_ = 0;
  std::uint64_t last_warp_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t rows_ = 0;
  std::optional<std::uint64_t> said_rows_;  ///< by a last line
};

}  // namespace

void import_csv(TextSource& text, SpillFile& spill, KernelSink& sink, ImportReport& report) {
  CsvReader(text, spill).read(sink, report);
}

void ImportReport::unknown_opcode(std::string_view name) {
  constexpr std::size_t most = 1000;
  const auto found = unknown.find(name);
  if (found != unknown.end())
    ++found->second;
  else if (unknown.size() < most)
    unknown.emplace(name.substr(0, 64), 1);
}

void ImportReport::count(std::string_view what) {
  const auto found = counted.find(what);
  if (found != counted.end())
    ++found->second;
  else
    counted.emplace(what, 1);
}

void ImportReport::note(std::string text) {
  constexpr std::size_t most = 100;
  if (notes.size() < most && std::find(notes.begin(), notes.end(), text) == notes.end())
    notes.push_back(std::move(text));
}

}  // namespace strata::formats
