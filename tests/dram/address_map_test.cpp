// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "base/random.hpp"
#include "catch.hpp"
#include "dram/address_map.hpp"
#include "timing_sets.hpp"

namespace strata::dram::test {

TEST_CASE("an address map is a bijection, hashed or not") {
  for (const bool hashed : {false, true}) {
    for (const char* order : {stream_over_bank_groups, row_linear, one_bank, blocks_in_a_row}) {
      ChannelSpec spec = r_hbm3();
      spec.organisation.rows = 48;  // no power of two
      spec.address_map = {order, hashed};
      const AddressMap map(spec.address_map, spec.organisation);
      REQUIRE(map.capacity() == 2U * 2 * 4 * 4 * 48 * 32);
      for (std::uint64_t burst = 0; burst < map.capacity(); ++burst) {
        if (map.burst_at(map.locate(burst)) != burst) FAIL("burst " << burst << " of " << order);
      }
    }
  }
}

TEST_CASE("a place is a location without its column") {
  for (const std::uint32_t rows : {48U, 64U}) {  // 48 is cut by division, 64 by masks
    for (const bool hashed : {false, true}) {
      for (const char* order : {stream_over_bank_groups, row_linear, one_bank, blocks_in_a_row}) {
        ChannelSpec spec = r_hbm3();
        spec.organisation.rows = rows;
        const AddressMap map({order, hashed}, spec.organisation);
        for (std::uint64_t burst = 0; burst < map.capacity(); burst += 7) {
          const Location at = map.locate(burst);
          const std::uint32_t bank = (at.stack * 4 + at.bank_group) * 4 + at.bank;
          if (map.place(burst) != Place{at.pseudo_channel, bank, at.row}) FAIL("burst " << burst << " of " << order);
        }
      }
    }
  }
}

TEST_CASE("fields are cut from the low end of the burst number in the order given") {
  const ChannelSpec spec = with_map(r_hbm2(), blocks_in_a_row);
  const AddressMap map(spec.address_map, spec.organisation);
  REQUIRE(map.locate(3).column == 3);
  REQUIRE(map.locate(4).pseudo_channel == 1);
  REQUIRE(map.locate(8).bank_group == 1);
  REQUIRE(map.locate(32).column == 4);
  REQUIRE(map.locate(256).bank == 1);
  REQUIRE(map.locate(1024).row == 1);
  REQUIRE(map.keeps_together(4));
  REQUIRE_FALSE(AddressMap({stream_over_bank_groups, false}, spec.organisation).keeps_together(2));
}

TEST_CASE("bank hashing spreads rows that follow one another in a bank over all banks") {
  ChannelSpec spec = r_hbm2();
  spec.address_map.hash_banks = true;
  const AddressMap map(spec.address_map, spec.organisation);
  const AddressMap plain(r_hbm2().address_map, spec.organisation);
  std::set<std::pair<std::uint32_t, std::uint32_t>> banks;
  for (std::uint32_t row = 0; row < 16; ++row) {
    Location location;
    location.row = row;
    const Location hashed = map.locate(plain.burst_at(location));
    banks.insert({hashed.bank_group, hashed.bank});
  }
  REQUIRE(banks.size() == 16);
}

TEST_CASE("streams a power of two apart spread over the banks, however far apart they are") {
  ChannelSpec spec = r_hbm2();
  spec.organisation.rows = 1U << 14U;
  spec.address_map.hash_banks = true;
  const AddressMap map(spec.address_map, spec.organisation);
  const AddressMap plain({spec.address_map.order, false}, spec.organisation);
  const std::uint32_t banks = spec.organisation.bank_groups * spec.organisation.banks_per_group;
  REQUIRE(banks == 16);
  // Bursts from one row to the next of a bank; the row is the map's uppermost field.
  Location second;
  second.row = 1;
  const std::uint64_t row = plain.burst_at(second);
  REQUIRE(row * spec.organisation.rows == map.capacity());
  for (std::uint32_t streams = 2; streams <= banks; streams *= 2) {
    // Also where the low digit of the row, of 4 bits, is the same for all.
    for (std::uint64_t apart = 1; apart * streams <= spec.organisation.rows; apart *= 2) {
      CAPTURE(streams, apart);
      std::set<std::uint32_t> hashed, unhashed;
      for (std::uint64_t stream = 0; stream < streams; ++stream) {
        hashed.insert(map.place(stream * apart * row).bank);
        unhashed.insert(plain.place(stream * apart * row).bank);
      }
      CHECK(hashed.size() == streams);
      CHECK(unhashed.size() == 1);
    }
  }
}

TEST_CASE("a row's bank is hashed with the digits of its number, each XORed with the others") {
  ChannelSpec spec = r_hbm2();
  spec.organisation.rows = 1U << 14U;
  spec.address_map.hash_banks = true;
  const AddressMap map(spec.address_map, spec.organisation);
  const AddressMap plain({spec.address_map.order, false}, spec.organisation);
  RandomSequence random(5);
  for (int i = 0; i < 1000; ++i) {
    Location at;
    at.bank = static_cast<std::uint32_t>(random.below(4));
    at.bank_group = static_cast<std::uint32_t>(random.below(4));
    at.row = static_cast<std::uint32_t>(random.below(1U << 14U));
    // Digits of 4 bits: two of the bank below two of its group.
    std::uint32_t digits = 0;
    for (std::uint32_t bit = 0; bit < 14; ++bit) digits ^= (at.row >> bit & 1U) << bit % 4;
    const Location hashed = map.locate(plain.burst_at(at));
    CHECK(hashed.row == at.row);
    CHECK(hashed.bank == (at.bank ^ digits % 4));
    CHECK(hashed.bank_group == (at.bank_group ^ digits / 4));
    CHECK(map.burst_at(hashed) == plain.burst_at(at));
  }
}

TEST_CASE("under random_banks consecutive rows are in banks without order, each row of each bank once") {
  ChannelSpec spec = r_hbm3();
  spec.address_map.order = "column:3 pseudo_channel row bank_group bank stack column";
  spec.address_map.random_banks = true;
  const AddressMap map(spec.address_map, spec.organisation);
  // 32 places of 256 B that follow one another in a pseudo-channel. Thrown at random into 32 banks they
  // take 32 (1 - (31/32)^32) = 20.4 of them, with a standard deviation of 1.8 a window.
  constexpr std::uint64_t windows = 512;
  std::uint64_t taken = 0;
  for (std::uint64_t window = 0; window < windows; ++window) {
    std::set<std::uint32_t> banks;
    for (std::uint64_t piece = 0; piece < 32; ++piece) {
      const Place place = map.place((window * 32 + piece) * 16);
      REQUIRE(place.pseudo_channel == 0);
      REQUIRE(place.bank < 32);
      banks.insert(place.bank);
    }
    taken += banks.size();
  }
  CHECK(static_cast<double>(taken) / windows == Approx(20.4).margin(0.4));
  // It decides where hash_banks is set as well.
  spec.address_map.hash_banks = true;
  const AddressMap with_both(spec.address_map, spec.organisation);
  RandomSequence random(7);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t burst = random.below(map.capacity());
    const Location at = map.locate(burst);
    CHECK(map.burst_at(at) == burst);
    CHECK(map.place(burst) == Place{at.pseudo_channel, (at.stack * 4 + at.bank_group) * 4 + at.bank, at.row});
    CHECK(map.place(burst) == with_both.place(burst));
    CHECK(map.burst_at(at) == with_both.burst_at(at));
  }
}

