// SPDX-License-Identifier: Apache-2.0
// A kernel written as the program of one warp: a coroutine that yields once for
// each instruction. It runs up to the next instruction when the core asks for
// it, so a kernel of any length costs a frame of some hundred bytes for each
// resident warp. What the program yields depends only on the kernel's
// parameters, the block and the warp.
#pragma once
#include <coroutine>
#include <deque>
#include <exception>
#include <memory>
#include <utility>

#include "kernels/warp.hpp"

namespace strata::kernels {

class Program {
 public:
  struct promise_type {
    Program get_return_object() { return Program(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(Issued) noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { throw; }
  };

  Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&&) = delete;
  ~Program() {
    if (handle_) handle_.destroy();
  }

  /// Runs to the next instruction; false: there is none.
  bool next() {
    if (handle_.done()) return false;
    handle_.resume();
    return !handle_.done();
  }

 private:
  explicit Program(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// A kernel whose warps all run one program over the same parameters.
template <class Parameters>
class ProgramKernel final : public trace::Kernel {
 public:
  using Function = Program (*)(Warp& warp, const Parameters& parameters);

  /// Throws std::invalid_argument if there is no such launch.
  ProgramKernel(trace::KernelInfo info, Parameters parameters, Function function)
      : info_(std::move(info)), parameters_(std::move(parameters)), function_(function) {
    info_.check();
  }

  const trace::KernelInfo& info() const override { return info_; }
  std::unique_ptr<trace::BlockStreams> open(std::uint64_t number) override {
    return std::make_unique<Block>(*this, number);
  }

 private:
  class Stream final : public trace::WarpStream {
   public:
    Stream(const ProgramKernel& kernel, std::uint64_t block, std::uint32_t warp)
        : warp_(kernel.info_, block, warp), program_(kernel.function_(warp_, kernel.parameters_)) {}
    bool next(trace::Instruction& instruction) override {
      warp_.write_to(instruction);
      return program_.next();
    }
    memory::Operand operand(const memory::Transaction& request) override { return warp_.operand(request); }
    void answered(const memory::Transaction& request, const memory::Words& words) override {
      warp_.answered(request, words);
    }

   private:
    Warp warp_;
    Program program_;
  };
  class Block final : public trace::BlockStreams {
   public:
    Block(const ProgramKernel& kernel, std::uint64_t number) {
      const std::uint32_t warps = kernel.info_.warps_per_block();
      for (std::uint32_t w = 0; w < warps; ++w) streams_.emplace_back(kernel, number, w);
    }
    trace::WarpStream& warp(std::uint32_t warp) override { return streams_[warp]; }

   private:
    std::deque<Stream> streams_;  // streams stay where they are: programs know their warp
  };

  trace::KernelInfo info_;
  Parameters parameters_;
  Function function_;
};

}  // namespace strata::kernels
