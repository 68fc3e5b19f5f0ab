// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "catch.hpp"
#include "config/schema/scalar.hpp"

using namespace strata;            // NOLINT(google-build-using-namespace)
using namespace strata::literals;  // NOLINT(google-build-using-namespace)
using namespace strata::config;    // NOLINT(google-build-using-namespace)

namespace {
template <class T>
auto value_of(std::string_view text) {
  const Reading<T> reading = read_number<T>(text);
  INFO(text << ' ' << reading.error);
  REQUIRE(reading.error.empty());
  if constexpr (IsQuantity<T>::value)
    return reading.value.value;
  else
    return reading.value;
}
}  // namespace

SCENARIO("units_scale_exactly") {
  CHECK(value_of<Bytes>("126 MiB") == 126U * 1024U * 1024U);
  CHECK(value_of<Bytes>("126MiB") == 126U * 1024U * 1024U);
  CHECK(value_of<Bytes>("126.5 MiB") == 253U * 512U * 1024U);
  CHECK(value_of<Bytes>("0.1 MB") == 100'000U);
  CHECK(value_of<Bytes>("1e3 KB") == 1'000'000U);
  CHECK(value_of<Bytes>("4.000 KiB") == 4096U);
  CHECK(value_of<Bytes>("18446744073709551615 B") == std::numeric_limits<std::uint64_t>::max());
  CHECK(value_of<Bytes>("0 B") == 0U);
  CHECK(value_of<Frequency>("1.965 GHz") == 1'965'000'000U);
  CHECK(value_of<Frequency>("2619.5 MHz") == 2'619'500'000U);
  CHECK(value_of<DataRate>("9.6 GT/s") == 9'600'000'000U);
  CHECK(value_of<Cycles>("12.5 clk") == 12.5);
  CHECK(value_of<Nanoseconds>("3.9 us") == 3.9 * 1000);
  CHECK(value_of<Nanoseconds>("350 ps") == 350.0 / 1000);
  CHECK(value_of<BytesPerSecond>("1.2 TB/s") == 1.2 * 1e12);
  CHECK(value_of<BytesPerSecond>("1 GiB/s") == 1024.0 * 1024.0 * 1024.0);
  CHECK(value_of<BytesPerClock>("64 B/clk") == 64.0);
  CHECK(value_of<Ratio>("77 %") == 77.0 / 100);
  CHECK(value_of<Ratio>("0.77") == 0.77);
  CHECK(value_of<double>("-2.5e-3") == -2.5e-3);
  CHECK(value_of<int>("-3") == -3);
  CHECK(value_of<std::uint64_t>("1e6") == 1'000'000U);
  CHECK(value_of<std::uint64_t>("1.5e1") == 15U);
}

SCENARIO("printed_numbers_read_back_as_themselves") {
  CHECK(show_number(126_MiB) == "126 MiB");
  CHECK(show_number(Bytes{1000}) == "1000 B");
  CHECK(show_number(0_B) == "0 B");
  CHECK(show_number(1965_MHz) == "1965 MHz");
  CHECK(show_number(6400_MT_s) == "6400 MT/s");
  CHECK(show_number(Cycles{12.5}) == "12.5 clk");
  CHECK(show_number(Nanoseconds{0.35}) == "350 ps");
  CHECK(show_number(Nanoseconds{3900}) == "3.9 us");
  CHECK(show_number(Nanoseconds{0}) == "0 ns");
  CHECK(show_number(BytesPerSecond{1.2e12}) == "1.2 TB/s");
  CHECK(show_number(Ratio{0.05}) == "0.05");
  const double any = GENERATE(1e-9, 0.1, 1.0 / 3, 14.06, 123456.789, 6.02e23);
  CHECK(value_of<Nanoseconds>(show_number(Nanoseconds{any})) == any);
  CHECK(value_of<BytesPerSecond>(show_number(BytesPerSecond{any})) == any);
  CHECK(value_of<double>(show_number(any)) == any);
}

SCENARIO("text_that_is_almost_a_number_is_refused") {
  const std::string_view text =
      GENERATE(as<std::string_view>(), "", ".", "-", "--1", "1.", ".5", "1.5.2", "1e", "1e+", "00", "-01", "0b11",
               "0o7", "1'000", "inf", "-inf", "infinity", "NaN", "1 2", "1e999999999999", "one", "\xC2\xB2", "1e-400");
  CHECK_FALSE(read_number<double>(text).error.empty());
  CHECK_FALSE(read_number<std::uint32_t>(text).error.empty());
  CHECK_FALSE(read_number<Bytes>(std::string(text) + " B").error.empty());
}
