#include "schedulers/multi_resource/dominant_share.h"

#include "core/check.h"

namespace tracebed {

DominantShare::DominantShare(const Resources& used, const Resources& total, std::int64_t weight) {
  TRACEBED_CHECK(weight > 0 && weight <= weight_max, "weights are positive and bounded");
  for (std::size_t d = 0; d < total.dimensions_used(); ++d) {
    if (total[d] <= 0 || WideAmount{used[d]} * total_ <= used_ * total[d]) continue;
    used_ = used[d];
    total_ = total[d];
    dimension_ = d;
  }
  used_ *= weight_of_one;
  total_ *= weight;
}

double DominantShare::value() const {
  return static_cast<double>(used_) / static_cast<double>(total_);
}

}  // namespace tracebed
