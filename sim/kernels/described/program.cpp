// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"

namespace strata::kernels {

namespace {

using Step = ResolvedStep;

// Iterations of a loop that counts from first to before last.
std::uint64_t iterations(std::int64_t first, std::int64_t last, std::int64_t step) {
  const auto a = static_cast<std::uint64_t>(first), b = static_cast<std::uint64_t>(last),
             by = static_cast<std::uint64_t>(step);
  if (step > 0) return first < last ? (b - a - 1) / by + 1 : 0;
  return first > last ? (a - b - 1) / (0 - by) + 1 : 0;
}

class State {
 public:
  State(Warp& warp, const ResolvedKernel& kernel)
      : warp_(warp), kernel_(kernel), variables_(Slot::counters + kernel.most_open), open_(kernel.most_open) {
    const trace::KernelInfo& info = warp.info;
    set(Slot::block, static_cast<std::int64_t>(info.grid.number(warp.block)));
    set(Slot::block_x, warp.block.x);
    set(Slot::block_y, warp.block.y);
    set(Slot::thread, warp.first_thread, 1);
    set(Slot::lane, 0, 1);
    set(Slot::warp, warp.number);
    const std::uint32_t row = info.block.x;
    if (info.block.y == 1 || warp.first_thread % row + info.warp_width <= row) {
      set(Slot::thread_x, warp.first_thread % row, 1);
      set(Slot::thread_y, warp.first_thread / row);
      return;
    }
    for (unsigned lane = 0; lane < info.warp_width; ++lane) {
      variables_[Slot::thread_x].each.push_back(warp.thread(lane) % row);
      variables_[Slot::thread_y].each.push_back(warp.thread(lane) / row);
    }
  }

  void iterate(std::uint64_t i) { set(Slot::iteration, static_cast<std::int64_t>(i)); }

  /// The active lanes for which the expression is not 0.
  std::uint64_t chosen(const Expression& when) const {
    if (when.empty() || warp_.active == 0) return warp_.active;
    if (const auto all = when.affine(variables_, width()); all && all->slope == 0)
      return all->first != 0 ? warp_.active : 0;
    return warp_.lanes_where([&](unsigned lane) { return value(when, lane) != 0; });
  }

  /// Whether the expression is not 0 for some lane; if so, those lanes are active.
  bool enter(const Step& s) {
    Open& loop = open_[s.loop];
    loop.outer = warp_.active;
    loop.lanes = chosen(s.when);
    loop.done = 0;
    loop.each.clear();
    if (loop.lanes == 0) return false;
    const auto some = static_cast<unsigned>(std::countr_zero(loop.lanes));
    warp_.active = loop.lanes;
    loop.step = value(s.step, some);
    if (loop.step == 0) refuse(s.step, "is 0 as the step of a loop", some);
    count(s, loop, some);
    const std::uint64_t around = s.loop == 0 ? kernel_.loop : open_[s.loop - 1].product;
    if (loop.trips > most_iterations / around)
      refuse(s.last,
             fmt::format("lets the loop run {} times; nested loops, the body's included, run at most 2^40 times",
                         loop.trips),
             some);
    loop.product = around * std::max<std::uint64_t>(loop.trips, 1);
    if (loop.trips != 0) {
      loop.name = s.name;
      warp_.active = remaining(loop);
      return true;
    }
    warp_.active = loop.outer;
    return false;
  }

  /// Whether some lane repeats the loop; if not, the lanes outside become active.
  bool again(const Step& s) {
    Open& loop = open_[s.loop];
    if (++loop.done >= loop.trips) {
      warp_.active = loop.outer;
      loop.name = {};
      return false;
    }
    LaneValues& counter = variables_[Slot::counters + s.loop];
    const auto next = [&](std::int64_t& v) {
      v = static_cast<std::int64_t>(static_cast<std::uint64_t>(v) + static_cast<std::uint64_t>(loop.step));
    };
    next(counter.first);
    for (std::int64_t& v : counter.each) next(v);
    warp_.active = remaining(loop);
    return true;
  }

  /// Addresses of an access that has an index.
  Issued place(Warp::Access access, const Step& s) const {
    const std::uint64_t active = warp_.active;
    const auto inside = [&](std::int64_t index) {
      return index >= 0 && static_cast<std::uint64_t>(index) < s.elements;
    };
    if (active != 0) {
      const auto line = s.index.affine(variables_, width());
      const auto lowest = static_cast<unsigned>(std::countr_zero(active));
      const auto highest = static_cast<unsigned>(63 - std::countl_zero(active));
      if (line && inside(line->at(lowest)) && inside(line->at(highest))) {
        const auto at = [&](unsigned lane) { return s.base + static_cast<std::uint64_t>(line->at(lane)) * s.width; };
        const std::int64_t most = 0xFFFFFFFF / s.width;
        if (line->slope < 0 || line->slope > most) return access.at(at);
        return access.at(at(0), static_cast<std::uint32_t>(line->slope) * s.width);
      }
    }
    return access.at([&](unsigned lane) {
      const std::int64_t index = value(s.index, lane);
      if (!inside(index))
        refuse(s.index,
               fmt::format("is {} as the index of '{}', which has {} elements of {} B", index, s.name, s.elements,
                           s.width),
               lane, "mask such threads with 'when', or bound it with min() and max()");
      return s.base + static_cast<std::uint64_t>(index) * s.width;
    });
  }

 private:
  struct Open {
    std::string_view name;      ///< of the counter, while the loop runs
    std::uint64_t outer = 0;    ///< lanes active outside
    std::uint64_t lanes = 0;    ///< of them, those that entered
    std::uint64_t done = 0;     ///< iterations
    std::uint64_t trips = 0;    ///< iterations of the lane with most iterations
    std::uint64_t product = 1;  ///< of the trips of this loop and those around it
    std::int64_t step = 1;
    std::vector<std::uint64_t> each;  ///< iterations of each lane; empty: the same for all
  };

