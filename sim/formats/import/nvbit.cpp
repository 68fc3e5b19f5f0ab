// SPDX-License-Identifier: Apache-2.0
// What NVBit's tool mem_trace prints (Villa et al.: NVBit, MICRO 2019): a line
// at each launch and one for each access of a warp, with 32 addresses, of which 0 means an
// inactive lane. Warps are identified by their slot on their core, so within a block they are
// numbered in order of first appearance. The tool reports no registers: accesses of a warp are
// assumed to be independent of each other.
#include <fmt/format.h>

#include <bit>

#include "formats/import/regroup.hpp"
#include "formats/import/sass.hpp"
#include "formats/lines.hpp"

namespace strata::formats {

using trace::Instruction;

namespace {

// The text between `key` and the next " - " of the line; nothing: no such key.
std::optional<std::string_view> field(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = line.substr(at + key.size());
  value = value.substr(0, value.find(" - "));
  while (value.ends_with(' ')) value.remove_suffix(1);
  return value;
}

class NvbitReader {
 public:
  NvbitReader(TextSource& text, SpillFile& spill, KernelSink& sink, ImportReport& report)
      : lines_(text), regroup_(spill), sink_(sink), report_(report) {}

  void read() {
    std::string_view line;
    while (lines_.next(line)) {
      const Words words(lines_, line);
      try {
        if (line.find("- LAUNCH -") != std::string_view::npos)
          launch(line, words);
        else if (line.find("grid_launch_id ") != std::string_view::npos)
          access(line);
      } catch (const std::invalid_argument& error) {
        words.fail(error.what());
      }
    }
    lines_.need_end_of_line();
    end_kernel();
    report_.note(fmt::format(
        "{} accesses of {} launches were read; mem_trace does not mark its end, so the file may be incomplete",
        report_.instructions, report_.kernels));
    if (report_.kernels == 0) lines_.fail("no line of mem_trace describes a launch");
    if (report_.instructions == 0) lines_.fail("no line of mem_trace describes an access");
  }

 private:
  std::string_view need(std::string_view line, const char* key) const {
    const auto value = field(line, key);
    if (!value) lines_.fail(fmt::format("the line lacks '{}'", key));
    return *value;
  }
  static trace::Dimensions triple(std::string_view text, const Lines& lines) {
    Words words(lines, text, ",");
    trace::Dimensions d;
    for (std::uint32_t* const n : {&d.x, &d.y, &d.z})
      *n = static_cast<std::uint32_t>(words.number("one of three numbers", 0x7FFFFFFFU));
    if (!words.next().empty()) words.fail("more than three numbers");
    return d;
  }

  void launch(std::string_view line, const Words& words) {
    end_kernel();
    info_ = {};
    info_.name = need(line, "Kernel name ");
    launch_ = words.number(need(line, "grid launch id "), "the number of a launch");
    info_.grid = triple(need(line, "grid size "), lines_);
    info_.block = triple(need(line, "block size "), lines_);
    info_.registers_per_thread = static_cast<std::uint32_t>(words.number(need(line, "nregs "), "registers", 512));
    info_.shared_bytes = static_cast<std::uint32_t>(words.number(need(line, "shmem "), "bytes", 0xFFFFFFFFU));
    if (info_.registers_per_thread == 0) lines_.fail("a kernel of 0 registers per thread; at least one is needed");
    info_.check();
    open_ = true;
  }

  void access(std::string_view line) {
    if (!open_) lines_.fail("an access before any launch");
    const std::string_view id = need(line, "grid_launch_id ");
    const Words plain(lines_, line);
    if (plain.number(id, "the number of a launch") != launch_)
      lines_.fail(fmt::format("an access of launch {} within launch {}", id.substr(0, 20), launch_));
    const trace::Dimensions place = triple(need(line, "CTA "), lines_);
    if (place.x >= info_.grid.x || place.y >= info_.grid.y || place.z >= info_.grid.z)
      lines_.fail("a block outside the grid");
    const std::uint64_t block = info_.grid.number(place);
    const std::uint64_t slot = plain.number(need(line, "warp "), "a warp", 0xFFFF);
    // Opcode and addresses follow the warp.
    std::string_view rest = line.substr(line.find("warp "));
    rest.remove_prefix(std::min(rest.find(" - "), rest.size()));
    Words words(lines_, rest);
    words.need("'-'");
    const SassModifiers opcode(words.need("an opcode"));
    words.need("'-'");
    const SassOpcode* const row = find_sass(opcode.name());
    Instruction i;
    i.dependent = false;
    i.bytes_per_lane = static_cast<std::uint8_t>(opcode.bytes());
    if (row == nullptr || !(row->op_class == trace::OpClass::access))
      report_.count(fmt::format("opcode {} is not known as an access; read as a load", opcode.name().substr(0, 64)));
    else
      i.operation = row->operation;
    if (row != nullptr && row->space == SassSpace::shared) i.space = trace::Space::shared;
    if (opcode.has("STRONG"))
      i.cache_operator = opcode.has("SYS") ? memory::CacheOperator::cv : memory::CacheOperator::cg;
    std::uint64_t mask = 0;
    i.lanes = 0;
    for (unsigned lane = 0; lane < nvidia_warp_width; ++lane) {
      const std::uint64_t address = words.number("one of 32 addresses", ~std::uint64_t{0}, 16);
      if (address == 0) continue;
      mask |= std::uint64_t{1} << lane;
      i.addresses[i.lanes++] = address;
    }
    i.mask = mask == trace::first_lanes(i.lanes) ? 0 : mask;
    if (const std::string_view more = words.next(); !more.empty())
      words.fail(fmt::format("'{}' after the 32 addresses of a warp", more.substr(0, 64)));
    if (i.lanes == 0) report_.count("an access of a warp without active lanes");
    require_valid(i);
    regroup_.add(block, warp_of(block, static_cast<std::uint32_t>(slot)), i);
    ++report_.instructions;
  }

  std::uint32_t warp_of(std::uint64_t block, std::uint32_t slot) {
    auto& slots = warps_[block];
    for (std::uint32_t w = 0; w < slots.size(); ++w)
      if (slots[w] == slot) return w;
    if (slots.size() == info_.warps_per_block())
      lines_.fail(fmt::format("block {} has more warps than its {} threads fill", block, info_.threads_per_block()));
    if (warps_.size() > Regroup::most_warps) lines_.fail("too many blocks to sort");
    slots.push_back(slot);
    return static_cast<std::uint32_t>(slots.size() - 1);
  }

  void end_kernel() {
    if (!open_) return;
    if (const std::string idle = regroup_.idle_blocks(info_.blocks()); !idle.empty())
      report_.note(fmt::format("kernel '{}': {}", info_.name, idle));
    try {
      regroup_.drain(info_, sink_);
    } catch (const std::invalid_argument& error) {
      lines_.fail(error.what());
    }
    warps_.clear();
    ++report_.kernels;
    open_ = false;
  }

  Lines lines_;
  Regroup regroup_;
  KernelSink& sink_;
  ImportReport& report_;
  trace::KernelInfo info_;
  std::uint64_t launch_ = 0;
  bool open_ = false;
  std::map<std::uint64_t, std::vector<std::uint32_t>> warps_;  ///< slots by block
};

}  // namespace

void import_nvbit(TextSource& text, SpillFile& spill, KernelSink& sink, ImportReport& report) {
  NvbitReader(text, spill, sink, report).read();
}

}  // namespace strata::formats
