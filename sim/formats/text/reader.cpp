// SPDX-License-Identifier: Apache-2.0
// From the text form of a trace to a kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "formats/lines.hpp"
#include "formats/native/record.hpp"
#include "formats/native/record_lanes.hpp"
#include "formats/text/text.hpp"
#include "formats/text/words.hpp"

namespace strata::formats {

using trace::Instruction;

namespace {

std::optional<unsigned> find(std::span<const std::string_view> names, std::string_view word) {
  for (unsigned i = 0; i < names.size(); ++i)
    if (names[i] == word) return i;
  return std::nullopt;
}

class Reader {
 public:
  Reader(TextSource& source, KernelSink& sink) : lines_(source), sink_(sink) {}

  void read() {
    std::string_view line;
    if (!lines_.next(line) || line != first_line) lines_.fail(fmt::format("does not begin with '{}'", first_line));
    bool ended = false;
    while (lines_.next(line)) {
      Words words(lines_, line);
      const std::string_view word = words.next();
      if (word.empty() || word.front() == '#') continue;
      if (ended) words.fail("continues after 'end'");
      try {
        ended = statement(word, words);
      } catch (const std::invalid_argument& error) {
        words.fail(error.what());
      }
    }
    if (!ended) lines_.fail("ends without 'end': the file is truncated");
  }

 private:
  bool statement(std::string_view word, Words& words) {
    if (word == "kernel") {
      close_kernel();
      kernel(words);
    } else if (word == "block") {
      if (!in_kernel_) words.fail("a block before any kernel");
      close_block();
      sink_.begin_block(words.number("the number of a block"));
      in_block_ = true;
      in_warp_ = false;
    } else if (word == "warp") {
      if (!in_block_) words.fail("a warp before any block");
      sink_.begin_warp(static_cast<std::uint32_t>(words.number("the number of a warp", 0xFFFF)));
      in_warp_ = true;
    } else if (word == "end") {
      close_kernel();
      return true;
    } else {
      if (!in_warp_) words.fail(fmt::format("'{}' before any warp", word.substr(0, 64)));
      instruction(word, words);
      return false;
    }
    if (!words.next().empty()) words.fail("unexpected word");
    return false;
  }

  void kernel(Words& words) {
    info_ = {};
    info_.name = name(words);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const auto number = [&] { return static_cast<std::uint32_t>(words.number("a number", 0xFFFFFFFFU)); };
      if (word == "grid")
        info_.grid = {number(), number(), number()};
      else if (word == "block")
        info_.block = {number(), number(), number()};
      else if (word == "registers")
        info_.registers_per_thread = number();
      else if (word == "shared")
        info_.shared_bytes = number();
      else if (word == "warp_width")
        info_.warp_width = number();
      else if (word == "cluster")
        info_.cluster = number();
      else
        words.fail(
            fmt::format("'{}' is not grid, block, registers, shared, warp_width or cluster", word.substr(0, 64)));
    }
    info_.check();
    sink_.begin_kernel(info_);
    in_kernel_ = true;
  }

  // A quoted name may hold blanks, so it is read byte by byte.
  std::string name(Words& words) {
    const std::string_view rest = words.rest();
    const std::size_t open = rest.find_first_not_of(" \t");
    if (open == std::string_view::npos || rest[open] != '"') words.fail("the name of a kernel stands in quotes");
    std::string out;
    std::size_t at = open + 1;
    for (; at < rest.size() && rest[at] != '"'; ++at) {
      if (rest[at] != '\\') {
        out += rest[at];
      } else if (at + 3 < rest.size() && rest[at + 1] == 'x') {
        out += static_cast<char>(words.number(rest.substr(at + 2, 2), "a byte in hexadecimal", 255, 16));
        at += 3;
      } else if (at + 1 < rest.size()) {
        out += rest[++at];
      }
    }
    if (at >= rest.size()) words.fail("the name of the kernel has no closing quote");
    words.skip(at + 1);
    return out;
  }

  static std::optional<std::string_view> value(std::string_view word, std::string_view key) {
    if (!word.starts_with(key) || word.size() <= key.size() || word[key.size()] != '=') return std::nullopt;
    return word.substr(key.size() + 1);
  }

