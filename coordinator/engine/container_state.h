// What the engine keeps for a container in addition to the cluster model, which has what schedulers
// need.
#pragma once

#include <cstdint>

#include "core/ids.h"
#include "core/paged_table.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

struct ContainerState {
  JobId job;
  // Of its application, as it was when this was allocated: the container may outlive it.
  UserId user;
  QueueId queue;
  LeafId leaf;
  // The attempt at the application's master that holds it, from 1 (YARN's ApplicationAttemptId);
  // each attempt numbers those at its tasks anew.
  std::uint32_t application_attempt = 1;

  // Of what was launched in it, once something was.
  std::uint32_t attempt = 1;
  std::uint32_t progress = 0;  // of its task's work, done by earlier attempts and kept; millionths
  TaskRef task;                // of a gang, the first of the tasks in this container
  bool is_held = false;        // its work begins only when its master starts it (work_begun)
  bool is_orphan = false;  // of a failed attempt at the master: its end is reported to no master
  // In which another attempt at its task runs beside this one; invalid: none.
  ContainerId twin;
  // Its twin has succeeded, so whatever becomes of this attempt does not count.
  bool is_superseded = false;
  bool is_preempted = false;      // it is being killed because it was marked for preemption
  bool is_checkpointing = false;  // its task was ordered to keep its progress
  TraceTime waiting_since{};      // when this attempt began to wait for a container
  TraceTime work_begun{};         // AttemptRecord::work_begun
  Duration nominal{};             // the work's duration
};

// Same ids as the model's.
using ContainerStates = PagedTable<ContainerId, ContainerState>;

}  // namespace tracebed
