// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/expectation.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <utility>

#include "base/text_distance.hpp"
#include "config/schema/scalar.hpp"
#include "config/yaml/parse.hpp"
#include "machine/peaks.hpp"
#include "study/expectation/schema.hpp"
#include "study/expectation/tree.hpp"

namespace strata::study {

namespace {

using Diagnostics = std::vector<Diagnostic>;

// Turns one entry as written into a valid one, or reports the error.
class Resolver {
 public:
  Resolver(std::string gpu, Diagnostics& diagnostics) : gpu_(std::move(gpu)), diagnostics_(diagnostics) {}

  Expectation resolve(written::Entry entry, const config::Value& value) {
    value_ = &value;
    id_ = entry.id;
    Expectation out{entry.id,
                    {},
                    entry.quantity,
                    entry.kind,
                    entry.source,
                    entry.why,
                    {},
                    0,
                    entry.tolerance ? entry.tolerance->value : 0,
                    {},
                    {},
                    Relation::equal,
                    value.where};
    if (entry.kind == Kind::ordering) {
      resolve_ordering(entry, out);
    } else {
      resolve_figure(entry, out);
    }
    if (entry.tolerance && entry.absolute) tell("absolute", "has tolerance and absolute; one of them");
    if (out.tolerance > 0 && out.why.empty()) tell("tolerance", "has a tolerance without 'why'");
    if (entry.absolute) out.absolute = absolute(*entry.absolute, out.measure.unit);
    return out;
  }

 private:
  void tell(const char* key, const std::string& message, std::string hint = {}) {
    const config::Value* at = value_->find(key);
    diagnostics_.push_back(
        (at == nullptr ? value_->where : at->where).diagnostic(fmt::format("'{}' {}", id_, message), std::move(hint)));
  }

  void resolve_figure(written::Entry& entry, Expectation& out) {
    if (entry.left || entry.right || entry.relation)
      tell("left", "is not an ordering and must not have left, right or relation");
    if (gpu_.empty()) tell("id", "has no GPU: the file has no 'gpu'");
    if (!entry.measure || !entry.unit || !entry.expect) {
      tell("id", "needs measure, unit and expect");
      return;
    }
    if (!entry.measure->gpu.empty()) tell("measure", "has the GPU of its file and names none");
    if (!entry.measure->is_curve() && entry.measure->in_unit)
      tell("measure", "has its unit beside 'expect'; only a curve has another for its points");
    if (entry.measure->is_curve()) {
      resolve_curve(*entry.measure);
      if (*entry.expect != 0) tell("expect", "is a curve: the error that is expected is 0");
    } else if (*entry.expect == 0 && !entry.absolute) {
      tell("expect", "expects 0, so its tolerance must be absolute");
    }
    out.gpu = gpu_;
    entry.measure->gpu = gpu_;
    out.expect = *entry.expect;
    out.measure = measure("measure", *entry.measure, *entry.unit);
  }

  void resolve_curve(written::Measure& curve) {
    const bool of_latencies = curve.curve.has_value();
    curve.curve_unit = unit("measure", curve.in_unit.value_or(of_latencies ? "clk" : "GB/s"));
    const Dimension d = curve.curve_unit.dimension;
    if (of_latencies && d != Dimension::cycles && d != Dimension::time)
      tell("measure", "has a curve in a unit other than clk and ns");
    if (!of_latencies && !is_rate(d)) tell("measure", "has a bandwidth curve in a unit other than B/s, B/clk and clk");
  }

  static bool is_rate(Dimension d) {
    return d == Dimension::bandwidth || d == Dimension::width || d == Dimension::cycles;
  }

