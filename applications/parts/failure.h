// Which ends of a container count against a task's attempts.
#pragma once

#include "core/outcomes.h"

namespace tracebed {

// True if the task failed by itself; false if it succeeded, or the system ended its container.
constexpr bool is_failure(ContainerEnd end) {
  switch (end) {
    case ContainerEnd::failed:
    case ContainerEnd::out_of_memory:
    case ContainerEnd::launch_failed:
    case ContainerEnd::timed_out:
    case ContainerEnd::heap_exhausted:
    case ContainerEnd::virtual_memory_exceeded:
      return true;
    case ContainerEnd::succeeded:
    case ContainerEnd::killed:
    case ContainerEnd::released:
    case ContainerEnd::node_lost:
    case ContainerEnd::preempted:
    case ContainerEnd::checkpointed:
      return false;
  }
  return false;
}

}  // namespace tracebed
