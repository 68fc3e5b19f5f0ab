// SPDX-License-Identifier: Apache-2.0
// Caches with tags that few machines have.
#include "cache/requests/cache_served.hpp"

namespace strata::cache {

template bool Cache::serve<PooledTagsByName>(Cache&, Transaction&);
template bool Cache::serve<CompressedTags>(Cache&, Transaction&);
template bool Cache::serve<WideTags>(Cache&, Transaction&);
template bool Cache::serve<WidePooledTags>(Cache&, Transaction&);
template void Cache::on_fill<PooledTagsByName>(Transaction&);
template void Cache::on_fill<CompressedTags>(Transaction&);
template void Cache::on_fill<WideTags>(Transaction&);
template void Cache::on_fill<WidePooledTags>(Transaction&);

}  // namespace strata::cache
