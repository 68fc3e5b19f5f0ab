// SPDX-License-Identifier: Apache-2.0
// sweep over GPUs, kernels and traces: a point equals the single run, and a setting that one of them
// lacks is refused by its name.
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

// A short chase.
Words chase(Words more) {
  more.insert(more.begin(), {"sweep", "--timed-loads", "256", "--quiet"});
  return more;
}

json::value answer(Words words) {
  words.insert(words.end(), {"--json", "-"});
  const Outcome outcome = run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out);
}

std::string refusal(const Words& words) {
  const Outcome outcome = run(words);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  return outcome.err;
}

double figure(const json::value& document, std::size_t point, const char* field) {
  return document.at("points").at(point).at(field).to_number<double>();
}

const std::string traces = std::string(STRATA_SOURCE_DIR) + "/traces/";

}  // namespace

SCENARIO("a_gpu_is_varied_like_a_setting") {
  GIVEN("two GPUs crossed with two footprints") {
    const json::value both = answer(chase({"--vary", "gpu=b580,h200", "--vary", "footprint=16KiB,1MiB"}));
    REQUIRE(both.at("points").as_array().size() == 4);
    THEN("each point is that of the sweep of one GPU") {
      for (const std::size_t gpu : {0U, 1U}) {
        const json::value one = answer(chase({"--gpu", gpu == 0 ? "b580" : "h200", "--vary", "footprint=16KiB,1MiB"}));
        for (const std::size_t footprint : {0U, 1U})
          CHECK(figure(both, 2 * gpu + footprint, "latency_ns") == figure(one, footprint, "latency_ns"));
      }
    }
    THEN("the document names the GPUs, and each point its own") {
      CHECK(both.at("gpu").as_string() == "b580, h200");
      CHECK(both.at("parameters").at(0).at("of").as_string() == "gpu");
      CHECK(both.at("points").at(2).at("values").at("gpu").as_string() == "h200");
    }
  }
  GIVEN("a file beside a name, linked with footprints of their own") {
    const Scratch folder;
    folder.write("slow.yaml", "base: b580\nname: A slow B580\nl2:\n  cache: {hit_latency: 240 clk}\n");
    const Outcome outcome =
        run(folder, chase({"--vary", "gpu=b580,./slow.yaml", "--vary", "footprint=1MiB,2MiB", "--zip", "gpu,footprint",
                           "--csv", "-", "--svg", "a.svg", "--html", "a.html"}));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.starts_with("gpu,footprint_bytes,latency_ns,"));
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
    CHECK(outcome.out.find("\n./slow.yaml,2097152,") != std::string::npos);
    CHECK(folder.read("a.svg").find("load-to-use latency over gpu and footprint") != std::string::npos);
    CHECK(folder.read("a.html").find("./slow.yaml") != std::string::npos);
  }
}

SCENARIO("a_factor_is_of_the_value_that_each_gpu_has") {
  const Words words = chase({"--vary", "gpu=b580,h200", "--vary", "l2.cache.hit_latency=*1,*2", "--footprint", "1MiB"});
  const json::value both = answer(words);
  const auto settings = [&](std::size_t point) {
    return both.at("points").at(point).at("settings").at("l2.cache.hit_latency").as_string();
  };
  // 140 cycles and 30 as they are.
  CHECK(settings(1) == "280 clk");
  CHECK(settings(3) == "60 clk");
  CHECK(both.at("points").at(3).at("values").at("l2.cache.hit_latency_factor").to_number<double>() == 2);
  CHECK(figure(both, 1, "latency_cycles") == Approx(figure(both, 0, "latency_cycles") + 140));
  const Outcome mixed = run(chase(
      {"--vary", "gpu=b580,h200", "--vary", "l2.cache.hit_latency=*1,200clk", "--footprint", "1MiB", "--csv", "-"}));
  CHECK(mixed.out.starts_with("gpu,l2.cache.hit_latency,footprint_bytes,"));
  CHECK(mixed.out.find("\nh200,*1,1048576,") != std::string::npos);
  const Outcome table = run(words);
  CHECK(table.out.find("*2 (280 clk)") != std::string::npos);
}

SCENARIO("a_setting_that_one_of_the_gpus_lacks_is_refused_by_its_name") {
  const Words words =
      chase({"--vary", "memory_side_cache.cache.ways=8,16", "--vary", "gpu=b580,mi300x", "--footprint", "1MiB"});
  CHECK(refusal(words) ==
        "--vary gpu=b580: there is no memory_side_cache, and so no memory_side_cache.cache.ways\n"
        "--vary: 2 of 4 points are refused, so none is run (--skip-refused runs the others)\n");
  Words skipping = words;
  skipping.emplace_back("--skip-refused");
  const json::value answered = answer(skipping);
  CHECK(answered.at("points").as_array().size() == 2);
  CHECK(answered.at("points").at(0).at("values").at("gpu").as_string() == "mi300x");
  REQUIRE(answered.at("refused").as_array().size() == 1);
  CHECK(answered.at("refused").at(0).as_string().starts_with("--vary gpu=b580: there is no memory_side_cache"));
  THEN("also a link of a GPU that has none, and a factor of a missing value") {
    CHECK(
        refusal(chase({"--vary", "gpu=mi300x,b580", "--vary", "network.links[0].latency=10ns", "--footprint", "1MiB"}))
            .starts_with("--vary gpu=b580: 'network.links' has no entry '0'"));
    CHECK(
        refusal(chase({"--vary", "gpu=mi300x,b580", "--vary", "memory_side_cache.capacity=*1", "--footprint", "1MiB"}))
            .starts_with("--vary gpu=b580: there is no memory_side_cache, and so no memory_side_cache.capacity\n"));
  }
}

