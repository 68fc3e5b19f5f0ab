// SPDX-License-Identifier: Apache-2.0
// Load-to-use latency of a GPU at one footprint. Usage: ask GPU BYTES [PATH=VALUE ...].
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/machine.hpp"
#include "study/latency/latency.hpp"

int main(int count, char** words) {
  using namespace strata;
  if (count < 3) return 2;
  try {
    const tools::Library library(STRATA_DATA);
    const std::vector<std::string> overrides(words + 3, words + count);
    const auto machine = config::load<machine::MachineSpec>(library.gpu(words[1]), library.configurations(), overrides);
    const study::LatencyPoint point = study::measure_latency(machine.spec, {}, std::strtoull(words[2], nullptr, 10));
    std::cout << point.latency_cycles << " cycles, fingerprint " << point.fingerprint << '\n';
  } catch (const InputError& error) {  // a file, a key or a value that cannot be
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const InvalidRequest& error) {  // settings or a question that do not go together
    std::cerr << error.what() << '\n';
    return 2;
  }
}
