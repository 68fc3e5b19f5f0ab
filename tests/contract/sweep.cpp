// SPDX-License-Identifier: Apache-2.0
// sweep: every combination is a point, a point equals the single run, and every error is
// reported before a point is run.
#include <algorithm>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::Words;

// A sweep of a short chase on an H200.
Words sweep(Words more) {
  more.insert(more.begin(), {"sweep", "--gpu", "h200", "--timed-loads", "256"});
  return more;
}

json::value document(Words more) {
  more.insert(more.end(), {"--json", "-"});
  const Outcome outcome = run(sweep(std::move(more)));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out);
}

double latency(const json::value& document, std::size_t point) {
  return document.at("points").at(point).at("latency_cycles").to_number<double>();
}

// The message of a refused sweep; it writes no file and exits with 2.
std::string refusal(Words more) {
  const Scratch folder;
  more.insert(more.end(), {"--csv", "sweep.csv"});
  const Outcome outcome = run(folder, sweep(std::move(more)));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(folder.names().empty());
  return outcome.err;
}

}  // namespace

SCENARIO("a_point_of_a_sweep_equals_the_single_run") {
  GIVEN("an L1 hit latency and a footprint that are crossed") {
    const json::value crossed =
        document({"--vary", "l1.cache.hit_latency=28clk,48clk", "--vary", "footprint=16KiB,1MiB"});
    REQUIRE(crossed.at("points").as_array().size() == 4);
    THEN("each is that of `latency` with that setting and that footprint, the last turning fastest") {
      std::size_t point = 0;
      for (const char* hit : {"28clk", "48clk"})
        for (const char* footprint : {"16KiB", "1MiB"}) {
          INFO(hit << ' ' << footprint);
          const Outcome single = run({"latency", "--gpu", "h200", "--timed-loads", "256", "--from", footprint, "--to",
                                      footprint, "--set", std::string("l1.cache.hit_latency=") + hit, "--json", "-"});
          const json::value alone = json::parse(single.out);
          const json::value& own = crossed.at("points").at(point);
          for (const char* field : {"footprint_bytes", "latency_ns", "latency_cycles", "hit_level_shares"})
            CHECK(own.at(field) == alone.at("points").at(0).at(field));
          ++point;
        }
    }
    THEN("twenty cycles more are twenty cycles more") {
      CHECK(latency(crossed, 2) == Approx(latency(crossed, 0) + 20));
    }
    THEN("the document has the fields that scripts read") {
      CHECK(crossed.at("strata").at("schema").as_int64() == 1);
      CHECK(crossed.at("gpu").as_string() == "h200");
      CHECK(crossed.at("fingerprint").as_string().starts_with("0x"));
      CHECK(crossed.at("parameters").at(0).at("path").as_string() == "l1.cache.hit_latency");
      CHECK(crossed.at("parameters").at(1).at("of").as_string() == "question");
      CHECK(crossed.at("points").at(3).at("values").at("l1.cache.hit_latency_cycles").as_int64() == 48);
      CHECK(crossed.at("points").at(3).at("values").at("footprint_bytes").as_int64() == 1 << 20);
    }
  }
}

SCENARIO("a_factor_is_of_the_value_that_the_configuration_or_set_gives") {
  const json::value plain = document(
      {"--vary", "l1.cache.hit_latency=*1,*1.5", "--footprint", "16KiB", "--set", "l1.cache.hit_latency=40clk"});
  CHECK(plain.at("points").at(1).at("values").at("l1.cache.hit_latency_cycles").as_int64() == 60);
  CHECK(latency(plain, 1) == Approx(latency(plain, 0) + 20));
}

SCENARIO("only_parameters_without_effect_are_reported") {
  GIVEN("a chase that stays in the L1, over the memory's latency and the L1's") {
    const Outcome outcome =
        run(sweep({"--vary", "memory.latency=*1,*2", "--vary", "l1.cache.hit_latency=*1,*2", "--footprint", "16KiB"}));
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "note: memory.latency has no effect: the figures are the same for all its 2 values\n");
  }
  GIVEN("the same over the memory, far beyond all caches") {
    const Outcome outcome = run(sweep({"--vary", "memory.latency=*1,*2", "--footprint", "1GiB"}));
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
  }
}

