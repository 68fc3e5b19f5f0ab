// SPDX-License-Identifier: Apache-2.0
// The varied parameters of a sweep: --vary and --zip as read, with the GPUs, and the grids of the
// parameters of the machine and of those of the question.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "config/effective.hpp"
#include "gpu.hpp"
#include "options.hpp"
#include "report/sweep/sweep.hpp"
#include "study/sweep/sweep.hpp"
#include "study/sweep/values.hpp"

namespace strata::cli {

/// The GPUs of a sweep: those that --vary gpu= names, in that order, else that of --gpu. --set
/// holds for each. Throws InputError, also where both name GPUs.
std::vector<Gpu> load_sweep_gpus(const tools::Library& library, const Options& options);

struct VariedThing {
  study::Variation variation;
  report::SweepPart part = report::SweepPart::configuration;
  std::size_t link = 0;  ///< those of one number are linked; the index of the first of them
};

/// Names for --vary in addition to settings: the options of the question.
struct QuestionOptions {
  std::string_view question;
  const po::options_description& described;
  const Options& untouched;  ///< parsed without arguments: the defaults of the options
};

/// The bound value of a setting; empty where there is none.
std::string setting_text(const config::Effective& root, std::string_view path);

bool is_switch(const po::option_description& option);
/// Null for none.
const po::option_description* find_option(const po::options_description& described, std::string_view name);

/// Reads --vary and --zip. Throws InputError: a path that is neither a setting of any of the GPUs
/// nor an option, one that is varied twice or also set, invalid values, links of parameters that
/// are not varied or have another number of values.
std::vector<VariedThing> read_varied(const std::vector<Gpu>& gpus, const QuestionOptions& question,
                                     const Options& given);

/// The varied parameters that determine one part of a point, and their grid.
struct Wheels {
  std::vector<std::size_t> axes;
  study::SweepGrid grid{{}};
  std::size_t own_point(const std::vector<std::size_t>& choices) const;  ///< choices: of all varied things
};
Wheels all_wheels(const std::vector<VariedThing>& varied);
Wheels machine_wheels(const std::vector<VariedThing>& varied);
Wheels question_wheels(const std::vector<VariedThing>& varied);

}  // namespace strata::cli
