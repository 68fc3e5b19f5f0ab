// SPDX-License-Identifier: Apache-2.0
#include "config/schema/codec.hpp"

#include <cstdint>

#include "base/quantity.hpp"

namespace strata::config {

template <class Member>
std::shared_ptr<const AnyCodec> common_codec(rules_t<leaf_t<Member>> rules) {
  return std::make_shared<const Codec<Member>>(std::move(rules));
}

template std::shared_ptr<const AnyCodec> common_codec<bool>(Rules<bool>);
template std::shared_ptr<const AnyCodec> common_codec<std::uint32_t>(Rules<std::uint32_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::uint64_t>(Rules<std::uint64_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::int64_t>(Rules<std::int64_t>);
template std::shared_ptr<const AnyCodec> common_codec<double>(Rules<double>);
template std::shared_ptr<const AnyCodec> common_codec<std::string>(Rules<std::string>);
template std::shared_ptr<const AnyCodec> common_codec<Bytes>(Rules<Bytes>);
template std::shared_ptr<const AnyCodec> common_codec<Frequency>(Rules<Frequency>);
template std::shared_ptr<const AnyCodec> common_codec<Cycles>(Rules<Cycles>);
template std::shared_ptr<const AnyCodec> common_codec<Nanoseconds>(Rules<Nanoseconds>);
template std::shared_ptr<const AnyCodec> common_codec<BytesPerClock>(Rules<BytesPerClock>);
template std::shared_ptr<const AnyCodec> common_codec<BytesPerSecond>(Rules<BytesPerSecond>);
template std::shared_ptr<const AnyCodec> common_codec<DataRate>(Rules<DataRate>);
template std::shared_ptr<const AnyCodec> common_codec<Ratio>(Rules<Ratio>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<bool>>(Rules<bool>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<std::uint32_t>>(Rules<std::uint32_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<std::uint64_t>>(Rules<std::uint64_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<std::int64_t>>(Rules<std::int64_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<double>>(Rules<double>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<std::string>>(Rules<std::string>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<Bytes>>(Rules<Bytes>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<Frequency>>(Rules<Frequency>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<Cycles>>(Rules<Cycles>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<Nanoseconds>>(Rules<Nanoseconds>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<BytesPerClock>>(Rules<BytesPerClock>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<BytesPerSecond>>(Rules<BytesPerSecond>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<DataRate>>(Rules<DataRate>);
template std::shared_ptr<const AnyCodec> common_codec<std::optional<Ratio>>(Rules<Ratio>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<bool>>(Rules<bool>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<std::uint32_t>>(Rules<std::uint32_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<std::uint64_t>>(Rules<std::uint64_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<std::int64_t>>(Rules<std::int64_t>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<double>>(Rules<double>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<std::string>>(Rules<std::string>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<Bytes>>(Rules<Bytes>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<Frequency>>(Rules<Frequency>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<Cycles>>(Rules<Cycles>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<Nanoseconds>>(Rules<Nanoseconds>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<BytesPerClock>>(Rules<BytesPerClock>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<BytesPerSecond>>(Rules<BytesPerSecond>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<DataRate>>(Rules<DataRate>);
template std::shared_ptr<const AnyCodec> common_codec<std::vector<Ratio>>(Rules<Ratio>);

}  // namespace strata::config
