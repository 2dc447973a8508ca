// A running scheduler's queues at one moment, kept apart from the engine, so that another thread
// may use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/resources.h"
#include "core/scheduler_view.h"
#include "core/time.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

struct SchedulerSnapshot {
  std::string scheduler;  // its name in the registry
  SchedulerInfoForm form = SchedulerInfoForm::own;
  std::string label;  // in the experiment
  TraceTime at{};
  ResourceDimensions dimensions;
  // Of the nodes that take containers.
  std::size_t nodes = 0;
  Resources capacity;
  Resources free;
  std::uint64_t containers = 0;
  std::vector<QueueView> queues;  // as SchedulerView has them
};

}  // namespace tracebed
