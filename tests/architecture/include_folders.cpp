// SPDX-License-Identifier: Apache-2.0
// The include path of a module ends a wrong #include at compile time, ahead of any rule on its text.
#include <cstdio>
#include <string>

#include "catch.hpp"

namespace {

struct Compilation {
  bool succeeded = false;
  std::string messages;
};

// A file of the module cache that has this one line.
Compilation compile_in_cache(const std::string& header) {
  const std::string command = "echo '#include \"" + header +
                              "\"' | '" STRATA_COMPILER "' -std=c++20 -fsyntax-only -x c++ -I'" STRATA_INCLUDES_OF_CACHE
                              "' - 2>&1";
  Compilation result;
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) result.messages += static_cast<char>(c);
  result.succeeded = pclose(pipe) == 0;
  return result;
}

}  // namespace

TEST_CASE("a_module_finds_its_own_headers_and_those_below_it") {
  for (const char* header : {"cache/cache.hpp", "memory/transaction.hpp", "config/load.hpp"}) {
    const Compilation result = compile_in_cache(header);
    INFO(header << ": " << result.messages);
    CHECK(result.succeeded);
  }
}

TEST_CASE("a_module_does_not_find_headers_beside_it_or_above_it") {
  for (const char* header : {"dram/channel.hpp", "fabric/crossbar.hpp", "compute/core.hpp", "machine/machine.hpp",
                             "trace/instruction.hpp"}) {
    const Compilation result = compile_in_cache(header);
    INFO(header << ": " << result.messages);
    CHECK_FALSE(result.succeeded);
    CHECK(result.messages.find(header) != std::string::npos);  // it is this header that is missing
    CHECK(result.messages.find("cache/") == std::string::npos);
  }
}
