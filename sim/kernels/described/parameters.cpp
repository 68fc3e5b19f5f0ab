// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/described/described.hpp"
#include "kernels/described/grammar.hpp"

namespace strata::kernels {

namespace {

using config::Value;

using grammar::is_digit;
using grammar::is_letter;

// Not a number with or without a unit, which the schema reads, nor an attempt at one.
bool is_expression(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  if (text.empty()) return false;
  if (!is_digit(text.front()))
    return is_letter(text.front()) || std::string_view("(-!~").find(text.front()) != std::string_view::npos;
  return text.find_first_of("+-*%()<>&|^?!~=") != std::string_view::npos || text.find(" / ") != std::string_view::npos;
}

std::int64_t constant_value(const Value& text, const Scope& scope) {
  const Expression expression(text, scope);
  if (expression.varies() != Varies::no)
    throw InputError(
        text.where.diagnostic(fmt::format("'{}' differs from thread to thread or from block to block", text.text),
                              "this number is the same for the whole kernel: use numbers and parameters"));
  try {
    return expression.value({});
  } catch (const ExpressionFault& fault) {
    throw InputError(text.where.diagnostic(fmt::format("'{}' {}", text.text, fault.what())));
  }
}

Value scalar(const std::string& text, const config::Position& where) {
  Value value;
  value.text = text;
  value.where = where;
  return value;
}

class ParameterBinder {
 public:
  ParameterBinder(const Value& given, const Scope& reserved, const std::vector<std::string>& settings)
      : given_(given), reserved_(reserved) {
    scope_.note_uses(&used_);
    for (const config::Entry& entry : given.entries) {
      config::FieldInfo field;
      field.name = entry.key;
      field.kind = "integer";
      field.number = true;
      info_->fields.push_back(std::move(field));
    }
    set_.shape = config::Shape::map;
    std::vector<Diagnostic> diagnostics;
    for (const std::string& setting : settings) config::apply_override(set_, *info_, setting, diagnostics, "parameter");
    for (Diagnostic& diagnostic : diagnostics) diagnostic.file = "--kernel";
    if (!diagnostics.empty() && info_->fields.empty()) diagnostics.front().hint = "the file has no 'parameters'";
    throw_if_any(std::move(diagnostics));
  }

  BoundParameters bind() {
    std::vector<Diagnostic> diagnostics;
    for (std::size_t i = 0; i < given_.entries.size(); ++i) {
      try {
        bind_one(given_.entries[i], info_->fields[i]);
      } catch (const InputError& error) {
        diagnostics.insert(diagnostics.end(), error.diagnostics().begin(), error.diagnostics().end());
        // Those after it may use it.
        scope_.add_constant(given_.entries[i].key, 1);
        if (diagnostics.size() > 20) break;
      }
    }
    throw_if_any(std::move(diagnostics));
    return {std::move(values_), std::move(info_), std::move(used_)};
  }

 private:
  void bind_one(const config::Entry& entry, config::FieldInfo& field) {
    check_name(entry.key, entry.where, "parameter", reserved_);
    DescribedParameter described;
    const Value* text = &entry.value;
    if (entry.value.shape == config::Shape::map) {
      std::vector<Diagnostic> diagnostics;
      config::Reader reader(diagnostics);
      DescribedParameter::schema().read(entry.value, "parameters." + entry.key, described, reader);
      throw_if_any(std::move(diagnostics));
      text = entry.value.find("default");
    } else if (entry.value.shape == config::Shape::list) {
      throw InputError(
          entry.where.diagnostic(fmt::format("'parameters.{}' must be a number or a map, not a list", entry.key),
                                 "as in 'n: 1024' or 'n: {default: 1024, least: 1, most: 4096}'"));
    }
    field.meaning = described.meaning;
    const std::int64_t standing = constant_value(*text, scope_);
    field.default_text = std::to_string(standing);
    const auto bound = [&](const char* key, std::int64_t otherwise) {
      const Value* given = entry.value.find(key);
      return given == nullptr ? otherwise : constant_value(*given, scope_);
    };
    const std::int64_t least = bound("least", std::numeric_limits<std::int64_t>::min());
    const std::int64_t most = bound("most", std::numeric_limits<std::int64_t>::max());
    field.range = described.least && described.most ? fmt::format("{} to {}", least, most)
                  : described.least                 ? fmt::format("at least {}", least)
                  : described.most                  ? fmt::format("at most {}", most)
                                                    : std::string();
    std::int64_t value = standing;
    const Value* chosen = set_.find(entry.key);
    if (chosen != nullptr) {
      Value named = scalar(chosen->text, chosen->where);
      named.where.file = std::make_shared<const std::string>("--kernel");
      if (chosen->shape != config::Shape::scalar)
        throw InputError(named.where.diagnostic(fmt::format("'{}' must be a number", entry.key)));
      value = constant_value(named, scope_);
      text = chosen;
    }
    if (value < least || value > most) {
      const config::Position& where = chosen != nullptr ? chosen->where : text->where;
      Diagnostic diagnostic =
          where.diagnostic(fmt::format("'{}' must be {}, not '{}'", entry.key, field.range, text->text));
      if (chosen != nullptr) diagnostic.file = "--kernel";
      throw InputError(std::move(diagnostic));
    }
    scope_.add_constant(entry.key, value);
    values_.emplace_back(entry.key, value);
  }

