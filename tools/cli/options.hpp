// SPDX-License-Identifier: Apache-2.0
// Options of a verb, on Boost.Program_options, with the program's messages for errors: the
// option, the remedy, the nearest valid name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>
#include <boost/program_options.hpp>

#include "base/quantity.hpp"
#include "verbs.hpp"

namespace strata::cli {

namespace po = boost::program_options;

/// Throws InputError about the option of that name.
[[noreturn]] void refuse_option(const std::string& name, std::string message, std::string hint = {});

class Options {
 public:
  /// usage: the text after "usage: strata "; example: one whole command.
  Options(std::string usage, std::string purpose, std::string example);

  po::options_description& description() { return description_; }
  const po::options_description& description() const { return description_; }
  const std::string& usage() const { return usage_; }
  const std::string& purpose() const { return purpose_; }
  const std::string& example() const { return example_; }
  /// The question whose options are among these, where a verb has questions; else empty.
  void set_question(std::string_view name) { question_ = name; }
  const std::string& question() const { return question_; }
  /// Words without an option, in order, go to the option of that name.
  void positional(const std::string& name, int most) {
    positional_.add(name.c_str(), most);
    positional_name_ = name;
  }
  /// The option that words without one go to; empty where there is none.
  const std::string& positional_name() const { return positional_name_; }

  /// False if --help was given and printed. Throws InputError.
  bool parse(const Arguments& arguments);

  bool has(const std::string& name) const { return values_.count(name) > 0 && !values_[name].defaulted(); }
  template <class T>
  const T& get(const std::string& name) const {
    return values_[name].as<T>();
  }
  std::optional<std::string> text(const std::string& name) const {
    return values_.count(name) > 0 ? std::optional(get<std::string>(name)) : std::nullopt;
  }
  std::vector<std::string> texts(const std::string& name) const {
    return values_.count(name) > 0 ? get<std::vector<std::string>>(name) : std::vector<std::string>{};
  }
  /// Whether it was given and takes one value only, so that get() has it.
  bool holds_one(const std::string& name) const {
    return values_.count(name) > 0 && values_[name].value().type() == typeid(std::string);
  }
  /// A size with a unit, such as 4GiB.
  Bytes size(const std::string& name) const;
  /// A whole number from least to most.
  std::uint64_t count(const std::string& name, std::uint64_t least, std::uint64_t most) const;
  /// Of an address, decimal or as 0x1000.
  std::uint64_t address(const std::string& name) const;
  double real(const std::string& name, double least, double most) const;
  /// The position of the text among names.
  std::size_t choice(const std::string& name, const std::vector<std::string>& names) const;

 private:
  std::string first_too_many(const Arguments& arguments) const;

  std::string usage_;
  std::string purpose_;
  std::string example_;
  std::string question_;
  po::options_description description_;
  po::positional_options_description positional_;
  std::string positional_name_;
  po::variables_map values_;
};

/// The options that name files to write, one for each form of the answer.
struct Outputs {
  std::optional<std::string> json, csv, svg, html, title;
  std::vector<std::string> labels;  ///< of --label, where the verb has one

  static void describe(po::options_description& description, bool drawing);
  explicit Outputs(const Options& options);
  /// Throws InputError now rather than after the run. most_labels: of curves or machines.
  void check(std::size_t most_labels = 1) const;
  /// Whether some output goes to stdout, so that the table must not.
  bool claims_stdout() const;
  /// The user's title of drawings and pages, otherwise the standard one.
  std::string titled(std::string standard) const { return title.value_or(std::move(standard)); }
  /// The user's name of the i-th curve or machine, otherwise the standard one.
  std::string labelled(std::string standard, std::size_t i = 0) const {
    return i < labels.size() ? labels[i] : std::move(standard);
  }
};

}  // namespace strata::cli
