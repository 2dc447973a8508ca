// A run at one moment: its queues, nodes and applications, kept apart from the engine, so that
// another thread may use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/scheduler_view.h"
#include "core/time.h"
#include "core/workload.h"
#include "report/sampled_choices.h"
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

struct NodeSnapshot {
  std::string name;
  std::string rack;
  std::vector<std::string> labels;
  bool is_present = false;   // Node::is_present
  bool is_withheld = false;  // Node::is_withheld
  Resources capacity;
  Resources free;
  std::uint32_t containers = 0;
};

// What the containers of an application have taken until now.
struct ApplicationUse {
  // Their memory and vcores, each times how long it was held.
  double mib_seconds = 0;
  double vcore_seconds = 0;
  // Of those that were taken from it.
  Resources preempted;
  std::uint32_t tasks_preempted = 0;
  std::uint32_t masters_preempted = 0;
};

enum class ApplicationPhase : std::uint8_t {
  submitted,  // the scheduler has not answered yet
  accepted,   // its master has not registered
  running,
  ended,
};

struct ApplicationSnapshot {
  ApplicationId id;
  std::string name;  // the job's
  std::string user;
  std::string queue;  // the leaf that it is in; before, as the trace names it
  JobKind kind = JobKind::map_reduce;
  ApplicationPhase phase = ApplicationPhase::submitted;
  JobOutcome outcome = JobOutcome::succeeded;  // of one that has ended
  std::string diagnostics;
  std::int32_t priority = 0;
  TraceTime submitted{};
  TraceTime first_allocated = never;
  TraceTime finished = never;
  std::uint32_t tasks = 0;
  std::uint32_t tasks_succeeded = 0;
  bool has_managed_master = false;  // it runs in a container
  std::string master_node;          // empty: in none now
  Resources used;
  std::uint32_t containers = 0;
  Resources reserved;
  std::uint32_t containers_reserved = 0;
  Resources pending;  // what it asks for
  std::uint64_t containers_pending = 0;
  ApplicationUse use;
};

// Since the replay began.
struct ApplicationCounts {
  std::uint64_t submitted = 0;
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t rejected = 0;
  std::uint64_t killed = 0;
};

struct RunSnapshot {
  SchedulerSnapshot scheduler;
  // When the replay's trace time was 0, in milliseconds since 1970: tells one replay from another.
  std::int64_t began_ms = 0;
  std::vector<NodeSnapshot> nodes;  // by id
  // Those that are open, by id, then the last that ended, the latest first.
  std::vector<ApplicationSnapshot> applications;
  ApplicationCounts counts;
  std::vector<SampledChoice> choices;  // by time
};

}  // namespace tracebed
