// SPDX-License-Identifier: Apache-2.0
// Figures of pages, rewritten from the current output of the program, and the differences.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "figures/answers.hpp"
#include "figures/page.hpp"

namespace strata::figures {

/// A line of a page, or a file, that differs from the current output of its command.
struct Difference {
  std::string place;  ///< docs/guide/run.md:12
  std::string is;
  std::string should_be;
  std::string command;
};

/// README.md and the pages of docs/ and validation/, sorted, relative to the repository.
std::vector<std::string> page_names(const std::filesystem::path& root);

/// Blocks whose commands have to run; all others are answered from files of the tree.
std::vector<std::size_t> running_blocks(const Page& page);

/// The page with the blocks of these numbers (all: none given) and the figures in sentences that
/// belong to them rewritten. Throws InputError: a command fails, a path is not there.
Page refreshed(const Page& page, Answers& answers, const std::optional<std::vector<std::size_t>>& blocks = {});

/// A drawing that the page shows and a command of it writes.
struct Drawing {
  std::filesystem::path file;
  std::string text;
  std::string command;
};
/// Those of the page's blocks that `refreshed` has run.
std::vector<Drawing> drawings(const Page& page, const Answers& answers,
                              const std::optional<std::vector<std::size_t>>& blocks = {});

std::vector<Difference> differences(const Page& is, const Page& should_be);

}  // namespace strata::figures