SCENARIO("a_sweep_gives_the_same_bytes_at_any_number_of_jobs") {
  const auto with_jobs = [](const Scratch& folder, const char* jobs) {
    return run(folder,
               sweep({"--vary", "l2.cache.hit_latency=*0.5..1.5:+0.5", "--vary", "footprint=16KiB..4MiB:x4", "--jobs",
                      jobs, "--json", "a.json", "--csv", "a.csv", "--svg", "a.svg", "--html", "a.html"}));
  };
  const Scratch one;
  const Scratch many;
  const Outcome alone = with_jobs(one, "1");
  CHECK(alone.exit_code == 0);
  CHECK(alone.out == with_jobs(many, "4").out);
  CHECK(std::count(alone.out.begin(), alone.out.end(), '\n') == 2 + 3 * 5);
  for (const char* name : {"a.json", "a.csv", "a.svg", "a.html"}) {
    INFO(name);
    CHECK(one.read(name) == many.read(name));
  }
  CHECK(one.read("a.csv").starts_with("l2.cache.hit_latency_cycles,footprint_bytes,latency_ns,latency_cycles,share_"));
}

SCENARIO("linked_settings_take_their_values_together") {
  GIVEN("a larger L1 that is slower, a setting and an option linked, and one more crossed") {
    const json::value linked = document({"--vary", "l1.cache.hit_latency=28clk,40clk", "--vary", "seed=1,2", "--vary",
                                         "footprint=16KiB,64KiB", "--zip", "l1.cache.hit_latency,footprint"});
    THEN("there are as many points as values, times those that are crossed") {
      const json::array& points = linked.at("points").as_array();
      REQUIRE(points.size() == 4);
      const auto at = [&](std::size_t i, const char* field) {
        return points[i].at("values").at(field).to_number<double>();
      };
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(at(i, "l1.cache.hit_latency_cycles") == (i < 2 ? 28 : 40));
        CHECK(at(i, "footprint_bytes") == (i < 2 ? 16384 : 65536));
        CHECK(at(i, "seed") == static_cast<double>(i % 2 + 1));
      }
      CHECK(latency(linked, 2) == latency(linked, 0) + 12);
    }
    THEN("the document says which follows which") {
      CHECK(linked.at("parameters").at(2).at("follows") == "l1.cache.hit_latency");
      CHECK_FALSE(linked.at("parameters").at(0).as_object().contains("follows"));
    }
  }
  THEN("what cannot be linked is refused with the reason") {
    const Words two{"--vary", "l1.cache.hit_latency=28clk,40clk", "--vary", "footprint=16KiB,64KiB,128KiB", "--zip"};
    const auto refused = [&](const char* zip) {
      Words words = two;
      words.emplace_back(zip);
      return refusal(words);
    };
    CHECK(refused("l1.cache.hit_latency,footprint") ==
          "--zip l1.cache.hit_latency,footprint: 'l1.cache.hit_latency' has 2 values and 'footprint' has 3 (give each "
          "the same number of values; the first are linked, then the second)\n");
    CHECK(refused("footprint,seed") ==
          "--zip footprint,seed: 'seed' is not varied (give it values, as in --vary seed=...)\n");
    CHECK(refused("footprint") == "--zip footprint: names the paths of two --vary or more, with commas between them\n");
    CHECK(refused("footprint,footprint") ==
          "--zip footprint,footprint: 'footprint' is linked twice (give all linked parameters to one --zip)\n");
  }
}

SCENARIO("switches_and_choices_of_the_question_are_varied_as_well") {
  const json::value order = document(
      {"--vary", "cache-op=ca,cg", "--vary", "segmented=false,true", "--threads", "2", "--footprint", "16KiB"});
  CHECK(order.at("points").as_array().size() == 4);
  CHECK(order.at("points").at(2).at("values").at("cache-op").as_string() == "cg");
  CHECK(latency(order, 2) > latency(order, 0));
  CHECK(order.at("question").at("options").at("threads").as_string() == "2");
}

