// SPDX-License-Identifier: Apache-2.0
#include "config/yaml/parse.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include "config/value/provenance.hpp"
#include "config/yaml/events.hpp"
#include "config/yaml/text_check.hpp"

namespace strata::config {

namespace {

/// The error of yaml-cpp, with a hint.
Diagnostic explain(const YAML::Exception& error, const Builder& builder) {
  const Position where = builder.at(error.mark);
  const std::string_view message = error.msg;
  if (message.starts_with("the referenced anchor is not defined")) {
    return where.diagnostic("aliases ('*') are not supported", no_sharing_hint);
  }
  std::string hint;
  if (!error.mark.is_null()) {
    const std::string_view line = builder.lines().from(static_cast<std::size_t>(error.mark.line), 0);
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    if (line.substr(0, indent).find('\t') != std::string_view::npos) hint = "indent with blanks, not tabs";
  }
  if (hint.empty() && message == YAML::ErrorMsg::MAP_VALUE) hint = "a value that holds ': ' needs quotes";
  return where.diagnostic("not valid YAML: " + error.msg, std::move(hint));
}

/// Runs yaml-cpp over the text; its exceptions become diagnostics.
void read(std::string_view text, Builder& builder, std::vector<Diagnostic>& diagnostics) {
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop&) {
    return;
  } catch (const YAML::Exception& error) {
    diagnostics.push_back(explain(error, builder));
    return;
  }
  // yaml-cpp silently ends an open quote at the end of the text.
  const YAML::Mark& quote = builder.last_quoted();
  if (!quote.is_null() && !quote_is_closed(builder.text_at(quote))) {
    diagnostics.push_back(builder.at(quote).diagnostic("the quote that opens here is never closed"));
  }
}

Position start_of(const std::string& file) { return {std::make_shared<const std::string>(file), 1, 1}; }

}  // namespace

Value parse(std::string_view text, const std::string& file, const ParseLimits& limits) {
  const Position start = start_of(file);
  std::vector<Diagnostic> diagnostics;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  check_text(text, start, limits.bytes, diagnostics);
  throw_if_any(diagnostics);
  check_directives(text, start, diagnostics);
  throw_if_any(diagnostics);

  Builder builder(start, text, limits, diagnostics);
  read(text, builder, diagnostics);
  throw_if_any(diagnostics);
  if (!builder.has_root()) throw InputError(start.diagnostic("the file is empty"));

  Value root = builder.take_root();
  if (root.shape != Shape::map) {
    throw InputError(root.where.diagnostic(
        "the file holds " + std::string(name_of(root.shape)) + " where a map is expected", "write 'key: value' lines"));
  }
  spread_provenance(root, diagnostics);
  throw_if_any(diagnostics);
  return root;
}

Value parse_fragment(std::string_view text, const Position& where) {
  std::vector<Diagnostic> diagnostics;
  const ParseLimits limits;
  check_text(text, where, limits.bytes, diagnostics);
  throw_if_any(diagnostics);
  Value value;
  const std::string_view bare = trimmed(text);
  if (!bare.empty() && (bare.front() == '[' || bare.front() == '{')) {
    Builder builder(where, text, limits, diagnostics);
    read(text, builder, diagnostics);
    if (builder.has_root()) value = builder.take_root();
  } else {
    value.where = where;
    value.text = std::string(bare);
    split_provenance(value, diagnostics);
  }
  throw_if_any(diagnostics);
  return value;
}

}  // namespace strata::config
