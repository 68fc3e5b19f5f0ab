// SPDX-License-Identifier: Apache-2.0
// The rules of the architecture, one function each. A rule checks one file and returns the breaches, an
// empty list if there are none. Rules are plain functions of text, so each can be tested with small
// examples that it must refuse.
#pragma once
#include "source_text.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace strata::architecture {

// Which other modules of sim/ the files of a module may include. Dependences point only downward; the
// blocks (compute, cache, translation, fabric, dram) do not include each other, and only `machine`
// includes them all.
const std::map<std::string, std::set<std::string>>& allowed_modules();

// An include of sim/ that goes up or sideways, names no module, or names an unknown module.
Breaches breaches_of_dependence(const SourceFile& file);

// yaml-cpp outside sim/config, and libraries with threads in sim/.
Breaches breaches_of_library_use(const SourceFile& file);

// Uses that are not allowed in sim/, so that it runs anywhere with the same bits: files, the
// environment, the clock, threads, locales, the terminal, or randomness that differs by library.
Breaches breaches_of_purity(const SourceFile& file);

// A variable of static storage that can change: a global by another name.
Breaches breaches_of_statelessness(const SourceFile& file);

// sim/ does not depend on the place of measured values.
Breaches breaches_of_ignorance_of_validation(const SourceFile& file);

// The first line is the licence line.
Breaches breaches_of_licence_line(const SourceFile& file);

// A file over the limit holds more than one thought; a folder over it more than one idea.
constexpr std::size_t longest_file_of_sim_in_lines = 300;
constexpr std::size_t longest_file_in_lines = 400;
constexpr std::size_t most_files_in_a_folder = 25;
Breaches breaches_of_length(const SourceFile& file);
// Of files that lie in the folder itself; each folder is named once.
Breaches breaches_of_crowding(const std::vector<SourceFile>& files);

// configs/ and validation/ hold data and explanations, no code.
Breaches breaches_of_data_only(const SourceFile& file);

}  // namespace strata::architecture
