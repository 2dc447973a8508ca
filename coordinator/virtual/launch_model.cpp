#include "coordinator/virtual/launch_model.h"

#include <cmath>

namespace tracebed {

LaunchModel::LaunchModel(const VirtualOptions& options)
    : random_(Random::stream(options.seed, "virtual.launch_latency")),
      median_(options.is_ideal ? Duration::zero() : options.launch_latency_median) {
  if (median_ <= Duration::zero() || options.launch_latency_spread <= 1) return;
  // The 95th percentile of a log-normal is exp(mu + 1.6449 sigma), its median exp(mu).
  mu_ = std::log(static_cast<double>(median_.count()));
  sigma_ = std::log(options.launch_latency_spread) / 1.6448536269514722;
}

Duration LaunchModel::draw() {
  if (sigma_ == 0) return median_;
  return Duration(std::llround(random_.lognormal(mu_, sigma_)));
}

}  // namespace tracebed
