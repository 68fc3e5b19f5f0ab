// SPDX-License-Identifier: Apache-2.0
// The reports on unread settings are compared with the behaviour of the simulator: a setting
// that is reported as unread changes no result. This test takes a sample of all settings of all
// GPUs; strata-reads checks all of them.
#include <algorithm>

#include "base/random.hpp"
#include "catch.hpp"
#include "machine/checks/unread.hpp"
#include "reads/readers.hpp"
#include "study/activity.hpp"

namespace {

namespace machine = strata::machine;
namespace tools = strata::tools;
using Kind = tools::Finding::Kind;

const tools::Library& library() {
  static const tools::Library all(STRATA_SOURCE_DIR);
  return all;
}

std::string why(const std::string& gpu, const machine::Activity& does, const std::string& path) {
  return machine::why_unread(tools::plain_machine(library(), gpu), does, path).value_or("");
}

std::vector<tools::Finding> findings(const std::string& gpu, const tools::OtherValues& setting,
                                     std::vector<tools::SmallQuestion> questions) {
  std::uint64_t asked = 0;
  return tools::check_readers(library(), gpu, setting, questions, asked);
}

}  // namespace

SCENARIO("a_setting_that_is_said_to_be_unread_changes_no_answer") {
  GIVEN("settings of all GPUs, drawn at random") {
    std::vector<std::pair<std::string, tools::OtherValues>> all;
    for (const std::string& gpu : library().gpus())
      for (tools::OtherValues& setting : tools::other_values(library(), gpu)) all.emplace_back(gpu, std::move(setting));
    REQUIRE(all.size() > 3000);
    strata::RandomSequence random{20261122};
    constexpr std::size_t drawn = 60;
    for (std::size_t i = 0; i < drawn; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
    THEN("no promise is broken") {
      for (std::size_t i = 0; i < drawn; ++i)
        for (const tools::Finding& finding : findings(
                 all[i].first, all[i].second, tools::small_questions(tools::plain_machine(library(), all[i].first))))
          if (finding.kind == Kind::broken_promise) FAIL_CHECK(finding.text());
    }
  }
}

SCENARIO("a_broken_guarantee_is_found") {
  GIVEN("a kernel that stores, said to store nothing") {
    std::vector<tools::SmallQuestion> questions = tools::small_questions(tools::plain_machine(library(), "h200"));
    std::erase_if(questions,
                  [](const tools::SmallQuestion& question) { return question.name != "run vecadd,n=16384"; });
    REQUIRE(questions.size() == 1);
    questions.front().does.stores = questions.front().does.atomics = false;
    THEN("the width of stores has an effect") {
      const auto found = findings("h200", {"crossbar.source_write_width", {"1 B/clk"}}, questions);
      REQUIRE(found.size() == 1);
      CHECK(found.front().kind == Kind::broken_promise);
    }
  }
  GIVEN("a question that reaches the L1 alone") {
    std::vector<tools::SmallQuestion> questions = tools::small_questions(tools::plain_machine(library(), "h200"));
    std::erase_if(questions, [](const tools::SmallQuestion& question) { return question.name != "latency"; });
    THEN("a latency of memory is found to have no effect") {
      const auto found = findings("h200", {"memory.latency", {"500 ns"}}, questions);
      REQUIRE(found.size() == 1);
      CHECK(found.front().kind == Kind::no_effect);
    }
  }
}

SCENARIO("settings_in_whose_place_another_decides_name_it") {
  const machine::Activity anything;
  machine::MachineSpec spec = tools::plain_machine(library(), "b580");
  spec.l1.cache.size = strata::Bytes{192U << 10U};
  CHECK(machine::why_unread(spec, anything, "l1.cache.size").value_or("").find("set l1.carve_outs[") !=
        std::string::npos);
  spec = tools::plain_machine(library(), "b200");
  REQUIRE_FALSE(spec.network.links.empty());
  spec.network.links[0].bandwidth = {1e12};
  CHECK(machine::why_unread(spec, anything, "network.links[0].width").value_or("").find("network.links[0].bandwidth") !=
        std::string::npos);
  spec.network.links[0].bandwidth = {0};
  CHECK_FALSE(machine::why_unread(spec, anything, "network.links[0].width"));
  CHECK(machine::caveat(spec, "pages.page").value_or("").find("entry_reach") != std::string::npos);
  CHECK_FALSE(machine::caveat(spec, "pages.run"));
}

SCENARIO("each_kind_of_question_lists_what_it_never_uses") {
  const machine::Activity chase = strata::study::activity_of(strata::study::LatencyQuestion{});
  for (const char* const path : {"launch.before", "core.residency.registers", "core.execution.pipes[0].latency",
                                 "core.load_store.per_store", "host.latency", "l2.cache.atomic_latency"}) {
    INFO(path);
    CHECK(why("h200", chase, path) != "");
    CHECK(why("h200", {}, path) == "");
  }
  for (const char* const path :
       {"l2.cache.hit_latency", "core.load_store.scalar_address", "memory.channel.timing.t_rp", "clocks.core"}) {
    INFO(path);
    CHECK(why("h200", chase, path) == "");
  }
}
