// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text_distance.hpp"
#include "config/schema/scalar.hpp"
#include "kernels/arrays.hpp"
#include "kernels/described/built_in_names.hpp"
#include "kernels/described/parameters.hpp"
#include "kernels/described/program.hpp"
#include "kernels/described/register_names.hpp"
#include "kernels/described/step_rules.hpp"

namespace strata::kernels {

namespace {

using config::Value;

// From the tree of a file to a kernel that can run.
class Resolver {
 public:
  Resolver(const config::Source& source, const Target& target, const std::vector<std::string>& settings)
      : file_(source.file), target_(target), tree_(load_kernel_tree(source)), scope_(built_in_names(target)) {
    BoundParameters bound = bind_parameters(tree_, reserved_names(), settings);
    for (const auto& [name, value] : bound.values) scope_.add_constant(name, value);
    scope_.note_uses(&bound.used);
    config::Reader reader(diagnostics_);
    read_definitions();
    // Each may be used by those after it.
    evaluate_shape("threads", "threads_y", 256, reader);
    evaluate_shape("blocks", "blocks_y", 1, reader);
    evaluate_numbers(tree_, *DescribedKernel::schema().info(), scope_, reader);
    DescribedKernel::schema().read(tree_, "", given_, reader);
    whole_ = reader.count() == 0 && diagnostics_.empty();
    if (whole_) place_arrays();
    read_steps(given_.body, "body", 0, Varies::no, reader);
    scope_.note_uses(nullptr);
    if (reader.count() == 0 && diagnostics_.empty()) {
      names_.check(reader);
      check_uses(settings, bound.used, reader);
    }
    reader.finish();
    throw_if_any(std::move(diagnostics_));
  }

  std::unique_ptr<trace::Kernel> kernel() {
    kernel_.loop = given_.loop;
    kernel_.tensor_columns = given_.tensor_columns;
    kernel_.code_bytes = given_.code_bytes;
    trace::KernelInfo info;
    info.name = given_.name;
    info.grid = {static_cast<std::uint32_t>(given_.blocks), static_cast<std::uint32_t>(given_.blocks_y), 1};
    info.block = {static_cast<std::uint32_t>(given_.threads), static_cast<std::uint32_t>(given_.threads_y), 1};
    info.registers_per_thread = static_cast<std::uint32_t>(given_.registers);
    info.shared_bytes = static_cast<std::uint32_t>(shared_);
    info.warp_width = target_.warp_width;
    info.past_l1 = std::ranges::any_of(kernel_.steps, [](const Step& step) {
      return step.past_l1 && step.operation == memory::Operation::load && !step.shared;
    });
    info.regions = memory_.regions();
    return std::make_unique<ProgramKernel<ResolvedKernel>>(std::move(info), std::move(kernel_), run_described);
  }

 private:
  using Step = ResolvedStep;
  static constexpr std::size_t most_steps = 1000;
  static constexpr std::size_t most_open = 8;

  [[noreturn]] void refuse(std::string what) const { throw InputError(Diagnostic{file_, 0, 0, std::move(what), {}}); }