  const Value& given_;
  const Scope& reserved_;
  Scope scope_;
  Value set_;
  std::shared_ptr<config::SchemaInfo> info_ = std::make_shared<config::SchemaInfo>();
  std::vector<std::pair<std::string, std::int64_t>> values_;
  std::set<std::string> used_;
};

}  // namespace

Value load_kernel_tree(const config::Source& source) {
  try {
    return config::load_tree(source, {});
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) {
      const auto tells = [&](const char* what) { return diagnostic.message.find(what) != std::string::npos; };
      const auto add = [&](const char* hint) {
        diagnostic.hint += (diagnostic.hint.empty() ? "" : "; ") + std::string(hint);
      };
      if (tells("has no value") || tells("not valid YAML") || tells("tags ("))
        add("an expression that holds ',' or ': ' or begins with '!', '&', '*' or '%' needs quotes");
      else if (tells("is not a provenance"))
        add("write the operator '|' without blanks around it");
    }
    throw InputError(std::move(diagnostics));
  }
}

BoundParameters bind_parameters(const Value& tree, const Scope& reserved, const std::vector<std::string>& settings) {
  constexpr std::size_t most_parameters = 64;
  Value none;
  none.shape = config::Shape::map;
  const Value* given = tree.find("parameters");
  if (given != nullptr && given->shape != config::Shape::map)
    throw InputError(given->where.diagnostic("'parameters' must be a map", "as in 'parameters: {n: 1024}'"));
  if (given != nullptr && given->entries.size() > most_parameters)
    throw InputError(given->where.diagnostic(fmt::format("there are more than {} parameters", most_parameters)));
  return ParameterBinder(given != nullptr ? *given : none, reserved, settings).bind();
}

void evaluate_numbers(Value& map, const config::SchemaInfo& schema, const Scope& scope, config::Reader& reader) {
  for (config::Entry& entry : map.entries) {
    const config::FieldInfo* field = schema.find(entry.key);
    if (field == nullptr) continue;
    if (field->child && field->shape == config::Shape::list)
      for (Value& item : entry.value.items) evaluate_numbers(item, *field->child, scope, reader);
    Value& value = entry.value;
    if (!field->number || value.shape != config::Shape::scalar || !is_expression(value.text)) continue;
    try {
      value.text = std::to_string(constant_value(value, scope)) + (field->units.empty() ? "" : " B");
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) {
        config::Position where = value.where;
        where.line = diagnostic.line;
        where.column = diagnostic.column;
        reader.error(where, diagnostic.message, diagnostic.hint);
      }
      value.text = std::string(field->units.empty() ? "1" : "64 B");
    }
  }
}

void check_name(const std::string& name, const config::Position& where, const char* what, const Scope& scope) {
  if (!is_name(name) || name == "none")  // which leaves a field out
    throw InputError(where.diagnostic(fmt::format("'{}' is not a name for a {}", name, what),
                                      "a letter, then letters, digits or '_', 64 at most, and not 'none'"));
  if (scope.knows(name))
    throw InputError(where.diagnostic(fmt::format("'{}' is already defined and cannot name a {}", name, what),
                                      "choose another name"));
}

}  // namespace strata::kernels