  void instruction(std::string_view word, Words& words) {
    Instruction i;
    i.dependent = false;
    std::uint64_t mask = trace::first_lanes(info_.warp_width);
    if (const auto operation = find(operations, word)) {
      set_operation(i, *operation);
      i.space = static_cast<trace::Space>(choose(trace::spaces, words, "a space"));
      i.cache_operator = static_cast<memory::CacheOperator>(choose(operators, words, "a cache operator"));
      i.bytes_per_lane = static_cast<std::uint8_t>(words.number("bytes a lane", trace::most_bytes_per_lane));
      if (i.bytes_per_lane == 0) words.fail("an access of 0 bytes");
    } else if (const auto op_class = trace::op_class_of(word); op_class && *op_class != trace::OpClass::access) {
      i.op_class = *op_class;
    } else {
      words.fail(fmt::format("there is no instruction '{}'", word.substr(0, 64)));
    }
    unsigned sources = 0;
    std::string_view addresses;
    parts_.clear();
    for (word = words.next(); !word.empty(); word = words.next()) {
      if (const std::string_view part = part_of(word); part != "s") {
        if (std::ranges::find(parts_, part) != parts_.end()) words.fail(fmt::format("'{}' for the second time", part));
        parts_.push_back(part);
      }
      if (word.front() == '@')
        addresses = word;
      else if (const auto m = value(word, "mask"))
        mask = words.number(*m, "a mask", ~std::uint64_t{0}, 16);
      else if (word == "dependent")
        i.dependent = true;
      else if (const auto n = value(word, "repeat"))
        i.repeat = static_cast<std::uint16_t>(words.number(*n, "a repeat", 0xFFFF));
      else if (const auto f = value(word, "flops"))
        i.flops = static_cast<std::uint32_t>(words.number(*f, "operations", 0xFFFFFFFFU));
      else if (const auto p = value(word, "pc"))
        i.pc = static_cast<std::uint32_t>(words.number(*p, "a program counter", trace::no_pc - 1, 16));
      else if (const auto c = value(word, "cycle"))
        i.not_before_cycle = words.number(*c, "a cycle");
      else if (const auto b = value(word, "number"))
        i.barrier = static_cast<std::uint8_t>(words.number(*b, "the number of a barrier", 255));
      else if (const auto w = value(word, "warps"))
        i.barrier_warps = static_cast<std::uint16_t>(words.number(*w, "a number of warps", 0xFFFF));
      else if (word == "arrive")
        i.barrier_part = trace::BarrierPart::arrive;
      else if (word == "wait")
        i.barrier_part = trace::BarrierPart::wait;
      else if (word == "cluster")
        i.of_cluster = true;
      else if (const auto ranks = value(word, "multicast"))
        i.multicast = static_cast<std::uint16_t>(words.number(*ranks, "ranks of a cluster", 0xFFFF, 16));
      else if (const auto s = value(word, "scope"))
        i.scope = scope(*s, words);
      else if (trace::uses_tensor_memory(i.op_class) && tensor(word, words, i.tensor))
        continue;
      else if (word.front() == 'd')
        read_register(word, words, i.destination, i.destination_count);
      else if (word.front() == 's' && sources < trace::most_sources) {
        read_register(word, words, i.sources[sources], i.source_counts[sources]);
        ++sources;
      } else
        words.fail(fmt::format("'{}' is not a part of an instruction", word.substr(0, 64)));
    }
    if (i.repeat == 0) words.fail("a repeat of 0");
    if (i.repeat != 1 && trace::uses_tensor_memory(i.op_class))
      words.fail("it is not repeated: write it several times");
    if (i.barrier_part == trace::BarrierPart::wait && !i.of_cluster)
      words.fail("only barriers of a cluster have a wait");
    if (i.multicast != 0 && !trace::may_multicast(i)) words.fail("multicast is for bulk loads");
    if (i.of_cluster && i.op_class != trace::OpClass::barrier) words.fail("only a barrier is of a cluster");
    if ((mask & ~trace::first_lanes(info_.warp_width)) != 0) words.fail("a mask of more lanes than a warp has");
    i.lanes = static_cast<std::uint8_t>(std::popcount(mask));
    i.mask = mask == trace::first_lanes(i.lanes) ? 0 : mask;
    if (addresses.empty() == (i.is_access() && i.lanes > 0)) words.fail("addresses do not agree with the mask");
    if (!addresses.empty()) read_addresses(addresses.substr(1), words, i);
    require_valid(i);
    sink_.add(i);
  }

