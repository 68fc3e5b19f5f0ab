// SPDX-License-Identifier: Apache-2.0
// Manual pages and shell completions have every verb, every option and the values of an option.
#include <fstream>
#include <regex>

#include "catch.hpp"
#include "program.hpp"

using namespace strata::test;

namespace {

const std::vector<std::string> verbs{"latency",  "bandwidth", "run",  "sweep", "compare", "sensitivity",
                                     "validate", "explain",   "list", "check", "trace"};

// --option at the start of a line of --help.
std::vector<std::string> options_of(const std::vector<std::string>& help) {
  const std::string text = run(help).out;
  const std::regex option(R"(\n  (?:-\w \[ )?--([a-z-]+))");
  std::vector<std::string> names;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), option); at != std::sregex_iterator(); ++at)
    names.push_back((*at)[1]);
  return names;
}

// The completions of bash for the last of these words.
std::string offered(const Scratch& folder, const std::string& words) {
  const std::filesystem::path script = folder.path("completion");
  if (!std::filesystem::exists(script)) {
    std::ofstream(script) << run({"list", "bash-completion"}).out;
    std::ofstream(folder.path("ask.sh"))
        << "source '" << script.string()
        << "'\neval \"COMP_WORDS=($1)\"\n"
           "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_strata\necho \"${COMPREPLY[*]}\"\n";
  }
  Running bash("/bin/bash", {folder.path("ask.sh").string(), "'" STRATA_PROGRAM "' " + words}, folder.path(""));
  const Outcome outcome = bash.wait();
  CHECK(outcome.err.empty());
  return outcome.out;
}

}  // namespace

TEST_CASE("each_option_is_on_the_manual_page_of_its_verb") {
  for (const std::string& verb : verbs) {
    INFO(verb);
    const std::string page = run({"list", "man", "--verb", verb}).out;
    CHECK(page.starts_with(".TH \"STRATA-"));
    const std::vector<std::string> options = options_of({verb, "--help"});
    CHECK(options.size() >= 3);
    for (std::string name : options) {
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.replace(at, 1, "\\-");
      INFO(name);
      CHECK(page.find("\\fB\\-\\-" + name + "\\fR") != std::string::npos);
    }
    CHECK(run({"list", "man"}).out.find(".BR strata\\-" + verb + " (1)") != std::string::npos);
  }
}

TEST_CASE("a_page_lists_the_options_of_each_question") {
  const std::string page = run({"list", "man", "--verb", "sweep"}).out;
  const std::size_t latency = page.find(".SS Options of the question latency");
  const std::size_t bandwidth = page.find(".SS Options of the question bandwidth");
  REQUIRE(latency < bandwidth);
  CHECK(page.find("\\-\\-timed\\-loads") < bandwidth);
  CHECK(page.find("\\-\\-unroll") > bandwidth);
}

TEST_CASE("bash_completes_verbs_options_and_values") {
  const Scratch folder;
  CHECK(offered(folder, "la") == "latency\n");
  CHECK(offered(folder, "latency --timed") == "--timed-loads\n");
  CHECK(offered(folder, "latency --space ''") == "global shared scalar texture cluster bulk\n");
  CHECK(offered(folder, "latency --space = t") == "texture\n");
  CHECK(offered(folder, "latency --gpu mi3") == "mi300a mi300x\n");
  CHECK(offered(folder, "latency --set l2.bypa") == "l2.bypass=\n");
  CHECK(offered(folder, "run --kernel veca") == "vecadd\n");
  CHECK(offered(folder, "litmus --test iri") == "iriw\n");
  CHECK(offered(folder, "sweep b") == "bandwidth\n");
  CHECK(offered(folder, "trace conv") == "convert\n");
  CHECK(offered(folder, "check comple") == "completion\n");
  CHECK(offered(folder, "validate --kind pre") == "predicted\n");
  for (const std::string& verb : verbs)
    for (const std::string& name : options_of({verb, "--help"})) {
      INFO(verb << " --" << name);
      CHECK((' ' + offered(folder, verb + " --" + name)).find("--" + name) != std::string::npos);
    }
}

TEST_CASE("bash_completes_paths_of_settings_and_their_values") {
  const Scratch folder;
  CHECK(offered(folder, "latency --set memory_side_cac").starts_with("memory_side_cache= memory_side_cache."));
  CHECK(offered(folder, "explain --path l2.ca").starts_with("l2.capacity l2.cache l2.cache."));
  CHECK(offered(folder, "latency --set l2.cach").find("l2.cache=") == std::string::npos);
  CHECK(offered(folder, "latency --set 'translation.levels[1].wa'") == "translation.levels[1].ways=\n");
  CHECK(offered(folder, "latency --set translation.levels.wa") == "\n");
  CHECK(offered(folder, "latency --set l2.bypass =") == "true false\n");
  CHECK(offered(folder, "latency --set l2.bypass = t") == "true\n");
  CHECK(offered(folder, "latency --set = l2.bypass = t") == "true\n");
  CHECK(offered(folder, "latency --gpu b580 --set memory_side_cache = n") == "none\n");
  CHECK(offered(folder, "latency --set 'translation.levels[1].replacement' = li") == "lip\n");
  CHECK(offered(folder, "latency --set clocks.core = 1") == "\n");
  CHECK(offered(folder, "sweep --vary gpu = h200,mi300a") == "h200,mi300a\n");
  CHECK(offered(folder, "sweep --vary l2.cache.replacement = lru,li") == "lru,lip\n");
  CHECK(offered(folder, "sensitivity --only l2.capacity,l2.bypa") == "l2.capacity,l2.bypass\n");
  CHECK(offered(folder, "check b58") == "b580\n");
  CHECK(offered(folder, "validate --id b200-curv").starts_with("b200-curve"));
}

TEST_CASE("the_page_of_an_unknown_verb_is_refused") {
  const Outcome outcome = run({"list", "man", "--verb", "latncy"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("did you mean 'latency'?") != std::string::npos);
}
