#include "schedulers/placement/used_share.h"

#include <algorithm>

namespace tracebed {
namespace {

__extension__ using WideUnsigned = unsigned __int128;

}  // namespace

std::uint64_t used_share(std::int64_t used, std::int64_t capacity) {
  if (capacity <= 0 || used <= 0) return 0;
  const WideUnsigned scaled = static_cast<WideUnsigned>(static_cast<std::uint64_t>(used))
                              << used_share_bits;
  return static_cast<std::uint64_t>(scaled / static_cast<std::uint64_t>(capacity));
}

std::uint64_t dominant_used_share(const Resources& used, const Resources& capacity) {
  std::uint64_t share = 0;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    share = std::max(share, used_share(used[d], capacity[d]));
  }
  return share;
}

std::uint64_t sum_of_used_shares(const Resources& used, const Resources& capacity) {
  std::uint64_t share = 0;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    share += used_share(used[d], capacity[d]);
  }
  return share;
}

}  // namespace tracebed