  // Runs it and keeps the errors that it throws.
  template <class Do>
  void collect(Do action) {
    constexpr std::size_t most_kept = 100;
    try {
      action();
    } catch (const InputError& error) {
      if (diagnostics_.size() < most_kept)
        diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }

  void read_definitions() {
    const Value* define = tree_.find("define");
    if (define == nullptr || define->shape != config::Shape::map) return;
    for (const config::Entry& entry : define->entries) {
      collect([&] {
        check_name(entry.key, entry.where, "definition", reserved_names());
        check_name(entry.key, entry.where, "definition", scope_);
        if (entry.value.shape != config::Shape::scalar)
          throw InputError(entry.where.diagnostic(
              fmt::format("'define.{}' must be an expression, not {}", entry.key, name_of(entry.value.shape))));
        scope_.add_definition(entry.key, entry.value);
      });
    }
  }

  // The product of those two becomes a constant with the name of the first.
  void evaluate_shape(const char* x, const char* y, std::uint64_t otherwise, config::Reader& reader) {
    config::SchemaInfo both;
    for (const char* key : {x, y}) both.fields.push_back(*DescribedKernel::schema().info()->find(key));
    evaluate_numbers(tree_, both, scope_, reader);
    const auto count = [&](const char* key, std::uint64_t left_out) {
      const Value* value = tree_.find(key);
      if (value == nullptr) return left_out;
      const auto reading = config::read_number<std::uint64_t>(value->text);
      return reading.error.empty() ? reading.value : left_out;  // the error is reported when it is bound
    };
    scope_.add_constant(x, static_cast<std::int64_t>(count(x, otherwise) * count(y, 1)));
  }

  void place_arrays() {
    for (const DescribedArray& array : given_.arrays) {
      constexpr std::uint64_t most_shared = std::uint64_t{1} << 30U;
      if (array.shared && array.size.value > most_shared - shared_)
        refuse(fmt::format("array '{}': its arrays take more than 1 GiB of shared memory", array.name));
      try {
        bases_.push_back(array.shared ? shared_ : memory_.allocate(array.size.value, array.memory_die));
      } catch (const std::invalid_argument& error) {
        refuse(fmt::format("array '{}': {}", array.name, error.what()));
      }
      if (array.shared) shared_ += array.size.value;
    }
  }

  // around: how much threads differ in whether, and how often, they execute this step.
  void read_steps(const std::vector<Value>& items, const std::string& path, std::size_t open, Varies around,
                  config::Reader& reader) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (++steps_ == most_steps + 1)
        reader.error(items[i].where, fmt::format("there are more than {} steps in all", most_steps),
                     "split the kernel");
      if (steps_ > most_steps) return;
      Value item = items[i];
      const std::string here = fmt::format("{}[{}]", path, i);
      if (item.find("loop") != nullptr && item.find("op") == nullptr)
        read_loop(item, here, open, around, reader);
      else
        read_step(item, here, open, around, reader);
    }
  }

  void read_loop(const Value& item, const std::string& path, std::size_t open, Varies around, config::Reader& reader) {
    DescribedLoop loop;
    const std::size_t errors = reader.count();
    DescribedLoop::schema().read(item, path, loop, reader);
    if (reader.count() != errors) return;
    if (open == most_open)
      return reader.error(item.where, fmt::format("loops are nested more than {} deep", most_open),
                          "put two of them into one");
    const std::size_t begin = kernel_.steps.size();
    Step step;
    step.kind = Step::Kind::loop;
    step.loop = open;
    step.name = loop.loop;
    collect([&] {
      check_name(loop.loop, item.find("loop")->where, "counter", scope_);
      step.first = expression(item, "from", "0");
      step.last = expression(item, "to", "0");
      step.step = expression(item, "step", "1");
      step.when = expression(item, "when", "");
      if (step.step.varies() == Varies::by_lane)
        throw InputError(
            step.step.where().diagnostic(fmt::format("'{}' differs between the threads of a warp", step.step.text()),
                                         "the step of a loop is the same for all of them"));
      for (const Expression* part : {&step.first, &step.last, &step.step, &step.when})
        around = std::max(around, part->varies());
    });
    // Steps in a loop may use its counter, even if the loop has an error.
    const bool fresh = is_name(loop.loop) && !scope_.knows(loop.loop);
    if (fresh) scope_.add_variable(loop.loop, {Slot::counters + open, around});
    kernel_.steps.push_back(std::move(step));
    kernel_.most_open = std::max(kernel_.most_open, open + 1);
    read_steps(loop.body, path + ".body", open + 1, around, reader);
    if (fresh) scope_.remove_variable(loop.loop);
    Step end;
    end.kind = Step::Kind::end;
    end.loop = open;
    end.partner = begin;
    kernel_.steps[begin].partner = kernel_.steps.size();
    kernel_.steps.push_back(std::move(end));
  }

  Expression expression(const Value& map, const char* key, const char* otherwise) const {
    if (const Value* given = map.find(key)) return Expression(*given, scope_);
    if (*otherwise == '\0') return {};
    Value value;
    value.where = map.where;
    value.text = otherwise;
    return Expression(value, scope_);
  }

