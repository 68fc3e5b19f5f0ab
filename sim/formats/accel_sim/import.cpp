// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's traces (Khairy, Shen, Aamodt, Rogers: Accel-Sim, ISCA 2020;
// util/tracer_nvbit of its repository), versions 1 to 5 of its tracer: headers,
// blocks and warps.
#include <fmt/format.h>

#include <array>
#include <set>

#include "formats/accel_sim/decoder.hpp"

namespace strata::formats {

namespace {

constexpr std::uint32_t newest_version = 5;

class KernelReader {
 public:
  KernelReader(TextSource& source, KernelSink& sink, ImportReport& report)
      : lines_(source), sink_(sink), report_(report), decoder_(lines_, sink, report) {}

  void read() {
    std::string_view line;
    while (lines_.next(line)) {
      Words words(lines_, line);
      const std::string_view word = words.next();
      if (word.empty()) continue;
      try {
        if (word.front() == '-')
          header(line, words);
        else if (word.front() == '#')
          marker(word, words);
        else if (!in_block_)
          words.fail("an instruction outside a thread block");
        else
          block_line(word, line);
      } catch (const std::invalid_argument& error) {
        words.fail(error.what());
      }
    }
    if (in_block_) lines_.fail("ends within a thread block: the file is truncated");
    lines_.need_end_of_line();
    try {
      begin_kernel();
      sink_.end_kernel();
    } catch (const std::invalid_argument& error) {
      lines_.fail(error.what());
    }
    if (blocks_ < info_.blocks())
      lines_.fail(fmt::format("kernel '{}': {} of {} blocks are in the trace: the file is truncated", info_.name,
                              blocks_, info_.blocks()));
    ++report_.kernels;
  }

 private:
  void header(std::string_view line, Words& words) {
    if (begun_) words.fail("a header line after the first thread block");
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) words.fail("a header line without '='");
    std::string_view key = line.substr(1, equals - 1);
    while (key.ends_with(' ')) key.remove_suffix(1);
    std::string_view value = line.substr(equals + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (!said_.insert(std::string(key.substr(0, 64))).second)
      words.fail(fmt::format("the header has '{}' twice", key.substr(0, 64)));
    const auto number = [&](const char* what, std::uint64_t most) {
      return static_cast<std::uint32_t>(words.number(value, what, most));
    };
    if (key == "kernel name")
      info_.name = value;
    else if (key == "grid dim")
      info_.grid = dimensions(value, words), has_grid_ = true;
    else if (key == "block dim")
      info_.block = dimensions(value, words), has_block_ = true;
    else if (key == "shmem")
      info_.shared_bytes = number("bytes of shared memory", 0xFFFFFFFFU);
    else if (key == "nregs")
      info_.registers_per_thread = number("registers a thread", 512),
      need_one(info_.registers_per_thread, "registers a thread", words);
    else if (key == "shmem base_addr")
      decoder_.shared_base = words.number(value, "an address", ~std::uint64_t{0}, 16);
    else if (key == "local mem base_addr")
      decoder_.local_base = words.number(value, "an address", ~std::uint64_t{0}, 16);
    else if (key == "accelsim tracer version")
      decoder_.version = number("the version of the tracer", newest_version),
      need_one(decoder_.version, "the version of the tracer", words);
    else if (key == "enable lineinfo")
      decoder_.line_info = number("0 or 1", 1) == 1;
    else if (key == "binary version")
      number("a version", 9999);
    else if (key != "kernel id" && key != "cuda stream id" && key != "nvbit version")
      report_.note(fmt::format("the header field '{}' is not read", key.substr(0, 64)));
  }

  static void need_one(std::uint32_t value, const char* what, const Words& words) {
    if (value == 0) words.fail(fmt::format("{} is 0, less than 1", what));
  }

