// SPDX-License-Identifier: Apache-2.0
// Rings and meshes of stops: the shortest path, the bandwidth of links, and contention.
#include "fabric/stop_network.hpp"

#include <algorithm>

#include "catch.hpp"

namespace strata::fabric::test {
namespace {

using namespace strata::literals;

constexpr Bytes header{8};

StopNetworkSpec shaped(StopShape shape, std::uint32_t columns, std::uint32_t rows, BytesPerClock width = {0}) {
  StopNetworkSpec spec;
  spec.shape = shape;
  spec.columns = columns;
  spec.rows = rows;
  spec.hop_latency = 3_clk;
  spec.link_width = width;
  return spec;
}

const engine::Timebase timebase(std::vector<std::uint64_t>{1'000'000'000, 2'520'000'000'000});
const engine::Clock ghz = timebase.clock(1'000'000'000);

}  // namespace

TEST_CASE("a_ring_is_walked_the_shorter_way") {
  const StopNetwork ring(shaped(StopShape::ring, 8, 5), ghz, header, header);
  CHECK(ring.stops() == 8);  // rows are those of a mesh
  CHECK(ring.hops(1, 1) == 0);
  CHECK(ring.hops(1, 4) == 3);
  CHECK(ring.hops(1, 6) == 3);
  CHECK(ring.hops(1, 5) == 4);
  CHECK(ring.most_hops() == 4);
  CHECK(ring.flight(7, 1) == ghz.cycles(2 * 3));
}

TEST_CASE("a_mesh_is_walked_along_columns_and_rows") {
  const StopNetwork mesh(shaped(StopShape::mesh, 4, 3), ghz, header, header);
  CHECK(mesh.stops() == 12);
  CHECK(mesh.hops(0, 11) == 3 + 2);
  CHECK(mesh.hops(5, 6) == 1);
  CHECK(mesh.hops(3, 8) == 3 + 2);
  CHECK(mesh.most_hops() == 5);
}

TEST_CASE("cores_and_slices_are_dealt_out_evenly_and_in_order") {
  const StopNetwork ring(shaped(StopShape::ring, 4, 1), ghz, header, header);
  for (std::uint32_t i = 0; i < 20; ++i) CHECK(ring.stop_of(i, 20) == i / 5);
  CHECK(ring.stop_of(1, 2) == 2);
}

TEST_CASE("a_message_waits_for_others_on_the_same_link") {
  // 32 B/clk: a request of four sectors and its header, 136 B, takes a link 4.25 clk.
  StopNetwork ring(shaped(StopShape::ring, 8, 1, 32_B_clk), ghz, header, header);
  CHECK(ring.request(0, 3, Time{}, 4) == Duration{});
  SECTION("one that enters behind it waits at the first link alone") {
    CHECK(ring.request(0, 3, Time{}, 4) == ghz.cycles(4.25));
  }
  SECTION("one that meets it on its way waits there") {
    // The first is at stop 1 from 3 clk on and takes the link until 7.25 clk.
    CHECK(ring.request(1, 2, Time{} + ghz.cycles(4), 4) == ghz.cycles(3.25));
  }
  SECTION("one that has passed before it comes does not wait") { CHECK(ring.request(2, 3, Time{}, 0) == Duration{}); }
  SECTION("the other way round, and answers, have links of their own") {
    CHECK(ring.request(1, 7, Time{}, 4) == Duration{});
    CHECK(ring.response(0, 3, Time{}, 4) == Duration{});
  }
}

TEST_CASE("links_halfway_round_a_ring_are_used_both_ways") {
  StopNetwork ring(shaped(StopShape::ring, 8, 1, 32_B_clk), ghz, header, header);
  ring.request(0, 4, Time{}, 4);
  ring.request(1, 5, Time{}, 4);
  std::vector<NamedWire> used;
  ring.wires(used, Time{});
  const auto ways = [&](const char* way) {
    return std::ranges::count_if(used, [&](const NamedWire& wire) { return wire.name.find(way) != std::string::npos; });
  };
  CHECK(ways("to next column") == 4);
  CHECK(ways("to previous column") == 4);
}

TEST_CASE("links_without_a_width_delay_no_message") {
  StopNetwork mesh(shaped(StopShape::mesh, 4, 4), ghz, header, header);
  for (int i = 0; i < 100; ++i) CHECK(mesh.request(0, 15, Time{}, 4) == Duration{});
  std::vector<NamedWire> used;
  mesh.wires(used, Time{});
  CHECK(used.empty());
}

}  // namespace strata::fabric::test
