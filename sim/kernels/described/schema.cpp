// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/described.hpp"

namespace strata::kernels {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

namespace {

std::vector<std::string> operations() {
  std::vector<std::string> names{"load", "store", "atomic"};
  for (const trace::OpClassName& row : trace::op_classes)
    // Columns are those of tensor_columns.
    if (row.op_class != trace::OpClass::access && row.op_class != trace::OpClass::exit &&
        row.op_class != trace::OpClass::tensor_allocate && row.op_class != trace::OpClass::tensor_free)
      names.emplace_back(row.name);
  return names;
}

}  // namespace

Schema<DescribedArray> DescribedArray::schema() {
  return Schema<DescribedArray>("array", "a range of memory that steps access")
      .required("name", &DescribedArray::name, "used by steps")
      .required("size", &DescribedArray::size, "bytes", range(64_B, 1024 * 1_GiB))
      .optional("shared", &DescribedArray::shared, "in shared memory, one for each block")
      .optional("memory_die", &DescribedArray::memory_die,
                "of its pages, if memory.interleave is per_die; none: given by pages.placement",
                range<std::uint32_t>(0, 63))
      .check("memory_die", [](const DescribedArray& array) -> std::string {
        return array.shared && array.memory_die ? "applies to arrays in memory, and this one is shared" : "";
      });
}

Schema<DescribedStep> DescribedStep::schema() {
  return Schema<DescribedStep>("step", "an instruction of every thread")
      .required("op", &DescribedStep::op, "load, store, atomic or a class of instruction", config::one_of(operations()))
      .optional("array", &DescribedStep::array, "that is accessed")
      .optional("width", &DescribedStep::width, "bytes that a thread accesses", range(1, 16), config::power_of_two())
      .optional("index", &DescribedStep::index, "the element that a thread accesses, an expression")
      .optional("when", &DescribedStep::when, "an expression; threads for which it is 0 are masked")
      .optional("pattern", &DescribedStep::pattern, "which elements a thread accesses",
                config::choices<Pattern>({{"stream", Pattern::stream, "element i T + t"},
                                          {"blocked", Pattern::blocked, "element t L + i"},
                                          {"stride", Pattern::stride, "byte t stride + i width"},
                                          {"random", Pattern::random, "an element drawn by seed, i and t"},
                                          {"same", Pattern::same, "element i, the same for all threads"}}))
      .optional("stride", &DescribedStep::stride, "from thread to thread, of pattern stride", range(0_B, 1_GiB))
      .optional("seed", &DescribedStep::seed, "of pattern random", range<std::uint64_t>(0, std::uint64_t{1} << 40U))
      .optional("run", &DescribedStep::run, "threads with adjacent elements, of pattern random", range(1, 1 << 20))
      .optional("offset", &DescribedStep::offset, "elements added to those of the pattern",
                range<std::int64_t>(-(std::int64_t{1} << 36U), std::int64_t{1} << 36U))
      .optional("count", &DescribedStep::count, "number of identical instructions that do not wait for each other",
                range(1, 65535))
      .optional("flops", &DescribedStep::flops, "floating-point operations of a thread", range(0, 1 << 30))
      .optional("to", &DescribedStep::to, "name of the register of the result")
      .optional("from", &DescribedStep::from, "names of the registers that are read", config::entries(0, 3))
      .optional("past_l1", &DescribedStep::past_l1, "bypasses the L1")
      .optional("m", &DescribedStep::m, "rows of a tensor_product", range(1, 65535))
      .optional("n", &DescribedStep::n, "columns of a tensor_product", range(1, 65535))
      .optional("k", &DescribedStep::k, "depth of a tensor_product", range(1, 65535))
      .optional("bits", &DescribedStep::bits, "of an operand's element of a tensor_product", range(1, 64));
}

Schema<DescribedLoop> DescribedLoop::schema() {
  return Schema<DescribedLoop>("loop", "steps that every thread repeats")
      .required("loop", &DescribedLoop::loop, "name of the counter")
      .optional("from", &DescribedLoop::from, "its first value, an expression")
      .required("to", &DescribedLoop::to, "the first value that it does not reach, an expression")
      .optional("step", &DescribedLoop::step, "its step, an expression")
      .optional("when", &DescribedLoop::when, "an expression; threads for which it is 0 are masked")
      .required("body", &DescribedLoop::body, "steps and loops, in order", config::entries(1, 1000));
}

Schema<DescribedParameter> DescribedParameter::schema() {
  return Schema<DescribedParameter>("parameter", "a number that the command line can set")
      .required("default", &DescribedParameter::value, "its value if it is not set")
      .optional("least", &DescribedParameter::least, "the least value allowed")
      .optional("most", &DescribedParameter::most, "the largest value allowed")
      .optional("meaning", &DescribedParameter::meaning, "its meaning");
}

Schema<DescribedKernel> DescribedKernel::schema() {
  return Schema<DescribedKernel>("kernel", "a user-defined kernel")
      .required("name", &DescribedKernel::name, "of the kernel")
      .optional("parameters", &DescribedKernel::parameters, "named numbers that the command line can set")
      .optional("define", &DescribedKernel::define, "named expressions")
      .optional("blocks", &DescribedKernel::blocks, "blocks of the grid", range(1, 0x7FFFFFFF))
      .optional("blocks_y", &DescribedKernel::blocks_y, "rows of blocks of the grid", range(1, 65535))
      .optional("threads", &DescribedKernel::threads, "threads of a block", range(1, 1024))
      .optional("threads_y", &DescribedKernel::threads_y, "rows of threads of a block", range(1, 1024))
      .optional("registers", &DescribedKernel::registers, "registers a thread", range(1, 255))
      .optional("tensor_columns", &DescribedKernel::tensor_columns,
                "columns of Tensor Memory that a block allocates for its lifetime; 0: none", range(0, 32768))
      .optional("loop", &DescribedKernel::loop, "iterations of the body",
                range<std::uint64_t>(1, std::uint64_t{1} << 40U))
      .optional("code_bytes", &DescribedKernel::code_bytes,
                "code of a step, for instruction caches; 0: every instruction is available", range(0, 4096))
      .optional("arrays", &DescribedKernel::arrays, "arrays that are accessed", config::entries(0, 64))
      .required("body", &DescribedKernel::body, "steps and loops, in order", config::entries(1, 1000))
      .check("threads_y", [](const DescribedKernel& k) {
        return k.threads * k.threads_y > 1024 ? std::to_string(k.threads_y) + " rows of " + std::to_string(k.threads) +
                                                    " threads are more than the 1024 of a block"
                                              : std::string();
      });
}

}  // namespace strata::kernels
