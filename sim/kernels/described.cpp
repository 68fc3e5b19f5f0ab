// SPDX-License-Identifier: Apache-2.0
#include "kernels/described.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "base/text_distance.hpp"
#include "kernels/arrays.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

using config::range;
using config::Schema;
using namespace literals;

namespace {

bool is_access(std::string_view op) { return op == "load" || op == "store" || op == "atomic"; }

std::vector<std::string> operations() {
  std::vector<std::string> names{"load", "store", "atomic"};
  for (const trace::OpClassName& row : trace::op_classes)
    if (row.op_class != OpClass::access && row.op_class != OpClass::exit)
      names.emplace_back(row.name);
  return names;
}

}  // namespace

Schema<DescribedArray> DescribedArray::schema() {
  return Schema<DescribedArray>("array", "a stretch of memory that steps access")
      .required("name", &DescribedArray::name, "by which steps call it")
      .required("size", &DescribedArray::size, "bytes", range(64_B, 1024 * 1_GiB))
      .optional("shared", &DescribedArray::shared, "in shared memory, each block its own");
}

Schema<DescribedStep> DescribedStep::schema() {
  return Schema<DescribedStep>("step", "an instruction of every thread")
      .required("op", &DescribedStep::op, "load, store, atomic or a class of instruction",
                config::one_of(operations()))
      .optional("array", &DescribedStep::array, "that an access goes to")
      .optional("width", &DescribedStep::width, "bytes that a thread accesses", range(1, 16),
                config::power_of_two())
      .optional("pattern", &DescribedStep::pattern, "which of its elements a thread accesses",
                config::choices<Pattern>(
                    {{"stream", Pattern::stream, "element i T + t"},
                     {"blocked", Pattern::blocked, "element t L + i"},
                     {"stride", Pattern::stride, "byte t stride + i width"},
                     {"random", Pattern::random, "an element drawn by seed, i and t"},
                     {"same", Pattern::same, "element i, all threads alike"}}))
      .optional("stride", &DescribedStep::stride, "from thread to thread, of pattern stride",
                range(0_B, 1_GiB))
      .optional("seed", &DescribedStep::seed, "of pattern random",
                range<std::uint64_t>(0, std::uint64_t{1} << 40U))
      .optional("run", &DescribedStep::run, "threads whose elements lie side by side, of pattern random",
                range(1, 1 << 20))
      .optional("offset", &DescribedStep::offset, "elements added to what the pattern says",
                range<std::int64_t>(-(std::int64_t{1} << 36U), std::int64_t{1} << 36U))
      .optional("count", &DescribedStep::count, "so many alike that do not wait for each other",
                range(1, 65535))
      .optional("flops", &DescribedStep::flops, "floating-point operations of a thread",
                range(0, 1 << 30))
      .optional("to", &DescribedStep::to, "name of the register that the result enters")
      .optional("from", &DescribedStep::from, "names of the registers that are read",
                config::entries(0, 3))
      .optional("past_l1", &DescribedStep::past_l1, "passes the L1 by")
      .check("op", [](const DescribedStep& s) {
        if (is_access(s.op) != s.array.has_value())
          return "needs an array if it is an access, and only then";
        return is_access(s.op) && s.count != 1 ? "is an access, of which there is one at a time"
                                               : "";
      });
}

Schema<DescribedKernel> DescribedKernel::schema() {
  return Schema<DescribedKernel>("kernel", "a kernel of a user's own")
      .required("name", &DescribedKernel::name, "of the kernel")
      .optional("blocks", &DescribedKernel::blocks, "blocks of the grid", range(1, 0x7FFFFFFF))
      .optional("threads", &DescribedKernel::threads, "threads of a block", range(1, 1024))
      .optional("registers", &DescribedKernel::registers, "registers a thread", range(1, 255))
      .optional("loop", &DescribedKernel::loop, "times that a thread goes through the body",
                range<std::uint64_t>(1, std::uint64_t{1} << 40U))
      .optional("arrays", &DescribedKernel::arrays, "what is accessed", config::entries(0, 64))
      .required("body", &DescribedKernel::body, "the steps, in order", config::entries(1, 1000))
      .check("body", [](const DescribedKernel& k) {
        for (const DescribedStep& step : k.body) {
          if (!step.array) continue;
          std::vector<std::string> names;
          for (const DescribedArray& array : k.arrays) names.push_back(array.name);
          if (std::find(names.begin(), names.end(), *step.array) == names.end())
            return fmt::format("goes to an array '{}' that is not described {}", *step.array,
                               did_you_mean(nearest_name(*step.array, names)));
        }
        return std::string();
      });
}

namespace {

// A step with its names resolved.
struct Step {
  OpClass op_class = OpClass::access;
  memory::Operation operation = memory::Operation::load;
  bool shared = false, past_l1 = false;
  std::uint64_t base = 0, elements = 1;
  unsigned width = 4;
  Pattern pattern = Pattern::stream;
  std::uint64_t stride = 0, seed = 0, run = 1;
  std::uint64_t offset = 0;  ///< less than elements
  unsigned count = 1, flops = 0;
  Registers to;
  std::array<Registers, 3> from{};
};
struct Described {
  std::vector<Step> steps;
  std::uint64_t loop = 1;

