// SPDX-License-Identifier: Apache-2.0
#include "config/effective.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"
#include "config/schema/path.hpp"

namespace strata::config {

namespace {

std::string entry_name_of(const Effective& entry) {
  const Effective* name = entry.find("name");
  return name != nullptr ? name->bound : std::string();
}

/// Whether YAML reads the text back as itself without quotes.
bool plain(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return false;
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  const bool number = text.front() == '-' && text.size() > 1 && word(text[1]);
  if (!word(text.front()) && text.front() != '/' && !number) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  if (printable(text) != text) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':' && i + 1 < text.size() && text[i + 1] == ' ') return false;
    if (c == '#' && i > 0 && text[i - 1] == ' ') return false;
    if (c == '[' || c == ']' || c == '{' || c == '}' || c == ',') return false;  // reads otherwise within a flow
  }
  return true;
}

std::string yaml_text(const std::string& text) {
  if (plain(text)) return text;
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
    const std::string_view c = std::string_view(text).substr(at, length);
    at += length;
    if (c == "\"" || c == "\\")
      out += fmt::format("\\{}", c);
    else if (c == "\n")
      out += "\\n";
    else if (c == "\t")
      out += "\\t";
    else if (c == "\r")
      out += "\\r";
    else if (is_unprintable(c))
      out += fmt::format("\\U{:08x}", utf8_value(c));
    else
      out += c;
  }
  return out + '"';
}

std::string scalar_text(const Effective& node) {
  std::string text = node.text;
  if (node.provenance.origin != Origin::none) text += " | " + node.provenance.text();
  return yaml_text(text);
}

std::string who(const Effective& node) {
  const std::string text = node.set_by ? node.set_by->text() : "default";
  return "  # " + printable(text);  // a file name must not end the comment
}

void write(const Effective& node, std::size_t indent, std::string& out);

/// The part after `key:` or `-`.
void write_body(const Effective& node, std::size_t indent, std::string& out) {
  if (node.absent) {
    out += " none" + who(node) + '\n';
  } else if (node.shape == Shape::scalar) {
    out += ' ' + scalar_text(node) + who(node) + '\n';
  } else if (node.children.empty()) {
    out += (node.shape == Shape::list ? " []" : " {}") + who(node) + '\n';
  } else {
    out += '\n';
    write(node, indent + 2, out);
  }
}

void write(const Effective& node, std::size_t indent, std::string& out) {
  for (const Effective& child : node.children) {
    out += std::string(indent, ' ') + (node.shape == Shape::list ? "-" : yaml_text(child.key) + ':');
    write_body(child, indent, out);
  }
}

void collect_unsourced(const Effective& node, const std::string& path, bool with_defaults,
                       std::vector<Unsourced>& out) {
  if (node.number && !node.absent && node.provenance.origin == Origin::none && (node.set_by || with_defaults)) {
    out.push_back({path, node.set_by});
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Effective& child = node.children[i];
    const std::string below = node.shape == Shape::list ? fmt::format("{}[{}]", path, i)
                              : path.empty()            ? child.key
                                                        : path + '.' + child.key;
    collect_unsourced(child, below, with_defaults, out);
  }
}

void compare(const Effective& a, const Effective& b, const std::string& path, std::vector<std::string>& out) {
  if (a.absent != b.absent || a.shape != b.shape || a.bound != b.bound || a.children.size() != b.children.size()) {
    out.push_back(path);
    return;
  }
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    const std::string& key = a.children[i].key;
    const std::string below = a.shape == Shape::list ? fmt::format("{}[{}]", path, i)
                              : path.empty()         ? key
                                                     : path + '.' + key;
    compare(a.children[i], b.children[i], below, out);
  }
}

}  // namespace

const Effective* Effective::find(std::string_view child) const {
  for (const Effective& candidate : children) {
    if (candidate.key == child) return &candidate;
  }
  return nullptr;
}

const Effective* find_path(const Effective& root, std::string_view path) {
  const Effective* at = &root;
  const std::vector<Segment> segments = split_path(path);
  if (segments.empty()) return nullptr;
  for (const Segment& segment : segments) {
    const Effective* next = nullptr;
    if (at->shape == Shape::list) {
      for (std::size_t i = 0; i < at->children.size() && next == nullptr; ++i) {
        const Effective& entry = at->children[i];
        if (entry_name_of(entry) == segment.text || segment.text == std::to_string(i)) next = &entry;
      }
    } else {
      next = at->find(segment.text);
    }
    if (next == nullptr) return nullptr;
    at = next;
  }
  return at;
}

std::string write_effective(const Effective& root, std::string_view title) {
  std::string out = fmt::format("# {}: the effective configuration, each value with its origin\n", title);
  if (root.children.empty()) out += "{}\n";
  write(root, 0, out);
  return out;
}

std::vector<Unsourced> numbers_without_provenance(const Effective& root, bool with_defaults) {
  std::vector<Unsourced> out;
  collect_unsourced(root, "", with_defaults, out);
  return out;
}

std::vector<std::string> differing_paths(const Effective& a, const Effective& b) {
  std::vector<std::string> out;
  compare(a, b, "", out);
  return out;
}

}  // namespace strata::config