  void resolve_ordering(written::Entry& entry, Expectation& out) {
    if (entry.measure || entry.unit || entry.expect || entry.absolute)
      tell("measure", "is an ordering and must not have measure, unit, expect or absolute");
    if (!entry.left || !entry.right || !entry.relation) {
      tell("id", "is an ordering and needs left, relation and right");
      return;
    }
    out.measure = side("left", *entry.left);
    out.right = side("right", *entry.right);
    out.gpu = out.measure.gpu;
    out.relation = *entry.relation;
    if (out.measure.unit.name != out.right->unit.name) tell("right", "has sides in different units");
    if ((out.relation == Relation::equal) != entry.tolerance.has_value())
      tell("relation", "has a tolerance where the relation is ~, and only there");
  }

  Measure side(const char* key, written::Measure& written) {
    if (written.gpu.empty()) tell(key, "has a side without 'gpu'");
    if (written.is_curve()) tell(key, "has a curve as a side");
    if (!written.in_unit) tell(key, "has a side without 'unit'");
    return measure(key, written, written.in_unit.value_or("count"));
  }

  // One form, a unit that fits, and parts with distinct labels.
  Measure measure(const char* key, const written::Measure& written, const std::string& unit_name) {
    Measure out = static_cast<const Measure&>(written);
    out.unit = unit(out.is_curve() || key != std::string_view("measure") ? key : "unit", unit_name);
    check_form(key, out, (out.curve ? 1 : 0) + (out.bandwidth_curve ? 1 : 0));
    for (auto* part : {&out.minus, &out.over}) {
      if (!*part) continue;
      check_form(key, **part, 0);
      if ((*part)->gpu.empty()) (*part)->gpu = out.gpu;
    }
    if ((out.minus && out.over) || (out.is_curve() && (out.minus || out.over)))
      tell(key, "is relative to at most one other measure, and a curve to none");
    if (!fits(out)) tell(key, fmt::format("cannot be measured in {}", out.unit.name));
    check_slowest(key, out);
    return out;
  }

  // The share of the slowest core is known of a steady rate, by itself.
  void check_slowest(const char* key, const Measure& m) {
    const auto asked = [](const BandwidthAt& stream) { return stream.of == Whose::slowest; };
    const auto of = [&](const std::optional<Form>& part) { return part && part->bandwidth && asked(*part->bandwidth); };
    const bool by_itself = m.bandwidth && asked(*m.bandwidth);
    const auto in_curve = [&] { return m.bandwidth_curve && std::ranges::any_of(m.bandwidth_curve->points, asked); };
    if ((by_itself && (m.minus || m.over)) || of(m.minus) || of(m.over) || (m.bottleneck && asked(*m.bottleneck)) ||
        in_curve())
      tell(key, "has the slowest core of a bandwidth in a difference, a quotient, a curve or a bottleneck");
    if (!by_itself) return;
    if (m.bandwidth->lockstep || m.bandwidth->whole || m.bandwidth->sharing == Sharing::turns)
      tell(key, "has the slowest core of a bandwidth with lockstep, whole or turns, which have no steady rate");
  }

  static Dimension dimension_of(KernelFigure figure) {
    switch (figure) {
      case KernelFigure::time:
        return Dimension::time;
      case KernelFigure::l1_hits:
      case KernelFigure::l2_hits:
        return Dimension::ratio;
      case KernelFigure::dram_read:
      case KernelFigure::dram_written:
        return Dimension::size;
      default:
        return Dimension::count;
    }
  }

  static bool fits(const Measure& measure) {
    const Dimension d = measure.unit.dimension;
    if (measure.over) return d == Dimension::ratio;
    if (measure.is_curve()) return d == Dimension::percent;
    if (measure.knee) return d == Dimension::size;
    if (measure.latency || measure.handoff) return d == Dimension::cycles || d == Dimension::time;
    if (measure.bandwidth) return measure.bandwidth->of == Whose::slowest ? d == Dimension::ratio : is_rate(d);
    if (measure.bottleneck) return d == Dimension::count;
    if (measure.kernel)
      return d == dimension_of(measure.kernel->figure) ||
             (measure.kernel->figure == KernelFigure::time && d == Dimension::cycles);
    return d != Dimension::ratio && d != Dimension::percent;
  }

