#include "schedulers/yarn/fair/share_order.h"

#include <algorithm>

#include "schedulers/yarn/fair/share_quotient.h"

namespace tracebed {

ShareKey::ShareKey(const ShareFigures& figures, SharePolicy policy, const Resources& cluster)
    : start_(figures.start), name_(figures.name), id_(figures.id) {
  if (policy == SharePolicy::fair) {
    order_by_fair(figures);
  } else if (policy == SharePolicy::fifo) {
    // Every 32-bit integer is a double, and a larger priority is more important.
    quotients_[count_++] = -static_cast<double>(figures.priority);
  } else if (cluster.dimensions_used() > 2) {
    order_by_drf<float>(figures, cluster);
  } else {
    order_by_drf<double>(figures, cluster);
  }
}

void ShareKey::order_by_fair(const ShareFigures& figures) {
  enum Class : std::uint8_t { needy, weighted, weightless, idle_weighted, idle_weightless };
  const std::int64_t usage = figures.usage.memory_mib();
  const std::int64_t demand = figures.demand.memory_mib();
  const std::int64_t need = std::min(figures.minimum.memory_mib(), demand);
  count_ = 1;
  if (demand != 0 && usage < need) {
    rank_ = needy;
    quotients_[0] = share_quotient<double>(usage, std::max<std::int64_t>(need, 1));
    return;
  }
  const bool has_weight = figures.weight > 0;
  rank_ = has_weight ? weighted : weightless;
  if (demand == 0) rank_ = has_weight ? idle_weighted : idle_weightless;
  quotients_[0] = static_cast<double>(usage);
  if (has_weight) quotients_[0] /= static_cast<double>(figures.weight);
}

template <class Real>
void ShareKey::order_by_drf(const ShareFigures& figures, const Resources& cluster) {
  struct DimensionShare {
    std::size_t dimension = 0;
    Real of_cluster = 0;
  };
  std::array<DimensionShare, Resources::dimensions_max> shares;
  std::size_t count = 0;
  // Put in order as they come; of equal shares the first stays first, which is memory.
  const auto add = [&](std::size_t d) {
    if (cluster[d] <= 0) return;
    const DimensionShare share{d, share_quotient<Real>(figures.usage[d], cluster[d])};
    std::size_t place = count++;
    for (; place > 0 && shares[place - 1].of_cluster < share.of_cluster; --place) {
      shares[place] = shares[place - 1];
    }
    shares[place] = share;
  };
  add(Resources::memory_dimension);
  add(Resources::vcores_dimension);
  for (std::size_t d = 2; d < cluster.dimensions_used(); ++d) add(d);
  if (count == 0) return;
  const std::size_t dominant = shares[0].dimension;
  const bool is_needy = figures.usage[dominant] < figures.minimum[dominant];
  rank_ = is_needy ? 0 : 1;
  count_ = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t d = shares[i].dimension;
    const Real share = shares[i].of_cluster;
    const Real over_weight = share == 0 ? share : share / static_cast<Real>(figures.weight);
    quotients_[i] = static_cast<double>(
        is_needy ? share_quotient<Real>(figures.usage[d], figures.minimum[d]) : over_weight);
  }
}

std::strong_ordering ShareKey::operator<=>(const ShareKey& other) const {
  if (rank_ != other.rank_) return rank_ <=> other.rank_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (quotients_[i] < other.quotients_[i]) return std::strong_ordering::less;
    if (quotients_[i] > other.quotients_[i]) return std::strong_ordering::greater;
  }
  if (start_ != other.start_) return start_ <=> other.start_;
  const int names = name_.compare(other.name_);
  return names != 0 ? names <=> 0 : id_ <=> other.id_;
}

}  // namespace tracebed
