// SPDX-License-Identifier: Apache-2.0
#include "config/schema/field_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace strata::config {

namespace {

std::string remedy_at(const std::string& path, std::string_view remedy) {
  std::string out;
  for (const char c : remedy)
    if (c == '@')
      out += Reader::join(path, "");
    else
      out += c;
  return out;
}

}  // namespace

FieldTable::FieldTable(std::string_view name, std::string_view meaning) : info_(std::make_shared<SchemaInfo>()) {
  info_->name = name;
  info_->meaning = meaning;
}
FieldTable::FieldTable(const FieldTable&) = default;
FieldTable::FieldTable(FieldTable&&) noexcept = default;
FieldTable& FieldTable::operator=(const FieldTable&) = default;
FieldTable& FieldTable::operator=(FieldTable&&) noexcept = default;
FieldTable::~FieldTable() = default;

void FieldTable::add(const Words& words, std::size_t offset, const void* defaults,
                     std::shared_ptr<const AnyCodec> codec) {
  FieldInfo about;
  about.name = words.name;
  about.meaning = words.meaning;
  about.required = words.required;
  if (info_->find(words.name) != nullptr) throw std::logic_error("field '" + about.name + "' is described twice");
  for (const char* reserved : {"base", "use", "provenance"}) {
    if (words.name == reserved) throw std::logic_error("'" + about.name + "' is a word of the configuration itself");
  }
  codec->describe(about);
  if (!words.required) about.default_text = codec->show_default(static_cast<const std::byte*>(defaults) + offset);
  info_->fields.push_back(std::move(about));
  fields_.push_back({offset, std::move(codec)});
}

void FieldTable::check(std::string_view field, Test test) {
  if (info_->find(field) == nullptr) throw std::logic_error("no field '" + std::string(field) + "' to check");
  checks_.push_back({std::string(field), std::move(test)});
}

void FieldTable::read(const Value& map, const std::string& path, void* spec, Reader& reader) const {
  const std::size_t errors = reader.count();
  if (!reader.expects(map, Shape::map, path, info_->meaning)) return;
  reader.refuse_unknown(map, *info_, path);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const FieldInfo& about = info_->fields[i];
    if (const Value* value = map.find(about.name)) {
      fields_[i].codec->read(*value, Reader::join(path, about.name), static_cast<std::byte*>(spec) + fields_[i].offset,
                             reader);
    } else if (about.required) {
      reader.missing(map, about, path);
    }
  }
  if (reader.count() != errors) return;
  for (const Check& check : checks_) {
    const std::string wrong = check.test(spec);
    if (wrong.empty()) continue;
    const Value* value = map.find(check.field);
    const std::size_t end = std::min(wrong.find('\n'), wrong.size());
    reader.error(value != nullptr ? value->where : map.where,
                 "'" + Reader::join(path, check.field) + "' " + wrong.substr(0, end),
                 remedy_at(path, std::string_view(wrong).substr(std::min(end + 1, wrong.size()))));
  }
}

Effective FieldTable::effective(const void* spec, const Value* map) const {
  Effective node;
  node.shape = Shape::map;
  if (map != nullptr && map->shape != Shape::map) map = nullptr;
  if (map != nullptr) node.set_by = map->where;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string& name = info_->fields[i].name;
    Effective child = fields_[i].codec->effective(static_cast<const std::byte*>(spec) + fields_[i].offset,
                                                  map != nullptr ? map->find(name) : nullptr);
    child.key = name;
    node.children.push_back(std::move(child));
  }
  return node;
}

}  // namespace strata::config
