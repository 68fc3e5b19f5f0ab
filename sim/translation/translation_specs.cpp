// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "replacement/choices.hpp"
#include "translation/page_table.hpp"
#include "translation/translator_spec.hpp"

namespace strata::translation {

using config::choices;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<PageTableSpec> PageTableSpec::schema() {
  std::vector<std::string> names;
  for (const Placement& placement : placements) names.emplace_back(placement.name);
  return Schema<PageTableSpec>("page table", "how virtual pages are placed in physical memory")
      .optional("page", &PageTableSpec::page, "allocation unit of the driver", range(4_KiB, 1_GiB),
                config::power_of_two())
      .optional("memory", &PageTableSpec::memory, "physical memory; whole pages of it are used",
                range(1_MiB, 1048576_GiB))
      .optional("placement", &PageTableSpec::placement, "placement of pages in frames",
                config::one_of(std::move(names)))
      .optional("run", &PageTableSpec::run, "pages that stay together when scattered", range(1, 1048576))
      .optional("seed", &PageTableSpec::seed, "of the random order")
      .check("run", [](const PageTableSpec& spec) -> std::string {
        return spec.run <= spec.memory / spec.page ? "" : "is more pages than memory has";
      });
}

Schema<TlbLevelSpec> TlbLevelSpec::schema() {
  return Schema<TlbLevelSpec>("TLB", "one level of translation look-aside buffers")
      .optional("name", &TlbLevelSpec::name, "name in reports")
      .required("entries", &TlbLevelSpec::entries, "entries of one instance", range(1, 1048576))
      .optional("ways", &TlbLevelSpec::ways, "entries of a set; 0: fully associative", range(0, 1024))
      .optional("entry_reach", &TlbLevelSpec::entry_reach, "memory that one entry covers", range(4_KiB, 64_GiB),
                config::power_of_two())
      .optional("replacement", &TlbLevelSpec::replacement, "policy that selects the entry to evict",
                choices(replacement::named_policies()))
      .optional("scope", &TlbLevelSpec::scope, "sharers of an instance",
                choices<Scope>({{"core", Scope::core, "one core"},
                                {"group", Scope::group, "the cores of a group"},
                                {"die", Scope::die, "the cores of a die"}}))
      .optional("miss_latency", &TlbLevelSpec::miss_latency, "time that a miss adds if the next level hits",
                range(0_clk, 100000_clk))
      .optional("misses_per_clock", &TlbLevelSpec::misses_per_clock, "misses that one instance forwards; 0: no limit",
                range(0, 64))
      .check("ways", [](const TlbLevelSpec& spec) -> std::string {
        return spec.ways == 0 || spec.entries % spec.ways == 0
                   ? ""
                   : fmt::format("is {}, which does not divide 'entries', {}, into whole sets", spec.ways,
                                 spec.entries);
      });
}

Schema<WalkerSpec> WalkerSpec::schema() {
  return Schema<WalkerSpec>("page walker", "serves the misses of the last TLB level")
      .optional("latency", &WalkerSpec::latency, "of one walk", range(0_ns, 100000_ns))
      .optional("parallel", &WalkerSpec::parallel, "concurrent walks of one die", range(1, 4096));
}

Schema<TranslationSpec> TranslationSpec::schema() {
  return Schema<TranslationSpec>("translation", "from virtual to physical addresses")
      .optional("levels", &TranslationSpec::levels, "TLB levels, nearest the core first; none: translation is free",
                config::entries(0, 8))
      .optional("walker", &TranslationSpec::walker, "the page walker");
}

bool TranslationSpec::may_keep_entries() const {
  using replacement::Forgets;
  using replacement::Lip;
  using replacement::ReplacementTable;
  return std::any_of(levels.begin(), levels.end(), [](const TlbLevelSpec& level) {
    return level.replacement != Lip::name && ReplacementTable::forgets(level.replacement) == Forgets::never;
  });
}

}  // namespace strata::translation