  // Whether the word is a part of it.
  static bool tensor(std::string_view word, const Words& words, trace::TensorWork& work) {
    const auto size = [&](std::string_view text) {
      return static_cast<std::uint16_t>(words.number(text, "a size of Tensor Memory", 0xFFFF));
    };
    if (const auto columns = value(word, "columns"))
      work.columns = size(*columns);
    else if (const auto m = value(word, "m"))
      work.m = size(*m);
    else if (const auto n = value(word, "n"))
      work.n = size(*n);
    else if (const auto k = value(word, "k"))
      work.k = size(*k);
    else if (const auto bits = value(word, "bits"))
      work.bits = static_cast<std::uint8_t>(words.number(*bits, "bits of an element", 255));
    else if (word == "a_from_tensor")
      work.a_from_tensor_memory = true;
    else
      return false;
    return true;
  }

  unsigned choose(std::span<const std::string_view> names, Words& words, const char* what) {
    const auto found = find(names, words.need(what));
    if (!found) words.fail(fmt::format("is not {}: {}", what, fmt::join(names, ", ")));
    return *found;
  }
  static trace::Scope scope(std::string_view word, const Words& words) {
    const auto found = find(trace::scopes, word);
    if (!found) words.fail("a scope is block, gpu or system");
    return static_cast<trace::Scope>(*found);
  }
  static void read_register(std::string_view word, const Words& words, std::uint8_t& first, std::uint8_t& count) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    first = static_cast<std::uint8_t>(words.number(word.substr(1, colon - 1), "a register", 255));
    count = 1;
    if (colon < word.size())
      count = static_cast<std::uint8_t>(words.number(word.substr(colon + 1), "a number of registers", 255));
    if (count == 0 || first + count > 256) words.fail("registers beyond the last one");
  }
  static void read_addresses(std::string_view text, const Words& words, Instruction& i) {
    const std::size_t plus = text.find('+');
    if (plus != std::string_view::npos || i.lanes == 1) {
      i.strided = true;
      i.addresses[0] = words.number(text.substr(0, plus), "an address", ~std::uint64_t{0}, 16);
      if (plus != std::string_view::npos)
        i.lane_stride = static_cast<std::uint32_t>(
            words.number(text.substr(plus + 1), "a stride", std::numeric_limits<std::uint32_t>::max()));
      return;
    }
    const auto given = static_cast<unsigned>(std::count(text.begin(), text.end(), ',')) + 1;
    if (given < i.lanes)
      words.fail(
          given == 1
              ? fmt::format("one address for {} active lanes: write @first+stride, one each, or mask=0x1", i.lanes)
              : fmt::format("{} addresses for {} active lanes: write @first+stride, or one each", given, i.lanes));
    for (unsigned lane = 0; lane < i.lanes; ++lane) {
      const std::size_t comma = std::min(text.find(','), text.size());
      i.addresses[lane] = words.number(text.substr(0, comma), "an address", ~std::uint64_t{0}, 16);
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    if (!text.empty()) words.fail("more addresses than active lanes");
  }

  void close_block() {
    if (in_block_) sink_.end_block();
    in_block_ = in_warp_ = false;
  }
  void close_kernel() {
    close_block();
    if (in_kernel_) sink_.end_kernel();
    in_kernel_ = false;
  }

  Lines lines_;
  KernelSink& sink_;
  trace::KernelInfo info_;
  std::vector<std::string_view> parts_{};  ///< of the instruction, as far as it is read
  bool in_kernel_ = false, in_block_ = false, in_warp_ = false;
};

}  // namespace

bool is_text_trace(std::string_view beginning) { return beginning.starts_with("strata-trace "); }

void read_text(TextSource& source, KernelSink& sink) { Reader(source, sink).read(); }

}  // namespace strata::formats