SCENARIO("gpus_that_cannot_be_varied_are_refused") {
  const Words footprint{"--footprint", "16KiB"};
  const auto with = [&](Words more) {
    more.insert(more.end(), footprint.begin(), footprint.end());
    return refusal(chase(std::move(more)));
  };
  CHECK(with({"--gpu", "b580", "--vary", "gpu=h200,b200"}) ==
        "--gpu: is varied by --vary as well; remove one of them\n");
  CHECK(with({"--vary", "gpu=b580,h20"}).starts_with("--vary gpu=h20: no configuration 'h20'; "));
  CHECK(with({"--vary", "gpu=b580,b580"}) == "--vary:1:10: 'gpu' takes the value b580 twice\n");
  CHECK(with({"--vary", "gpu=*2"}).starts_with("--vary:1:5: 'gpu' is no number and has no factor"));
  CHECK(with({"--vary", "gpu=b580", "--vary", "gpu=h200"}) ==
        "--vary: 'gpu' is varied twice (give all its values to one --vary)\n");
  CHECK(with({"--vary", "gpu=mi300x,b580", "--set", "network.links[0].latency=3ns"})
            .starts_with("--set:1:15: 'network.links' has no entry '0', on b580"));
  CHECK(with({"--vary", "gpus=b580,h200", "--gpu", "b580"}).find("(did you mean 'gpu'?)") != std::string::npos);
}

SCENARIO("answers_that_are_kept_serve_a_sweep_that_is_widened_to_more_gpus") {
  const Scratch folder;
  const auto swept = [&](Words more) {
    more.insert(more.begin(), {"sweep", "--timed-loads", "256", "--vary", "l1.cache.hit_latency=*1,*2", "--footprint",
                               "16KiB", "--out", "kept"});
    const Outcome outcome = run(folder, more);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome;
  };
  swept({"--gpu", "b580"});
  const Outcome first = swept({"--vary", "gpu=b580,h200", "--shard", "1/2"});
  CHECK(first.err.find("2 of 2 points are in kept already") != std::string::npos);
  swept({"--vary", "gpu=b580,h200", "--shard", "2/2"});
  const Outcome merged = swept({"--vary", "gpu=b580,h200", "--merge"});
  CHECK(merged.out == swept({"--vary", "gpu=b580,h200"}).out);
  CHECK(std::count(merged.out.begin(), merged.out.end(), '\n') == 2 + 4);
}

SCENARIO("a_kernel_is_varied_with_its_parameters") {
  const auto points = [](Words more) {
    more.insert(more.begin(), {"sweep", "--gpu", "b580", "run", "--quiet"});
    return answer(more);
  };
  // Lines of 128 B: one read and one written for each.
  const json::value all = points({"--vary", "kernel=copy,bytes=64KiB,width=4,shared_stride,copy"});
  REQUIRE(all.at("points").as_array().size() == 3);
  CHECK(all.at("points").at(0).at("values").at("kernel").as_string() == "copy,bytes=64KiB,width=4");
  CHECK(all.at("points").at(0).at("transactions") == 2 * (64 << 10) / 128);
  CHECK(all.at("points").at(1).at("transactions") == 0);
}

SCENARIO("a_parameter_that_a_kernel_lacks_is_refused_by_its_name") {
  const Words words{"sweep",
                    "--gpu",
                    "b580",
                    "run",
                    "--quiet",
                    "--vary",
                    "kernel=shared_stride,copy",
                    "--vary",
                    "kernel.bytes=64KiB,128KiB"};
  const std::string said = refusal(words);
  CHECK(
      said.starts_with("--vary kernel=shared_stride: 'shared_stride' has no parameter 'bytes', which --vary "
                       "kernel.bytes gives it (it has stride, width, "));
  CHECK(said.ends_with("\n--vary: 2 of 4 points are refused, so none is run (--skip-refused runs the others)\n"));
  CHECK(std::count(said.begin(), said.end(), '\n') == 2);
  Words skipping = words;
  skipping.emplace_back("--skip-refused");
  const json::value all = answer(skipping);
  REQUIRE(all.at("points").as_array().size() == 2);
  CHECK(all.at("points").at(0).at("transactions") == 2 * (64 << 10) / 128);
  CHECK(all.at("points").at(1).at("transactions") == 2 * (128 << 10) / 128);
}

SCENARIO("a_trace_is_varied_over_gpus") {
  const json::value all = answer({"sweep", "run", "--quiet", "--vary", "gpu=b580,h200", "--vary",
                                  "trace=" + traces + "reduce.csv," + traces + "accel-sim/kernelslist.g"});
  REQUIRE(all.at("points").as_array().size() == 4);
  const json::value alone = answer({"run", "--quiet", "--gpu", "h200", "--trace", traces + "reduce.csv"});
  CHECK(all.at("points").at(2).at("time_ns") == alone.at("time_ns"));
  CHECK(all.at("points").at(2).at("transactions") == alone.at("transactions"));
  CHECK(all.at("points").at(3).at("values").at("gpu").as_string() == "h200");
  CHECK(refusal({"sweep", "run", "--quiet", "--gpu", "b580", "--vary", "trace=" + traces + "reduce.csv,none.strata"})
            .find("none.strata") != std::string::npos);
}
