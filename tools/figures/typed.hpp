// SPDX-License-Identifier: Apache-2.0
// Figures of pages that were typed. A figure is a number with a unit of time, rate or share, a decimal, a cell of a
// table that is a number or, in README and the guide, a whole number of three digits or more that is no size. It may be in a block, before a mark, in a command or a configuration; on a page that
// is a record of its day; on a page that a test compares with what the program prints; or in
// docs/typed-figures.csv, which lists for each the page, the context and the reason.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "figures/page.hpp"

namespace strata::figures {

/// Words of a page in which a figure may be typed.
struct Allowed {
  std::string page;
  std::string text;
  std::string reason;
};

/// The rows of docs/typed-figures.csv below the heading. Throws InputError.
std::vector<Allowed> read_allowed(const std::string& name, std::string_view csv);

/// "README.md:12: 8.0 %: ..." for each figure that nothing covers.
std::vector<std::string> typed_figures(const Page& page, const std::vector<Allowed>& allowed);
/// The same of all pages of the tree, and what is allowed but not there any more.
std::vector<std::string> typed_figures(const std::vector<Page>& pages, const std::filesystem::path& root);

}  // namespace strata::figures
