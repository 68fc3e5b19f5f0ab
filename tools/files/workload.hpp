// SPDX-License-Identifier: Apache-2.0
// Traces of any form, recognised by their first bytes, as a launch list or into
// another form.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "formats/import/import.hpp"
#include "formats/native/reader.hpp"
#include "kernels/catalogue.hpp"

namespace strata::tools {

enum class TraceForm : std::uint8_t { native, text, accel_sim_list, accel_sim_kernel, nvbit, csv };
const char* name(TraceForm form);

/// By the first bytes and, for lists, the name. A folder means its kernelslist.g. Throws
/// InputError if it is not a trace.
TraceForm form_of(const std::filesystem::path& path);

/// A form other than native, through the sink. Throws InputError.
void import_trace(const std::filesystem::path& path, TraceForm form, formats::KernelSink& sink,
                  formats::ImportReport& report);

/// A built-in kernel, NAME[,parameter=value...], or a user-defined one,
/// FILE.yaml[,parameter=value...]. Throws InputError.
std::unique_ptr<trace::Kernel> open_kernel(const std::string& text, const kernels::Target& target);
/// Generates its instructions without a machine, up to so many, so that indices outside their arrays are reported.
/// Returns how many. Throws InputError.
std::uint64_t generate(trace::Kernel& kernel, std::uint64_t most);
/// FILE.yaml of FILE.yaml[,parameter=value...]; empty: no such text.
std::string kernel_file_of(const std::string& text);
/// Its parameters; null if there is no such built-in kernel. Throws InputError if those of a
/// file, or their values in the text, are invalid.
std::shared_ptr<const config::SchemaInfo> parameters_of(const std::string& text);

/// A trace of any form as a native one. Other forms are imported to a temporary file that is
/// removed afterwards.
std::shared_ptr<formats::ByteSource> native_form(const std::filesystem::path& path, formats::ImportReport& report);
/// Its kernels.
trace::LaunchList open_workload(const std::filesystem::path& path, formats::ImportReport& report);

}  // namespace strata::tools