TEST_CASE("random_banks needs powers of two") {
  OrganisationSpec organisation = r_hbm3().organisation;
  organisation.bank_groups = 3;
  REQUIRE_THROWS_WITH(AddressMap({"pseudo_channel bank_group column bank stack row", false, true}, organisation),
                      "address_map.random_banks needs powers of two of organisation.banks_per_group and "
                      "organisation.bank_groups");
}

TEST_CASE("under random_banks three stack ids have no order either") {
  OrganisationSpec organisation = r_hbm3().organisation;
  organisation.stack_ids = 3;
  const AddressMapSpec spec{"column:3 pseudo_channel bank_group bank row stack column", false, true};
  const AddressMap map(spec, organisation);
  const AddressMap plain({spec.order, false, false}, organisation);
  RandomSequence random(9);
  std::uint32_t moved = 0;
  std::array<int, 3> turned{};
  constexpr int draws = 3000;
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t burst = random.below(map.capacity());
    const Location at = map.locate(burst);
    const Location before = plain.locate(burst);
    REQUIRE(map.burst_at(at) == burst);
    REQUIRE(at.row == before.row);
    CHECK(map.place(burst) == Place{at.pseudo_channel, (at.stack * 4 + at.bank_group) * 4 + at.bank, at.row});
    ++turned.at((at.stack + 3 - before.stack) % 3);
    moved += at.bank != before.bank || at.bank_group != before.bank_group ? 1U : 0U;
  }
  CHECK(moved > draws * 0.9);                                       // 15 of 16 in the mean
  for (const int n : turned) CHECK(std::abs(n - draws / 3) < 130);  // five standard deviations of 26
}

TEST_CASE("an address map that forgets or invents a field is refused") {
  const OrganisationSpec organisation = r_hbm2().organisation;
  const auto text = [&](const char* order) {
    try {
      const AddressMap map({order, false}, organisation);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  REQUIRE(text("pseudo_channel bank_group column bank").starts_with("address_map.order: field 'row' is not covered: "));
  REQUIRE(text("pseudo_channel bank_group colum bank row") == "address_map.order: there is no field 'colum'");
  REQUIRE(
      text("column:9 pseudo_channel bank_group column bank row") ==
      "address_map.order: 'column:9' does not divide 32 values, given by organisation.page over organisation.access");
  REQUIRE(
      text("column:x pseudo_channel bank_group column bank row") ==
      "address_map.order: 'column:x' does not divide 32 values, given by organisation.page over organisation.access");
}

TEST_CASE("a spec that cannot be built says why") {
  const auto first = [](ChannelSpec spec) {
    const std::vector<std::string> wrong = problems(spec);
    return wrong.empty() ? std::string() : wrong.front();
  };
  REQUIRE(first(r_hbm3()).empty());
  ChannelSpec spec = r_hbm3();
  spec.timing.t_ccd_s = {1};
  REQUIRE_THAT(first(spec), Catch::Matchers::Contains(" >= timing.t_ccd_s = 1 >= timing.burst = "));
  spec = r_hbm3();
  spec.timing.t_rtw = {11};
  REQUIRE_THAT(first(spec), Catch::Matchers::StartsWith("timing.t_rtw = 11 + timing.write_latency = "));
  spec = r_hbm3();
  spec.organisation.stack_ids = 5;
  REQUIRE_THAT(first(spec), Catch::Matchers::StartsWith("organisation.stack_ids x organisation.bank_groups x "));
  spec = r_hbm3();
  spec.controller.write_high = 65;
  REQUIRE_THAT(first(spec), Catch::Matchers::Contains(" < controller.write_high = 65 <= controller.write_queue = "));
  spec = r_hbm3();
  spec.controller.scheduler = "fr";
  REQUIRE(first(spec) == "there is no controller.scheduler 'fr'");
}

}  // namespace strata::dram::test
