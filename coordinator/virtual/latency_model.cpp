#include "coordinator/virtual/latency_model.h"

#include <cmath>

namespace tracebed {

LatencyModel::LatencyModel(const LatencySpread& latency, Random random)
    : random_(random), median_(latency.median) {
  if (median_ <= Duration::zero() || latency.spread <= 1) return;
  // The 95th percentile of a log-normal is exp(mu + 1.6449 sigma), its median exp(mu).
  mu_ = std::log(static_cast<double>(median_.count()));
  sigma_ = std::log(latency.spread) / 1.6448536269514722;
}

Duration LatencyModel::draw(Random& random) const {
  if (sigma_ == 0) return median_;
  return Duration(std::llround(random.lognormal(mu_, sigma_)));
}

}  // namespace tracebed
