// Samples what the scheduler made of the nodes when it placed something, evenly over a run.
#pragma once

#include <cstddef>
#include <vector>

#include "core/cluster_model.h"
#include "core/scheduler_view.h"
#include "report/sampled_choices.h"

namespace tracebed {

class ChoiceSampler {
 public:
  static constexpr std::size_t kept_max = 40;
  static constexpr std::size_t ranked_max = 5;  // nodes of a choice

  // The first choice since the last sample, if there was one: the others are not looked at. Every
  // second one is dropped when there are too many, and from then on every second one is not kept.
  void take(const SchedulerView& view, const ClusterModel& cluster);

  const std::vector<SampledChoice>& choices() const { return choices_; }

 private:
  std::vector<SampledChoice> choices_;
  std::size_t stride_ = 1;
  std::size_t taken_ = 0;
};

}  // namespace tracebed
