// SPDX-License-Identifier: Apache-2.0
// run --timeline: a document that viewers of the Trace Event Format open, of
// bounded size, in which slices do not overlap and arrows lead from block to end.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::with;

using Track = std::pair<std::int64_t, std::int64_t>;
struct Slice {
  std::int64_t from = 0;
  std::int64_t until = 0;
  std::string category;
};

std::int64_t nanoseconds(const json::value& microseconds) {
  return std::llround(microseconds.to_number<double>() * 1000);
}
Track track(const json::object& event) {
  return {event.at("pid").to_number<std::int64_t>(), event.at("tid").to_number<std::int64_t>()};
}
bool is(const json::object& event, const char* phase) { return event.at("ph").as_string() == phase; }

struct Read {
  json::object document;
  std::map<Track, std::vector<Slice>> slices;
  std::map<std::int64_t, std::vector<json::object>> arrows;  // by id
  std::uint64_t events = 0;
  std::uint64_t of(const char* field) const { return document.at("timeline").at(field).to_number<std::uint64_t>(); }
  std::size_t count(std::string_view category) const {
    std::size_t n = 0;
    for (const auto& [where, own] : slices)
      n += static_cast<std::size_t>(
          std::count_if(own.begin(), own.end(), [&](const Slice& s) { return s.category == category; }));
    return n;
  }
};

Read timeline(std::vector<std::string> words) {
  words.insert(words.end(), {"--quiet", "--timeline", "-"});
  const Outcome outcome = run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  Read read;
  read.document = json::parse(outcome.out).as_object();
  for (const json::value& value : read.document.at("traceEvents").as_array()) {
    const json::object& event = value.as_object();
    if (is(event, "M")) continue;
    ++read.events;
    if (is(event, "X")) {
      const std::int64_t from = nanoseconds(event.at("ts"));
      read.slices[track(event)].push_back(
          {from, from + nanoseconds(event.at("dur")), std::string(event.at("cat").as_string())});
    } else {
      read.arrows[event.at("id").to_number<std::int64_t>()].push_back(event);
    }
  }
  for (auto& [where, own] : read.slices)
    std::sort(own.begin(), own.end(), [](const Slice& a, const Slice& b) { return a.from < b.from; });
  return read;
}

const std::vector<std::string> two_kernels = {
    "run", "--gpu", "b580", "--kernel", "vecadd,n=262144", "--kernel", "reduction,n=65536", "--sample", "16"};

}  // namespace

SCENARIO("a_timeline_has_a_slice_for_each_block_and_arrows_for_each_followed_request") {
  const Read read = timeline(two_kernels);
  const Outcome answer = run(with(two_kernels, {"--quiet", "--json", "-"}));
  const json::array kernels = json::parse(answer.out).at("kernels").as_array();
  const auto figure = [&](std::size_t kernel, const char* field) {
    return kernels[kernel].at(field).to_number<std::uint64_t>();
  };
  THEN("every block has its slice, and slices of a track do not overlap") {
    CHECK(read.count("block") == figure(0, "blocks") + figure(1, "blocks"));
    CHECK(read.of("blocks") == read.count("block"));
    for (const auto& [where, own] : read.slices)
      for (std::size_t i = 1; i < own.size(); ++i) CHECK(own[i - 1].until <= own[i].from);
  }
  THEN("kernels follow each other, as long as they took") {
    const std::vector<Slice>& own = read.slices.at({0, 0});
    REQUIRE(own.size() == 2);
    CHECK(own[0].from == 0);
    CHECK(own[1].from == own[0].until);
    CHECK(std::abs(static_cast<double>(own[1].until - own[1].from) - kernels[1].at("time_ns").to_number<double>()) <
          1.5);
  }
  THEN("one request in sixteen has arrows: a start in its block, steps, one finish") {
    // The first request of each kernel is followed, then every sixteenth.
    CHECK(read.arrows.size() == (figure(0, "transactions") + 15) / 16 + (figure(1, "transactions") + 15) / 16);
    CHECK(read.of("one_request_in") == 16);
    for (const auto& [id, way] : read.arrows) {
      REQUIRE(way.size() >= 2);
      CHECK(is(way.front(), "s"));
      CHECK(is(way.back(), "f"));
      for (std::size_t i = 1; i + 1 < way.size(); ++i) CHECK(is(way[i], "t"));
      for (std::size_t i = 0; i < way.size(); ++i) {
        const std::int64_t at = nanoseconds(way[i].at("ts"));
        if (i > 0) CHECK(nanoseconds(way[i - 1].at("ts")) <= at);
        const std::vector<Slice>& own = read.slices.at(track(way[i]));
        const auto around =
            std::find_if(own.begin(), own.end(), [at](const Slice& s) { return s.from <= at && at <= s.until; });
        REQUIRE(around != own.end());
        CHECK(around->category == (i == 0 ? "block" : "stage"));
      }
    }
  }
  THEN("the same run gives the same file") {
    CHECK(json::serialize(read.document) == json::serialize(timeline(two_kernels).document));
  }
}

SCENARIO("a_timeline_keeps_to_its_bound_and_shows_cores_whole") {
  const Read all = timeline(two_kernels);
  const Read some = timeline(with(two_kernels, {"--timeline-events", "1000"}));
  REQUIRE(all.events > 1000);
  CHECK(some.events <= 1000);
  CHECK(some.of("events") == some.events);
  CHECK(some.of("most_events") == 1000);
  CHECK(some.of("one_core_in") > 1);
  CHECK(some.of("requests_shown") == some.arrows.size());
  CHECK(some.arrows.size() > 10);
  // Every remaining track of a block is unchanged.
  for (const auto& [where, own] : some.slices) {
    if (own.front().category != "block") continue;
    CHECK((where.first - 1) % static_cast<std::int64_t>(some.of("one_core_in")) == 0);
    CHECK(own.size() == all.slices.at(where).size());
  }
}

SCENARIO("a_timeline_that_cannot_be_written_is_refused_before_the_run") {
  const auto refusal = [](std::vector<std::string> more) {
    const Outcome outcome = run(with(two_kernels, more));
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(refusal({"--timeline", "-", "--json", "-"}) == "--timeline: standard output is taken; name a file\n");
  CHECK(refusal({"--timeline", "no/such/folder.json"}).find("there is no folder") != std::string::npos);
  CHECK(refusal({"--timeline", "-", "--timeline-events", "10"}) ==
        "--timeline-events: '10' is not a whole number from 1000 to 100000000\n");
}