  std::uint64_t address(const Step& s, const Warp& w, unsigned lane, std::uint64_t i) const {
    const std::uint64_t in_block = w.thread(lane);
    const std::uint64_t block = w.info.block.x;
    const std::uint64_t t = s.shared ? in_block : w.block.x * block + in_block;
    const std::uint64_t all = s.shared ? block : w.info.grid.x * block;
    std::uint64_t element = 0;
    switch (s.pattern) {
      case Pattern::stream:
        element = i * all + t;
        break;
      case Pattern::blocked:
        element = t * loop + i;
        break;
      case Pattern::stride:
        element = (t * s.stride + i * s.width) / s.width;
        break;
      case Pattern::random:
        element = scale_to(mix(s.seed, (i * all + t) / s.run), s.elements / s.run) * s.run +
                  (i * all + t) % s.run;
        break;
      case Pattern::same:
        element = i;
        break;
    }
    return s.base + (element % s.elements + s.offset) % s.elements * s.width;
  }
};

Program run(Warp& w, const Described& kernel) {
  for (std::uint64_t i = 0; i < kernel.loop; ++i) {
    for (const Step& s : kernel.steps) {
      const auto at = [&](unsigned lane) { return kernel.address(s, w, lane, i); };
      if (s.op_class != OpClass::access) {
        w.op(s.op_class, s.to, s.from[0], s.from[1], s.from[2], s.flops);
        co_yield w.times(s.count);
        continue;
      }
      const auto placed = [&](Warp::Access access) {
        if (s.shared) access.in(Space::shared);
        if (s.past_l1) access.past_l1();
        return access.at(at);
      };
      switch (s.operation) {
        case memory::Operation::load:
          co_yield placed(w.load(s.to, s.width, s.from[0]));
          break;
        case memory::Operation::store:
          co_yield placed(w.store(s.from[0], s.width, s.from[1]));
          break;
        default:
          co_yield placed(w.atomic(s.to, s.from[0], s.width, s.from[1]));
      }
    }
    co_yield w.op(OpClass::control);
  }
  co_yield w.exit();
}

}  // namespace

std::unique_ptr<trace::Kernel> read_kernel(const config::Source& source, const Target& target) {
  const DescribedKernel given = config::load<DescribedKernel>(source).spec;
  const auto refuse = [&](std::string what) {
    throw InputError(Diagnostic{source.file, 0, 0, std::move(what), {}});
  };
  Described kernel;
  kernel.loop = given.loop;
  Arrays memory;
  std::uint64_t shared = 0;
  std::vector<std::uint64_t> bases;
  for (const DescribedArray& array : given.arrays) {
    constexpr std::uint64_t most_shared = std::uint64_t{1} << 30U;
    if (array.shared && array.size.value > most_shared - shared)
      refuse(fmt::format("array '{}': its arrays take more than 1 GiB of shared memory", array.name));
    try {
      bases.push_back(array.shared ? shared : memory.allocate(array.size.value));
    } catch (const std::invalid_argument& error) {
      refuse(fmt::format("array '{}': {}", array.name, error.what()));
    }
    if (array.shared) shared += array.size.value;
  }
  // Each name takes four registers, so that any width fits.
  std::vector<std::string> names;
  const auto registers = [&](const std::string& name, unsigned count) {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto place = static_cast<unsigned>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    if (names.size() > 63) refuse("there are more than 63 names of registers");
    return reg(1 + 4 * place, count);
  };
  for (const DescribedStep& step : given.body) {
    Step s;
    const auto words = static_cast<unsigned>((step.width + 3) / 4);
    if (is_access(step.op)) {
      s.operation = step.op == "load"    ? memory::Operation::load
                    : step.op == "store" ? memory::Operation::store
                                         : memory::Operation::atomic;
      const auto array =
          std::find_if(given.arrays.begin(), given.arrays.end(),
                       [&](const DescribedArray& a) { return a.name == *step.array; });
      s.shared = array->shared;
      s.base = bases[static_cast<std::size_t>(array - given.arrays.begin())];
      s.width = static_cast<unsigned>(step.width);
      s.elements = array->size.value / step.width;
    } else {
      s.op_class = *trace::op_class_of(step.op);
    }
    s.past_l1 = step.past_l1;
    s.pattern = step.pattern;
    s.stride = step.stride.value;
    s.seed = step.seed;
    s.run = std::min(step.run, s.elements);
    const auto elements = static_cast<std::int64_t>(s.elements);
    s.offset = static_cast<std::uint64_t>((step.offset % elements + elements) % elements);
    s.flops = static_cast<unsigned>(step.flops);
    if (step.to) s.to = registers(*step.to, s.op_class == OpClass::access ? words : 1);
    for (std::size_t k = 0; k < step.from.size(); ++k)
      s.from[k] =
          registers(step.from[k], s.operation == memory::Operation::store && k == 0 ? words : 1);
    s.count = static_cast<unsigned>(step.count);
    kernel.steps.push_back(s);
  }
  trace::KernelInfo info;
  info.name = given.name;
  info.grid.x = static_cast<std::uint32_t>(given.blocks);
  info.block.x = static_cast<std::uint32_t>(given.threads);
  info.registers_per_thread = static_cast<std::uint32_t>(given.registers);
  info.shared_bytes = static_cast<std::uint32_t>(shared);
  info.warp_width = target.warp_width;
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<Described>>(std::move(info), std::move(kernel), run);
}

}  // namespace strata::kernels