  unsigned width() const { return warp_.info.warp_width; }
  void set(std::size_t slot, std::int64_t first, std::int64_t slope = 0) { variables_[slot] = {first, slope, {}}; }

  // The number of iterations of each lane, and the first value of its counter.
  void count(const Step& s, Open& loop, unsigned some) {
    LaneValues& counter = variables_[Slot::counters + s.loop];
    const auto first = s.first.affine(variables_, width()), last = s.last.affine(variables_, width());
    if (first && last && first->slope == 0 && last->slope == 0) {
      counter = {first->first, 0, {}};
      loop.trips = iterations(first->first, last->first, loop.step);
      return;
    }
    std::vector<std::int64_t> begins(width(), 0);
    loop.each.assign(width(), 0);
    loop.trips = 0;
    for (std::uint64_t left = loop.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      begins[lane] = value(s.first, lane);
      loop.each[lane] = iterations(begins[lane], value(s.last, lane), loop.step);
      loop.trips = std::max(loop.trips, loop.each[lane]);
    }
    if (first)
      counter = {first->first, first->slope, {}};
    else
      counter = {begins[some], 0, std::move(begins)};
  }

  std::uint64_t remaining(const Open& loop) const {
    if (loop.each.empty()) return loop.lanes;
    std::uint64_t lanes = 0;
    for (unsigned lane = 0; lane < loop.each.size(); ++lane)
      if (loop.each[lane] > loop.done) lanes |= std::uint64_t{1} << lane;
    return lanes;
  }

  std::int64_t value(const Expression& expression, unsigned lane) const {
    try {
      return expression.value(variables_, lane);
    } catch (const ExpressionFault& fault) {
      refuse(expression, fault.what(), lane);
    }
  }

  [[noreturn]] void refuse(const Expression& expression, const std::string& what, unsigned lane,
                           const char* hint = "") const {
    std::string place = fmt::format("block {}, thread {}", variables_[Slot::block].at(0), warp_.thread(lane));
    if (kernel_.loop > 1) place += fmt::format(", iteration {}", variables_[Slot::iteration].at(0));
    for (std::size_t loop = 0; loop < open_.size() && !open_[loop].name.empty(); ++loop)
      place += fmt::format(", {} = {}", open_[loop].name, variables_[Slot::counters + loop].at(lane));
    throw InputError(
        expression.where().diagnostic(fmt::format("'{}' {}, in {}", expression.text(), what, place), hint));
  }

  Warp& warp_;
  const ResolvedKernel& kernel_;
  Variables variables_;
  std::vector<Open> open_;
};

std::uint64_t address(const Step& s, const Warp& w, unsigned lane, std::uint64_t i, std::uint64_t loop) {
  const std::uint64_t in_block = w.thread(lane);
  const std::uint64_t block = w.info.threads_per_block();
  const std::uint64_t t = s.shared ? in_block : w.info.grid.number(w.block) * block + in_block;
  const std::uint64_t all = s.shared ? block : w.info.blocks() * block;
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
      element = scale_to(mix(s.seed, (i * all + t) / s.run), s.elements / s.run) * s.run + (i * all + t) % s.run;
      break;
    case Pattern::same:
      element = i;
      break;
  }
  return s.base + (element % s.elements + s.offset) % s.elements * s.width;
}

}  // namespace

Program run_described(Warp& w, const ResolvedKernel& kernel) {
  State state(w, kernel);
  const auto go_to = [&](std::size_t step) {
    if (kernel.code_bytes != 0) w.lies_at(step * kernel.code_bytes);
  };
  if (kernel.tensor_columns > 0) {
    if (w.number == 0) co_yield w.columns(OpClass::tensor_allocate, kernel.tensor_columns);
    co_yield w.barrier();
  }
  for (std::uint64_t i = 0; i < kernel.loop; ++i) {
    state.iterate(i);
    for (std::size_t at = 0; at < kernel.steps.size(); ++at) {
      const Step& s = kernel.steps[at];
      go_to(at);
      if (s.kind == Step::Kind::loop) {
        if (state.enter(s)) continue;
        co_yield w.op(OpClass::control);
        at = s.partner;
        continue;
      }
      if (s.kind == Step::Kind::end) {
        co_yield w.op(OpClass::control);
        if (state.again(s)) at = s.partner;
        continue;
      }
      const std::uint64_t all = w.active;
      w.active = state.chosen(s.when);
      if (s.op_class != OpClass::access) {
        if (s.op_class == OpClass::tensor_product) {
          co_yield w.product(s.to, s.product, s.from[0]);
        } else {
          w.op(s.op_class, s.to, s.from[0], s.from[1], s.from[2], s.flops);
          co_yield w.times(s.count);
        }
        w.active = all;
        continue;
      }
      const auto placed = [&](Warp::Access access) {
        if (s.shared) access.in(Space::shared);
        if (s.past_l1) access.past_l1();
        if (!s.index.empty()) return state.place(access, s);
        return access.at([&](unsigned lane) { return address(s, w, lane, i, kernel.loop); });
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
      w.active = all;
    }
    // The branch of the kernel's loop, and the end, lie behind the steps.
    go_to(kernel.steps.size());
    co_yield w.op(OpClass::control);
  }
  if (kernel.tensor_columns > 0) {
    co_yield w.barrier();
    if (w.number == 0) co_yield w.columns(OpClass::tensor_free, kernel.tensor_columns);
  }
  go_to(kernel.steps.size() + 1);
  co_yield w.exit();
}

}  // namespace strata::kernels
