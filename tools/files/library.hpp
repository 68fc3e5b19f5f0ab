// SPDX-License-Identifier: Apache-2.0
// The place of configurations and expectations: the folders `configs` and `validation` next to
// the program's folder, or under its share/strata.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "config/inherit.hpp"

namespace strata::tools {

class Library {
 public:
  /// Searches next to the running program. Throws InputError if they are not found.
  static Library beside_program();
  explicit Library(std::filesystem::path root) : root_(std::move(root)) {}

  /// Names of configs/vendors, sorted.
  std::vector<std::string> gpus() const { return names("configs/vendors"); }
  /// Names of configs/lessons, sorted: small machines that are no products.
  std::vector<std::string> lessons() const { return names("configs/lessons"); }
  /// Whether it is a name of one of these, as against a file of the user's.
  bool comes_along(const std::string& name) const;
  /// The configuration of a name or of a file. Throws InputError.
  config::Source gpu(const std::string& name_or_file) const;
  /// Bases and parts for files that build on others.
  config::Library configurations() const;
  /// Every file of validation/expectations, sorted by name.
  std::vector<config::Source> expectations() const;

 private:
  std::vector<std::string> names(const std::string& folder) const;
  std::filesystem::path root_;
};

}  // namespace strata::tools
