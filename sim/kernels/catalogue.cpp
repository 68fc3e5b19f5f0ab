// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"
#include "config/schema/reference.hpp"
#include "kernels/kinds.hpp"

namespace strata::kernels {

std::span<const KernelKind> kernel_kinds() {
  static const std::vector<KernelKind> all = [] {
    std::vector<KernelKind> rows;
    for (const auto group :
         {streaming_kinds(), array_pass_kinds(), irregular_kinds(), atomic_kinds(), sharing_kinds(),
          synchronizing_kinds(), transpose_kinds(), product_kinds(), tensor_kinds(), grid_kinds(), arithmetic_kinds()})
      rows.insert(rows.end(), group.begin(), group.end());
    return rows;
  }();
  return all;
}

const KernelKind* find_kernel(std::string_view name) {
  for (const KernelKind& row : kernel_kinds())
    if (row.name == name) return &row;
  return nullptr;
}

std::unique_ptr<trace::Kernel> make_kernel(std::string_view text, const Target& target) {
  const std::string_view name = text.substr(0, text.find(','));
  const KernelKind* const found = find_kernel(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const KernelKind& row : kernel_kinds()) names.emplace_back(row.name);
    throw InputError(Diagnostic{"--kernel", 0, 0,
                                fmt::format("there is no kernel '{}'; `strata list kernels` lists "
                                            "all of them",
                                            name),
                                did_you_mean(nearest_name(std::string(name), names))});
  }
  std::vector<std::string> settings;
  for (std::size_t at = name.size(); at < text.size();) {
    const std::size_t end = std::min(text.find(',', at + 1), text.size());
    settings.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  try {
    return found->make(settings, target);
  } catch (const std::invalid_argument& error) {
    throw InputError(Diagnostic{"--kernel", 0, 0, error.what(), {}});
  }
}

std::string reference_page() {
  std::string page =
      "# Built-in kernels\n\n"
      "`build/strata list kernel-reference` prints this page. Notation: bx, by, bz block index,\n"
      "tx, ty thread index, G blocks, B threads of a block; accesses in program order; arrays lie\n"
      "in the order named, from 2 MiB on, those of 2 MiB or more at a multiple of 2 MiB, smaller\n"
      "ones at a multiple of 512 B. Instructions are counted for warps of 32 lanes.\n\n";
  for (const KernelKind& row : kernel_kinds()) {
    page += fmt::format(
        "## {}\n\n{}.\n\n{}\n\n| parameter | meaning | kind | range | default |\n"
        "| --- | --- | --- | --- | --- |\n",
        row.name, row.meaning, row.streams);
    const auto info = row.parameters();
    for (const config::FieldInfo& field : info->fields)
      page += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.name, field.meaning, field.kind,
                          config::range_text(field), field.default_text);
    for (const config::FieldInfo& field : info->fields)
      for (const config::ChoiceInfo& choice : field.choices)
        if (choice.meaning != choice.name)
          page += fmt::format("\n`{}={}`: {}.\n", field.name, choice.name, choice.meaning);
    page += '\n';
  }
  page.pop_back();
  return page;
}

}  // namespace strata::kernels
