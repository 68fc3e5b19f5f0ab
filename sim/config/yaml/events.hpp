// SPDX-License-Identifier: Apache-2.0
// Builds a value tree from yaml-cpp's parser events and refuses what a
// configuration must not use, each with its place. The open maps and lists are
// a stack of its own, so that nesting costs no recursion here, and its bound
// ends yaml-cpp's recursion as well. Internal to parse.cpp: the only header that
// knows yaml-cpp.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/value/provenance.hpp"
#include "config/yaml/parse.hpp"
#include "config/yaml/text_check.hpp"

namespace strata::config {

/// Leaves yaml-cpp early; what is wrong is already among the diagnostics.
struct Stop {};

inline constexpr const char* no_sharing_hint = "write the value out in full, or share it with 'use:'";

class Builder final : public YAML::EventHandler {
 public:
  Builder(Position origin, std::string_view text, const ParseLimits& limits, std::vector<Diagnostic>& diagnostics)
      : origin_(std::move(origin)), lines_(text), limits_(limits), diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (seen_document_) {
      stop(at(mark), "a second document begins here", "keep one document per file");
    }
    seen_document_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    const Position where = at(mark);
    if (awaits_key()) {
      tell(where, "a key is missing here", "");
      take_key("", where);
      return;
    }
    if (open_.empty()) return;  // an empty document, reported by parse()
    const std::string named = open_.back().has_key ? "'" + open_.back().key + "'" : "this entry";
    const Position place = open_.back().has_key ? open_.back().key_where : where;
    tell(place, named + " has no value", "give one, or remove the key");
    add(scalar(place, "", false));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    const Position where = at(mark);
    tell(where, "aliases ('*') are not supported", no_sharing_hint);
    if (awaits_key()) {
      take_key("*", where);
    } else {
      add(scalar(where, "", false));
    }
  }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    tell(at(mark), "anchors ('&" + name + "') are not supported", no_sharing_hint);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& text) override {
    const Position where = at(mark);
    refuse_tag(where, tag);
    if (tag == "!") last_quoted_ = mark;
    if (awaits_key()) {
      take_key(text, where);
      return;
    }
    add(scalar(where, text, tag == "!"));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    begin(mark, tag, Shape::list);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    begin(mark, tag, Shape::map);
  }
  void OnMapEnd() override { end(); }

  bool has_root() const { return has_root_; }
  /// Where the last scalar in quotes begins; null where there is none.
  const YAML::Mark& last_quoted() const { return last_quoted_; }
  Value take_root() { return std::move(root_); }

  Position at(const YAML::Mark& mark) const {
    Position where = origin_;
    if (mark.is_null()) return where;
    where.line += static_cast<std::size_t>(mark.line);
    where.column = column_of(mark) + (mark.line == 0 ? origin_.column : 1);
    return where;
  }
  /// The text from a mark on.
  std::string_view text_at(const YAML::Mark& mark) const {
    return lines_.from(static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column));
  }
  const LineIndex& lines() const { return lines_; }

 private:
  struct Open {
    Value value;
    std::string key;
    Position key_where;
    bool has_key = false;
    std::map<std::string, std::size_t> lines;  ///< keys seen, with their lines
  };

  /// Counts on from the last mark of the same line, so that one long line is read once.
  std::size_t column_of(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(mark.line);
    const auto byte = static_cast<std::size_t>(mark.column);
    if (line != counted_line_ || byte < counted_byte_) {
      counted_line_ = line;
      counted_byte_ = counted_characters_ = 0;
    }
    counted_characters_ += lines_.characters(line, counted_byte_, byte);
    counted_byte_ = byte;
    return counted_characters_;
  }

  bool awaits_key() const { return !open_.empty() && open_.back().value.shape == Shape::map && !open_.back().has_key; }

  void tell(const Position& where, std::string message, std::string hint) {
    diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
    if (diagnostics_.size() >= 100) throw Stop();
  }
  [[noreturn]] void stop(const Position& where, std::string message, std::string hint) {
    diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
    throw Stop();
  }

  void refuse_tag(const Position& where, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    tell(where, "tags ('" + tag + "') are not supported", "remove the tag");
  }

  void count_value(const Position& where) {
    if (++values_ > limits_.values) {
      stop(where, "more than " + std::to_string(limits_.values) + " values in one file", "split the file");
    }
  }

  Value scalar(const Position& where, const std::string& text, bool quoted) {
    Value value;
    value.where = where;
    value.text = text;
    value.quoted = quoted;
    split_provenance(value, diagnostics_);
    return value;
  }

  void take_key(const std::string& key, const Position& where) {
    count_value(where);
    Open& map = open_.back();
    const auto [known, fresh] = map.lines.emplace(key, where.line);
    if (key == "<<") {
      tell(where, "merge keys ('<<') are not supported", "use 'base:' or 'use:'");
    } else if (!fresh && !key.empty()) {
      tell(where, "'" + key + "' is given twice", "first at line " + std::to_string(known->second));
    }
    map.key = key;
    map.key_where = where;
    map.has_key = true;
  }

  void begin(const YAML::Mark& mark, const std::string& tag, Shape shape) {
    const Position where = at(mark);
    refuse_tag(where, tag);
    count_value(where);
    if (awaits_key()) stop(where, "a key must be a plain word, not " + std::string(name_of(shape)), "");
    if (open_.size() >= limits_.depth) {
      stop(where, "nested more than " + std::to_string(limits_.depth) + " deep", "");
    }
    Open open;
    open.value.shape = shape;
    const bool keyed = !open_.empty() && open_.back().has_key;
    open.value.where = keyed ? open_.back().key_where : where;
    open_.push_back(std::move(open));
  }

  void end() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    add(std::move(value));
  }

  void add(Value value) {
    if (value.shape == Shape::scalar) count_value(value.where);
    if (open_.empty()) {
      root_ = std::move(value);
      has_root_ = true;
      return;
    }
    Open& parent = open_.back();
    if (parent.value.shape == Shape::list) {
      parent.value.items.push_back(std::move(value));
      return;
    }
    parent.value.entries.push_back({std::move(parent.key), std::move(parent.key_where), std::move(value)});
    parent.has_key = false;
  }

  Position origin_;
  LineIndex lines_;
  mutable std::size_t counted_line_ = 0;
  mutable std::size_t counted_byte_ = 0;
  mutable std::size_t counted_characters_ = 0;
  ParseLimits limits_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<Open> open_;
  Value root_;
  YAML::Mark last_quoted_ = YAML::Mark::null_mark();
  bool has_root_ = false;
  bool seen_document_ = false;
  std::size_t values_ = 0;
};

}  // namespace strata::config
