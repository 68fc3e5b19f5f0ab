// SPDX-License-Identifier: Apache-2.0
#include "report/run/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include "report/json.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// Viewers keep whole nanoseconds. Ends are rounded, not lengths, so slices without a gap remain
// without a gap.
std::int64_t nanosecond(double ns) { return static_cast<std::int64_t>(std::floor(ns)); }
std::string microseconds(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }
std::string quoted(std::string_view text) { return boost::json::serialize(boost::json::string(clean(text))); }

class Writer {
 public:
  Writer(const stats::Timeline& timeline, const std::function<void(std::string_view)>& write)
      : timeline_(timeline), write_(write) {}

  void all(const Heading& heading) {
    open(heading);
    name_process(0, "kernels", 0);
    for (const stats::TimelineKernel& kernel : timeline_.kernels)
      slice(kernel.name, "kernel", 0, 0, nanosecond(kernel.from_ns), nanosecond(kernel.until_ns), "{}");
    blocks();
    stages();
    requests();
    flush("\n]\n}\n");
  }

 private:
  template <typename... Arguments>
  void event(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    if (text_.size() > (std::size_t{1} << 16U)) flush("");
  }
  void flush(std::string_view end) {
    text_ += end;
    write_(text_);
    text_.clear();
  }

  void open(const Heading& heading) {
    boost::json::object head = document(heading);
    head["timeline"] = boost::json::object{{"most_events", timeline_.most_events},
                                           {"events", timeline_.events()},
                                           {"blocks", timeline_.blocks_run},
                                           {"blocks_shown", timeline_.blocks.size()},
                                           {"one_core_in", timeline_.one_core_in},
                                           {"requests_shown", timeline_.requests.size()},
                                           {"one_request_in", timeline_.one_request_in}};
    text_ = "{\n\"displayTimeUnit\":\"ns\"";
    for (const auto& [key, value] : head)
      text_ += fmt::format(",\n\"{}\":{}", std::string_view(key), boost::json::serialize(value));
    text_ += ",\n\"traceEvents\":[";
  }

  std::uint64_t core_process(std::uint64_t core) const { return 1 + core; }
  std::uint64_t stage_process(std::uint64_t stage) const { return 1 + timeline_.cores + stage; }

  void name_process(std::uint64_t process, std::string_view name, std::uint64_t rank) {
    event(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process, quoted(name));
    event(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", process, rank);
  }
  void name_thread(std::uint64_t process, std::uint64_t thread, std::string_view name) {
    event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process, thread, quoted(name));
    event(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})", process, thread,
          thread);
  }
  void slice(std::string_view name, std::string_view category, std::uint64_t process, std::uint64_t thread,
             std::int64_t from, std::int64_t until, std::string_view args) {
    event(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})", quoted(name), category,
          process, thread, microseconds(from), microseconds(until - from), args);
  }
  // bp: the arrow belongs to the slice around that time, not to the next one.
  void arrow(char phase, std::size_t id, std::uint64_t process, std::uint64_t thread, std::int64_t at) {
    event(R"({{"ph":"{}","name":"request","cat":"request","id":{},"bp":"e","pid":{},"tid":{},"ts":{}}})", phase, id,
          process, thread, microseconds(at));
  }

  void blocks() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const stats::TimelineBlock& block : timeline_.blocks) places.insert({block.core, block.place});
    std::uint64_t named = timeline_.cores;
    for (const auto& [core, place] : places) {
      if (core != named) name_process(core_process(core), fmt::format("core {}", core), core_process(core));
      named = core;
      name_thread(core_process(core), place, fmt::format("block place {}", place));
    }
    for (const stats::TimelineBlock& block : timeline_.blocks)
      slice(fmt::format("{} block {}", timeline_.kernels[block.kernel].name, block.number), "block",
            core_process(block.core), block.place, nanosecond(block.from_ns), nanosecond(block.until_ns),
            fmt::format(R"({{"kernel":{},"block":{}}})", block.kernel, block.number));
  }

  // Steps that overlap in a stage get threads of their own, the lowest that is free.
  void stages() {
    thread_.resize(timeline_.steps.size());
    std::vector<std::size_t> order(timeline_.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return timeline_.steps[a].from_ns < timeline_.steps[b].from_ns;
    });
    std::vector<std::vector<std::int64_t>> free_at(timeline_.stages.size());
    for (const std::size_t step : order) {
      const stats::TimelineStep& s = timeline_.steps[step];
      const std::int64_t from = nanosecond(s.from_ns);
      std::vector<std::int64_t>& threads = free_at[s.stage];
      const auto free = std::find_if(threads.begin(), threads.end(), [from](std::int64_t t) { return t <= from; });
      thread_[step] = static_cast<std::uint32_t>(free - threads.begin());
      // A slice shorter than a nanosecond still occupies its thread for one.
      const std::int64_t until = std::max(nanosecond(s.until_ns), from + 1);
      if (free == threads.end())
        threads.push_back(until);
      else
        *free = until;
    }
    for (std::size_t stage = 0; stage < free_at.size(); ++stage) {
      if (free_at[stage].empty()) continue;
      name_process(stage_process(stage), timeline_.stages[stage], stage_process(stage));
      for (std::size_t thread = 0; thread < free_at[stage].size(); ++thread)
        name_thread(stage_process(stage), thread, fmt::format("request {}", thread));
    }
  }

  void requests() {
    for (std::size_t id = 0; id < timeline_.requests.size(); ++id) {
      const stats::TimelineRequest& request = timeline_.requests[id];
      const stats::TimelineBlock& block = timeline_.blocks[request.block];
      arrow('s', id, core_process(block.core), block.place, nanosecond(timeline_.steps[request.first].from_ns));
      for (std::size_t i = 0; i < request.steps; ++i) {
        const std::size_t step = request.first + i;
        const stats::TimelineStep& s = timeline_.steps[step];
        const std::uint64_t process = stage_process(s.stage);
        slice(timeline_.stages[s.stage], "stage", process, thread_[step], nanosecond(s.from_ns), nanosecond(s.until_ns),
              fmt::format(R"({{"request":{},"ns":{}}})", id, fixed(s.until_ns - s.from_ns, 3)));
        arrow(i + 1 < request.steps ? 't' : 'f', id, process, thread_[step], nanosecond(s.from_ns));
      }
    }
  }

  const stats::Timeline& timeline_;
  const std::function<void(std::string_view)>& write_;
  std::string text_;
  bool first_ = true;
  std::vector<std::uint32_t> thread_;  // by step
};

}  // namespace

void timeline_json(const Heading& heading, const stats::Timeline& timeline,
                   const std::function<void(std::string_view)>& write) {
  Writer(timeline, write).all(heading);
}

}  // namespace strata::report