  void read_step(Value& item, const std::string& path, std::size_t open, Varies around, config::Reader& reader) {
    DescribedStep given;
    const std::size_t errors = reader.count();
    evaluate_numbers(item, *DescribedStep::schema().info(), scope_, reader);
    DescribedStep::schema().read(item, path, given, reader);
    if (reader.count() != errors || !whole_) return;
    collect([&] {
      check_step(item, given, path, open, around, scope_);
      add_step(item, given);
    });
  }

  // It would change nothing, without a word.
  void check_uses(const std::vector<std::string>& settings, const std::set<std::string>& used,
                  config::Reader& reader) const {
    for (const std::string& setting : settings)
      if (const std::string name = setting.substr(0, setting.find('=')); !used.contains(name))
        reader.error(tree_.find("parameters")->find(name)->where,
                     fmt::format("parameter '{}' is set, and nothing in the file uses it", name),
                     "use it in an expression, or leave it out of --kernel");
  }

  void add_step(const Value& item, const DescribedStep& step) {
    Step s;
    const auto words = static_cast<unsigned>((step.width + 3) / 4);
    s.index = expression(item, "index", "");
    s.when = expression(item, "when", "");
    if (is_access(step.op)) {
      s.operation = step.op == "load"    ? memory::Operation::load
                    : step.op == "store" ? memory::Operation::store
                                         : memory::Operation::atomic;
      const auto array = std::find_if(given_.arrays.begin(), given_.arrays.end(),
                                      [&](const DescribedArray& a) { return a.name == *step.array; });
      if (array == given_.arrays.end()) {
        std::vector<std::string> names;
        for (const DescribedArray& known : given_.arrays) names.push_back(known.name);
        throw InputError(
            item.find("array")->where.diagnostic(fmt::format("an array '{}' that is not described", *step.array),
                                                 did_you_mean(nearest_name(*step.array, names))));
      }
      s.name = array->name;
      s.shared = array->shared;
      s.base = bases_[static_cast<std::size_t>(array - given_.arrays.begin())];
      s.width = static_cast<unsigned>(step.width);
      s.elements = array->size.value / step.width;
    } else {
      s.op_class = *trace::op_class_of(step.op);
    }
    s.past_l1 = step.past_l1;
    s.pattern = step.pattern;
    s.stride = step.stride.value;
    s.seed = step.seed;
    s.run = std::min(step.run, s.elements);
    const auto elements = static_cast<std::int64_t>(s.elements);
    s.offset = static_cast<std::uint64_t>((step.offset % elements + elements) % elements);
    s.flops = static_cast<unsigned>(step.flops);
    s.product = {.m = static_cast<std::uint16_t>(step.m),
                 .n = static_cast<std::uint16_t>(step.n),
                 .k = static_cast<std::uint16_t>(step.k),
                 .bits = static_cast<std::uint8_t>(step.bits)};
    if (step.to) s.to = names_.written(*step.to, s.op_class == OpClass::access ? words : 1);
    for (std::size_t k = 0; k < step.from.size(); ++k)
      s.from[k] = names_.read(step.from[k], s.operation == memory::Operation::store && k == 0 ? words : 1,
                              item.find("from")->where);
    if (names_.too_many()) refuse(fmt::format("there are more than {} names of registers", RegisterNames::most));
    s.count = static_cast<unsigned>(step.count);
    kernel_.steps.push_back(std::move(s));
  }

  std::string file_;
  Target target_;
  Value tree_;
  Scope scope_;
  std::vector<Diagnostic> diagnostics_;
  DescribedKernel given_;
  bool whole_ = false;  ///< all parts except the body are valid
  std::size_t steps_ = 0;
  Arrays memory_;
  std::uint64_t shared_ = 0;
  std::vector<std::uint64_t> bases_;
  RegisterNames names_;
  ResolvedKernel kernel_;
};

}  // namespace

std::unique_ptr<trace::Kernel> read_kernel(const config::Source& source, const Target& target,
                                           const std::vector<std::string>& settings) {
  return Resolver(source, target, settings).kernel();
}

std::shared_ptr<const config::SchemaInfo> read_parameters_of(const config::Source& source,
                                                             const std::vector<std::string>& settings) {
  return bind_parameters(load_kernel_tree(source), reserved_names(), settings).info;
}

}  // namespace strata::kernels