  void check_form(const char* key, const Form& form, int curves) {
    const int forms = curves + (form.latency ? 1 : 0) + (form.knee ? 1 : 0) + (form.bandwidth ? 1 : 0) +
                      (form.bottleneck ? 1 : 0) + (form.kernel ? 1 : 0) + (form.handoff ? 1 : 0) +
                      (form.setting ? 1 : 0) + (form.peak ? 1 : 0);
    if (forms != 1)
      tell(key, fmt::format("has {} of latency, knee, curve, bandwidth, bandwidth_curve, bottleneck, kernel, "
                            "handoff, setting and peak; exactly one is needed",
                            forms));
    if (form.knee && form.knee->to.value < 2 * form.knee->stride.value)
      tell(key, "has a knee narrower than its stride");
    if (form.knee && form.knee->from >= form.knee->to) tell(key, "has a knee that ends before it begins");
    if (!form.peak) return;
    std::vector<std::string> names;
    for (const machine::Peak& peak : machine::peaks()) names.emplace_back(peak.name);
    for (const std::string& known : names)
      if (known == *form.peak) return;
    tell(key, fmt::format("has an unknown peak '{}'; there are {}", *form.peak, fmt::join(names, ", ")),
         did_you_mean(nearest_name(*form.peak, names)));
  }

  Unit unit(const char* key, const std::string& unit_name) {
    if (const Unit* found = find_unit(unit_name)) return *found;
    tell(key, fmt::format("has an unknown unit '{}'; there are {}", unit_name, fmt::join(unit_names(), ", ")),
         did_you_mean(nearest_name(unit_name, unit_names())));
    return {};
  }

  // "0.5 clk", in the unit of the row itself.
  double absolute(const std::string& text, const Unit& of_row) {
    const std::size_t gap = text.find(' ');
    const std::string number = text.substr(0, gap);
    const config::Reading<double> reading = config::read_number<double>(number);
    if (gap == std::string::npos || !reading.error.empty() || reading.value < 0 || text.substr(gap + 1) != of_row.name)
      tell("absolute", fmt::format("must be an absolute tolerance such as '1 {}', not '{}'", of_row.name, text));
    return reading.value;
  }

  std::string gpu_;
  Diagnostics& diagnostics_;
  const config::Value* value_ = nullptr;
  std::string id_;
};

std::vector<Expectation> read_file(const config::Source& source, Diagnostics& diagnostics) {
  std::vector<Expectation> out;
  config::Value tree;
  try {
    tree = config::parse(source.text, source.file);
  } catch (const InputError& error) {
    diagnostics.insert(diagnostics.end(), error.diagnostics().begin(), error.diagnostics().end());
    return out;
  }
  written::spell_out_the_points(tree);
  const std::size_t before = diagnostics.size();
  written::File file = config::bind_spec(tree, written::file_schema(), diagnostics);
  if (diagnostics.size() != before) return out;
  Resolver resolver(file.gpu, diagnostics);
  const config::Value& entries = *tree.find("expectations");
  for (std::size_t i = 0; i < file.expectations.size(); ++i)
    out.push_back(resolver.resolve(std::move(file.expectations[i]), entries.items[i]));
  return out;
}

}  // namespace

std::vector<Expectation> read_expectations(std::span<const config::Source> files) {
  Diagnostics diagnostics;
  std::vector<Expectation> all;
  for (const config::Source& source : files)
    for (Expectation& expectation : read_file(source, diagnostics)) all.push_back(std::move(expectation));
  std::map<std::string, const Expectation*> by_id;
  for (const Expectation& expectation : all) {
    const auto [first, fresh] = by_id.emplace(expectation.id, &expectation);
    if (!fresh)
      diagnostics.push_back(expectation.where.diagnostic(
          fmt::format("'{}' is the id of {} already", expectation.id, first->second->where.text())));
  }
  throw_if_any(std::move(diagnostics));
  return all;
}

std::vector<Expectation> read_expectations(const config::Source& file) {
  return read_expectations(std::span<const config::Source>(&file, 1));
}

}  // namespace strata::study