SCENARIO("bandwidth_is_a_question_with_separate_options") {
  const Words question = {"sweep",   "--gpu", "b580",        "--question", "bandwidth",
                          "--timed", "1MiB",  "--footprint", "8MiB"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), question.begin(), question.end());
    return run(more);
  };
  GIVEN("one core and four, far from the limits of what they share") {
    const Outcome outcome = with({"--vary", "cores=1,4", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const json::value answer = json::parse(outcome.out);
    THEN("each point is what `bandwidth` gives, and four cores move about four times as much") {
      const json::array& points = answer.at("points").as_array();
      REQUIRE(points.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        const Outcome single = run({"bandwidth", "--gpu", "b580", "--timed", "1MiB", "--footprint", "8MiB", "--cores",
                                    i == 0 ? "1" : "4", "--json", "-"});
        const json::value alone = json::parse(single.out);
        for (const char* field : {"footprint_bytes", "bytes_per_second", "cores"})
          CHECK(points[i].at(field) == alone.at("points").at(0).at(field));
        CHECK_FALSE(points[i].at("bottleneck").as_string().empty());
      }
      const double one = points[0].at("bytes_per_second").to_number<double>();
      CHECK(points[1].at("bytes_per_second").to_number<double>() == Approx(4 * one).epsilon(0.1));
    }
  }
  GIVEN("more cores than there are, and too little for them all") {
    const Outcome outcome = with({"--vary", "cores=1,1000"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err ==
          "--vary cores=1000: 1000 cores are requested, 20 exist\n--vary: 1 of 2 points are refused, so none is "
          "run (--skip-refused runs the others)\n");
  }
  GIVEN("an option of another question") {
    const Outcome outcome = with({"--vary", "cores=1", "--threads", "4"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("--threads: no such option"));
  }
}

SCENARIO("a_path_that_is_mistyped_is_refused_with_the_nearest_setting_or_option") {
  CHECK(refusal({"--vary", "l2.cache.sise=1MiB"}) ==
        "--vary:1:10: there is no setting 'l2.cache.sise' (did you mean 'l2.cache.size'?)\n");
  CHECK(refusal({"--vary", "footprnt=1MiB"}) ==
        "--vary:1:1: there is no setting 'footprnt', nor an option of latency (did you mean 'footprint'?)\n");
  CHECK(refusal({"--vary", "footprint=1MiB", "--question", "latncy"}) ==
        "--question: 'latncy' is not one of latency, bandwidth, loaded, run (did you mean 'latency'?)\n");
}

SCENARIO("refused_points_are_skipped_and_listed_on_request") {
  GIVEN("a footprint that one memory of two cannot hold") {
    const Outcome outcome = run(
        sweep({"--vary", "memory.size=1GiB,4GiB", "--vary", "footprint=1MiB,2GiB", "--skip-refused", "--json", "-"}));
    THEN("the others are run, and the one that is not is named on stderr and in the document") {
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err.starts_with("skipped: --vary memory.size=1GiB footprint=2GiB: "));
      CHECK(outcome.err.find("\nnote: 1 of 4 points are refused and skipped\n") != std::string::npos);
      const json::value answer = json::parse(outcome.out);
      REQUIRE(answer.at("points").as_array().size() == 3);
      REQUIRE(answer.at("refused").as_array().size() == 1);
      CHECK(answer.at("refused").at(0).as_string().starts_with("--vary memory.size=1GiB footprint=2GiB: "));
      CHECK(answer.at("points").at(2).at("values").at("footprint_bytes").as_int64() == std::int64_t{2} << 30);
      CHECK(answer.at("points").at(2).at("values").at("memory.size_bytes").as_int64() == std::int64_t{4} << 30);
    }
  }
  GIVEN("nothing but machines that cannot be") {
    THEN("that is refused as ever") {
      const std::string said = refusal({"--vary", "l2.cache.ways=0,3000000", "--footprint", "1MiB", "--skip-refused"});
      CHECK(said.ends_with("\n--vary: 2 of 2 points are refused, so none is run\n"));
    }
  }
}

SCENARIO("all_points_that_are_refused_are_reported_before_any_is_run") {
  WHEN("a value is no good whatever the others are") {
    const std::string said = refusal({"--vary", "l2.cache.ways=0,16", "--vary", "footprint=16KiB,1MiB"});
    THEN("it is reported once, in the words of --set, with how many points fall with it") {
      CHECK(said.starts_with("--vary l2.cache.ways=0: 'l2.cache.ways' must be "));
      CHECK(said.ends_with("\n--vary: 2 of 4 points are refused, so none is run (--skip-refused runs the others)\n"));
      CHECK(std::count(said.begin(), said.end(), '\n') == 2);
    }
  }
  WHEN("a unit is another's") {
    const std::string said = refusal({"--vary", "l2.cache.size=1MHz,3clk", "--footprint", "16KiB"});
    CHECK(said.find("--vary l2.cache.size=1MHz: 'l2.cache.size' is a size and needs a unit of B, KiB, MiB or GiB, not "
                    "'1MHz'\n") != std::string::npos);
    CHECK(said.ends_with("\n--vary: 2 of 2 points are refused, so none is run\n"));
  }
  WHEN("a footprint is more than the memory that it meets") {
    const std::string said = refusal({"--vary", "memory.size=1GiB,4GiB", "--vary", "footprint=1MiB,2GiB"});
    CHECK(said.find("--vary memory.size=1GiB footprint=2GiB: ") == 0);
    CHECK(said.ends_with("\n--vary: 1 of 4 points are refused, so none is run (--skip-refused runs the others)\n"));
  }
  WHEN("an option is out of its range") {
    CHECK(refusal({"--vary", "threads=0,1", "--footprint", "16KiB"}) ==
          "--vary threads=0: '0' is not a whole number from 1 to 1048576\n"
          "--vary: 1 of 2 points are refused, so none is run (--skip-refused runs the others)\n");
    const json::value others = document({"--vary", "threads=0,1", "--footprint", "16KiB", "--skip-refused"});
    CHECK(others.at("points").as_array().size() == 1);
    CHECK(others.at("refused").at(0).as_string() == "--vary threads=0: '0' is not a whole number from 1 to 1048576");
  }
  WHEN("a switch is neither on nor off") {
    CHECK(refusal({"--vary", "segmented=maybe", "--footprint", "16KiB"}) ==
          "--vary segmented=maybe: is a switch and takes true and false\n");
  }
}

SCENARIO("a_sweep_with_contradicting_options_is_refused") {
  CHECK(refusal({"--vary", "threads=1,2", "--vary", "threads=4", "--footprint", "16KiB"}) ==
        "--vary: 'threads' is varied twice (give all its values to one --vary)\n");
  CHECK(refusal({"--vary", "threads=1,2", "--threads", "4", "--footprint", "16KiB"}) ==
        "--threads: is varied by --vary as well; remove one of them\n");
  CHECK(refusal({"--vary", "l2.cache.ways=8,16", "--set", "l2.cache.ways=4", "--footprint", "16KiB"})
            .starts_with("--set l2.cache.ways=4: --vary gives this setting other values; remove one of them"));
  CHECK(refusal({"--footprint", "16KiB"}).starts_with("--vary: give a parameter to vary, as in --vary "));
  CHECK(refusal({"--vary", "threads=1,2"}).starts_with("--footprint: give the memory that the chase walks"));
}

SCENARIO("a_sweep_of_a_thousand_million_points_is_refused_at_once") {
  CHECK(refusal({"--vary", "seed=1..1000000000:+1", "--footprint", "16KiB"}) ==
        "--vary:1:1: 'seed' takes 1000000000 values; a sweep has at most 100000 points (take larger steps)\n");
  CHECK(refusal({"--vary", "seed=1..1000:+1", "--vary", "footprint=1MiB..1000MiB:+1MiB"}) ==
        "--vary: 1000 x 1000 are 1000000 points; a sweep has at most 100000 (take larger steps, or sweep one after the "
        "other)\n");
}

SCENARIO("a_drawing_that_is_unreadable_is_refused_before_anything_is_run") {
  const Scratch folder;
  const Outcome outcome =
      run(folder, sweep({"--vary", "footprint=16KiB,32KiB", "--vary", "seed=1..20:+1", "--svg", "a.svg"}));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "--svg: seed would be 20 curves in one chart, and 14 can be distinguished (change the order of --vary, or use "
        "--csv or --html)\n");
  CHECK(folder.names().empty());
}