  static trace::Dimensions dimensions(std::string_view value, const Words& words) {
    std::array<std::uint32_t, 3> numbers{};
    if (!value.starts_with('(') || !value.ends_with(')')) words.fail("dimensions must be in brackets: (x,y,z)");
    value = value.substr(1, value.size() - 2);
    for (std::uint32_t& n : numbers) {
      const std::size_t comma = std::min(value.find(','), value.size());
      n = static_cast<std::uint32_t>(words.number(value.substr(0, comma), "a dimension", 0x7FFFFFFFU));
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    if (!value.empty()) words.fail("three dimensions must be in brackets: (x,y,z)");
    return {numbers[0], numbers[1], numbers[2]};
  }

  void begin_kernel() {
    if (begun_) return;
    if (!has_grid_ || !has_block_) lines_.fail("the header lacks '-grid dim' or '-block dim'");
    if (!said_.contains("accelsim tracer version"))
      report_.count(
          fmt::format("a header does not state the version of the tracer; read as version {}", newest_version));
    if (!said_.contains("nregs")) report_.count("a header does not state the registers per thread; read as 32");
    info_.check();
    sink_.begin_kernel(info_);
    begun_ = true;
  }

  void marker(std::string_view word, Words& words) {
    if (word == "#BEGIN_TB") {
      if (in_block_) words.fail("a thread block begins before the previous one has ended");
      begin_kernel();
      in_block_ = true;
      named_ = in_warp_ = false;
      left_ = 0;
      warps_ = 0;
    } else if (word == "#END_TB") {
      if (!in_block_) words.fail("a thread block ends without a beginning");
      end_warp();
      if (!named_) words.fail("a thread block without 'thread block = x,y,z'");
      for (std::uint32_t missing = warps_; missing < info_.warps_per_block(); ++missing)
        report_.count("a warp of a block is not in the trace; it has no instructions");
      sink_.end_block();
      in_block_ = false;
      ++blocks_;
    }
    // "#traces format" and comments are not needed.
  }

  void block_line(std::string_view word, std::string_view line) {
    Words words(lines_, line, " \t=,");
    words.next();
    if (word == "thread") {
      if (named_) words.fail("a thread block is named twice");
      words.need("'block'");
      trace::Dimensions place;
      for (std::uint32_t* const n : {&place.x, &place.y, &place.z})
        *n = static_cast<std::uint32_t>(words.number("a block index", 0x7FFFFFFFU));
      if (place.x >= info_.grid.x || place.y >= info_.grid.y || place.z >= info_.grid.z)
        words.fail(fmt::format("block {},{},{} is outside the grid", place.x, place.y, place.z));
      block_ = info_.grid.number(place);
      sink_.begin_block(block_);
      named_ = true;
    } else if (word == "warp") {
      if (!named_) words.fail("a warp before 'thread block = x,y,z'");
      end_warp();
      warp_ = static_cast<std::uint32_t>(words.number("the number of a warp", 0xFFFF));
      decoder_.warp = block_ * info_.warps_per_block() + warp_;
      sink_.begin_warp(warp_);
      in_warp_ = true;
      counted_ = false;
      ++warps_;
    } else if (word == "insts") {
      if (!in_warp_) words.fail("a number of instructions before any warp");
      if (counted_) words.fail("a warp has 'insts' twice");
      counted_ = true;
      left_ = words.number("a number of instructions");
    } else {
      if (!in_warp_) words.fail("an instruction before any warp");
      if (left_ == 0) words.fail("more instructions than 'insts' states");
      --left_;
      decoder_.decode(line);
      return;
    }
    if (const std::string_view more = words.next(); !more.empty())
      words.fail(fmt::format("unexpected '{}'", more.substr(0, 64)));
  }

  void end_warp() {
    if (in_warp_ && left_ != 0)
      lines_.fail(fmt::format("warp {} lacks {} of the instructions that 'insts' states", warp_, left_));
    in_warp_ = false;
  }

  Lines lines_;
  KernelSink& sink_;
  ImportReport& report_;
  AccelSimDecoder decoder_;
  trace::KernelInfo info_;
  std::set<std::string, std::less<>> said_;  ///< keys of the header
  bool has_grid_ = false, has_block_ = false, begun_ = false;
  bool in_block_ = false, named_ = false, in_warp_ = false;
  std::uint64_t block_ = 0;
  std::uint32_t warp_ = 0;
  std::uint64_t left_ = 0;    ///< instructions that the warp still lacks
  std::uint64_t blocks_ = 0;  ///< read
  std::uint32_t warps_ = 0;   ///< of the block so far
  bool counted_ = false;      ///< the warp has its number of instructions
};

}  // namespace

void import_accel_sim_kernel(TextSource& kernel, KernelSink& sink, ImportReport& report) {
  KernelReader(kernel, sink, report).read();
}

void import_accel_sim_list(TextSource& list, const OpenText& open, KernelSink& sink, ImportReport& report) {
  Lines lines(list);
  std::string_view line;
  bool any = false;
  while (lines.next(line)) {
    Words words(lines, line);
    const std::string_view word = words.next();
    if (word.empty() || word.front() == '#') continue;
    if (word.starts_with("Memcpy")) {
      report.note("copies between host and device are not replayed");
    } else if (word.starts_with("kernel")) {
      if (word.front() == '/' || word.find("..") != std::string_view::npos)
        words.fail("names a file outside the folder of the list");
      const auto source = open(std::string(word));
      import_accel_sim_kernel(*source, sink, report);
      any = true;
    } else {
      words.fail(fmt::format("'{}' is neither a kernel's file nor a copy", word.substr(0, 64)));
    }
  }
  if (!any) lines.fail("names no kernel");
}

}  // namespace strata::formats
