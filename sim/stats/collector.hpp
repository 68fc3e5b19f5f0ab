// SPDX-License-Identifier: Apache-2.0
// The named tree of statistics. Blocks keep plain counters and lanes, which
// cost nothing to name; when asked, each reports them to a collector, one line a
// figure, with its unit and meaning. A snapshot is what was collected at one
// instant; less an earlier baseline (baseline.hpp) it says what happened in between.
//
// A path is made of scopes: "core 12/L1/hits". The same path without its
// numbers, "core */L1/hits", names the family of a figure over all instances.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace strata::stats {

enum class Kind : std::uint8_t {
  counter,   ///< grows; a difference of snapshots is what it grew by
  resource,  ///< serves one thing at a time: value is its busy time in ticks, up to now
  highest,   ///< the most there ever was; over instances, the most of any
};

/// What of the hardware a figure is of.
enum class Block : std::uint8_t {
  other,
  core,
  issue_port,
  pipe,
  warp_stall,
  cache,
  crossbar,
  crossbar_source,  ///< ports of the crossbar on the side of the cores
  link,             ///< between dies, or to the host
  coherent_master,  ///< between the L2 of a die and the way to memory
  probe_filter,     ///< with its coherent slave, at a slice of a memory-side cache
  dram,
  dram_data_bus,
};

/// Which part of the machine has that block for itself.
enum class Owner : std::uint8_t { machine, core, group, die, memory_die };

struct Origin {
  Block block = Block::other;
  Owner owner = Owner::machine;
  std::string name;  ///< of a cache that of its level, of a port, pipe or stall its own

  bool operator==(const Origin&) const = default;
};

/// Of what never ends: a machine has tens of thousands of figures, with few units and meanings.
using StaticText = std::string_view;

struct Figure {
  std::string path;
  StaticText unit;     ///< "requests", "bytes", "ticks" of a resource
  StaticText meaning;  ///< one line
  Kind kind = Kind::counter;
  std::uint64_t value = 0;
  std::uint64_t served = 0;     ///< of a resource: how many things it served
  std::uint64_t instances = 1;  ///< of which this is the sum
  Origin origin{};
  std::int64_t ahead = 0;  ///< of a resource: ticks reserved beyond now
};

/// What is kept of a snapshot.
enum class Detail : std::uint8_t {
  none,
  kinds,      ///< the sum over all instances, under the name of the family
  instances,  ///< each instance on its own
};

/// A figure as users read it: one value, times in ns.
struct Statistic {
  std::string path;
  std::string unit;
  std::string meaning;
  double value = 0;
  std::uint64_t instances = 1;
};

/// The path with every number that is a word of its own replaced by '*'.
std::string family(std::string_view path);

class Snapshot {
 public:
  const std::vector<Figure>& figures() const { return figures_; }
  void add(Figure figure) { figures_.push_back(std::move(figure)); }
  /// That many figures are to come.
  void expect(std::size_t figures) { figures_.reserve(figures); }
  /// Calls of(figure, place) for each figure; it may change the values.
  template <class Of>
  void change(const Of& of) {
    for (std::size_t place = 0; place < figures_.size(); ++place) of(figures_[place], place);
  }

  /// The figure of that path, or nullptr.
  const Figure* find(std::string_view path) const;
  /// Sum over every figure of the family.
  std::uint64_t sum(std::string_view family_name) const;

 private:
  std::vector<Figure> figures_;
};

/// One figure for each family, in order of first appearance: its path is the family's, and
/// value and served are sums over all instances.
std::vector<Figure> families(const Snapshot& snapshot);

/// The figures as users read them. A resource makes two: its busy time, and "PATH/served" (of a
/// window three: window.hpp).
std::vector<Statistic> statistics(const Snapshot& snapshot, Detail detail, double ns_per_tick);

class Collector {
 public:
  /// expected: about how many figures, 0: unknown.
  explicit Collector(std::size_t expected = 0) { snapshot_.expect(expected); }

  /// Of everything reported during its lifetime: a part of the path, inside the present one, or where it comes from.
  class Scope {
   public:
    Scope(Collector& collector, std::string_view path);
    Scope(Collector& collector, std::string_view path, Owner owner);
    Scope(Collector& collector, std::string_view path, Block block, std::string_view name = {});
    Scope(Collector& collector, Block block, std::string_view name = {});
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Collector& collector_;
    std::size_t outer_path_;
    Origin outer_origin_;
  };

  void count(std::string_view name, StaticText unit, StaticText meaning, std::uint64_t value);
  void highest(std::string_view name, StaticText unit, StaticText meaning, std::uint64_t value);
  /// A lane: how long it is busy with all that it was asked for, how many things these
  /// are, and how much of that time lies ahead and is not counted yet.
  void resource(std::string_view name, StaticText meaning, Duration busy, std::uint64_t served, Duration ahead);

  const Snapshot& snapshot() const { return snapshot_; }
  Snapshot take() { return std::move(snapshot_); }

 private:
  std::string path(std::string_view name) const;

  std::string scope_;
  Origin origin_;
  Snapshot snapshot_;
};

}  // namespace strata::stats
