// SPDX-License-Identifier: Apache-2.0
// The sources as text, for tests that check the structure of the source rather than its
// behaviour. A C++ file is read once and has three forms: as written, without comments (include
// names remain), and without comments and without the contents of string and character literals
// (so that a word in a message is not treated as code). Line breaks remain in all three, so a
// position gives the line in the file.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata::architecture {

struct SourceFile {
  std::string path;  // from the root of the repository, with forward slashes
  std::string text;  // as written
};

// One broken rule, in the form "path:line: message".
using Breaches = std::vector<std::string>;

std::string without_comments(std::string_view text);
std::string without_comments_and_literals(std::string_view text);

struct Include {
  std::string name;  // the text between the quotes or angle brackets
  bool quoted = false;
  std::size_t line = 0;
};
std::vector<Include> includes_of(const SourceFile& file);

// The line, counted from 1, of the character at `position`.
std::size_t line_at(std::string_view text, std::size_t position);

// "sim/cache/tags/tag_array.hpp" is in module "cache"; empty for a file outside sim/.
std::string module_of(std::string_view path);

// Every regular file below `folder` of the repository, in order of path. A missing folder is an
// error: a rule over no files would pass without a check.
std::vector<SourceFile> files_below(const std::string& folder);

// Those of files_below() that are C++.
std::vector<SourceFile> sources_below(const std::string& folder);

std::string joined(const Breaches& breaches);

}  // namespace strata::architecture
