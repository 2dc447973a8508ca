#include "schedulers/yarn/fair/share_policy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "schedulers/yarn/fair/share_quotient.h"

namespace tracebed {
namespace {

// Smaller quotients first.
template <class Real>
std::strong_ordering order_of_quotients(Real a, Real b) {
  if (a < b) return std::strong_ordering::less;
  return a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering first_if(bool a, bool b) {
  return static_cast<int>(b) <=> static_cast<int>(a);
}

std::strong_ordering compare_ties(const Schedulable& a, const Schedulable& b) {
  if (a.start != b.start) return a.start <=> b.start;
  const int names = a.name.compare(b.name);
  return names != 0 ? names <=> 0 : a.id <=> b.id;
}

// ---- fair ----

std::strong_ordering compare_use_to_weight(const Schedulable& a, const Schedulable& b) {
  const std::int64_t use_of_a = a.usage.memory_mib();
  const std::int64_t use_of_b = b.usage.memory_mib();
  if (a.weight > 0 && b.weight > 0) {
    return order_of_quotients(static_cast<double>(use_of_a) / static_cast<double>(a.weight),
                              static_cast<double>(use_of_b) / static_cast<double>(b.weight));
  }
  return a.weight == b.weight ? use_of_a <=> use_of_b : order_of_quotients(b.weight, a.weight);
}

std::strong_ordering compare_fair(const Schedulable& a, const Schedulable& b) {
  const bool a_is_idle = a.demand.memory_mib() == 0;
  const bool b_is_idle = b.demand.memory_mib() == 0;
  if (a_is_idle != b_is_idle) return first_if(b_is_idle, a_is_idle);
  const auto need = [](const Schedulable& s) {
    return std::min(s.minimum.memory_mib(), s.demand.memory_mib());
  };
  const auto is_needy = [&](const Schedulable& s) { return s.usage.memory_mib() < need(s); };
  if (is_needy(a) != is_needy(b)) return first_if(is_needy(a), is_needy(b));
  if (!is_needy(a)) return compare_use_to_weight(a, b);
  const auto met = [&](const Schedulable& s) {
    return share_quotient<double>(s.usage.memory_mib(), std::max<std::int64_t>(need(s), 1));
  };
  return order_of_quotients(met(a), met(b));
}

// ---- drf ----

template <class Real>
struct DimensionShare {
  std::size_t dimension = 0;
  Real of_cluster = 0;
};

// Dimensions that the cluster has, largest share first, in a tie memory first.
template <class Real>
class PolicyOrder {
 public:
  PolicyOrder(const Schedulable& schedulable, const Resources& cluster) : of_(schedulable) {
    const auto add = [&](std::size_t d) {
      if (cluster[d] > 0) {
        shares_[count_++] = {d, share_quotient<Real>(schedulable.usage[d], cluster[d])};
      }
    };
    add(Resources::memory_dimension);
    add(Resources::vcores_dimension);
    for (std::size_t d = 2; d < cluster.dimensions_used(); ++d) add(d);
    std::stable_sort(shares_.begin(), shares_.begin() + static_cast<std::ptrdiff_t>(count_),
                     [](const auto& x, const auto& y) { return x.of_cluster > y.of_cluster; });
  }

  std::size_t count() const { return count_; }
  bool is_needy() const {
    const std::size_t dominant = shares_[0].dimension;
    return of_.usage[dominant] < of_.minimum[dominant];
  }
  Real over_weight(std::size_t i) const {
    const Real share = shares_[i].of_cluster;
    return share == 0 ? share : share / static_cast<Real>(of_.weight);
  }
  Real over_minimum(std::size_t i) const {
    const std::size_t d = shares_[i].dimension;
    return share_quotient<Real>(of_.usage[d], of_.minimum[d]);
  }

 private:
  const Schedulable& of_;
  std::array<DimensionShare<Real>, Resources::dimensions_max> shares_{};
  std::size_t count_ = 0;
};

template <class Real>
std::strong_ordering compare_drf(const Schedulable& a, const Schedulable& b,
                                 const Resources& cluster) {
  const PolicyOrder<Real> of_a(a, cluster);
  const PolicyOrder<Real> of_b(b, cluster);
  if (of_a.count() == 0) return std::strong_ordering::equal;
  if (of_a.is_needy() != of_b.is_needy()) return first_if(of_a.is_needy(), of_b.is_needy());
  for (std::size_t i = 0; i < of_a.count(); ++i) {
    const std::strong_ordering result =
        of_a.is_needy() ? order_of_quotients(of_a.over_minimum(i), of_b.over_minimum(i))
                        : order_of_quotients(of_a.over_weight(i), of_b.over_weight(i));
    if (result != 0) return result;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compare_by_policy(const Schedulable& a, const Schedulable& b,
                                       SharePolicy policy, const Resources& cluster) {
  switch (policy) {
    case SharePolicy::fair:
      return compare_fair(a, b);
    case SharePolicy::drf:
      return cluster.dimensions_used() > 2 ? compare_drf<float>(a, b, cluster)
                                           : compare_drf<double>(a, b, cluster);
    case SharePolicy::fifo:
      break;
  }
  return b.priority <=> a.priority;
}

}  // namespace

bool may_stand_below(SharePolicy child, SharePolicy parent, PolicyRule rule) {
  switch (rule) {
    case PolicyRule::by_depth:
      break;
    case PolicyRule::by_parent:
      return parent == SharePolicy::drf ||
             (parent == SharePolicy::fair && child != SharePolicy::drf);
  }
  return parent != SharePolicy::fifo;
}

std::strong_ordering compare(const Schedulable& a, const Schedulable& b, SharePolicy policy,
                             const Resources& cluster) {
  const std::strong_ordering result = compare_by_policy(a, b, policy, cluster);
  return result != 0 ? result : compare_ties(a, b);
}

float size_based_weight(std::int64_t demand_mib) {
  return static_cast<float>(std::log2(1.0 + static_cast<double>(demand_mib)));
}

}  // namespace tracebed
