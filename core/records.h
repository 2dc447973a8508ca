// What a run records about its jobs and attempts, one record when each ends. The report is made
// only from these.
#pragma once

#include <cstdint>
#include <string>

#include "core/devices.h"
#include "core/fleet.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/resources.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// One container's life. Times that were not reached are `never`.
// For a task: allocated ≤ started ≤ ended ≤ reported. Launch latency is started − allocated,
// heartbeat delay reported − ended, contention (ended − the later of started and work_begun) −
// work.duration.
struct AttemptRecord {
  ApplicationId application;
  JobId job;
  UserId user;
  QueueId queue;
  LeafId leaf;  // where its application was when the container was allocated
  // Of what was launched, (job, application_attempt, is_master, stage, task, attempt) is unique.
  std::uint32_t application_attempt = 1;  // at the application's master; always 1 if it is not in a
                                          // container
  std::uint16_t stage = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt = 1;
  std::uint32_t units = 1;  // tasks of a gang in this container
  bool is_master = false;   // the application's master ran in it; stage and task are meaningless,
                            // and `attempt` is the master's
  bool launched = false;    // false: released or lost before a task was started in it
  ContainerId container;
  NodeId node;
  Locality locality = Locality::none_asked;
  Resources resources;
  TraceTime asked{};  // when its task began to wait
  TraceTime allocated{};
  TraceTime work_begun{};  // of a task that waited (a reduce before the last map): when it might
                           // begin; its work began then, or when it started; a master registered
  TraceTime reported{};    // when the end was reported to the engine
  Duration nominal{};      // work.duration
  // Parts of the task's whole work, in millionths: what earlier attempts had kept when this one
  // began, and what was kept when it ended as checkpointed.
  std::uint32_t progress_begun = 0;
  std::uint32_t progress_kept = 0;
  ContainerEnd end = ContainerEnd::succeeded;
  ContainerAccount account;
  DeviceShares devices;  // of the node; empty if it had none
};

struct JobRecord {
  ApplicationId application;
  JobId job;
  std::string name;
  UserId user;
  QueueId queue;  // as the trace names it
  LeafId leaf;    // that it was in at its end; invalid if it never was in one
  JobKind kind = JobKind::map_reduce;
  std::int32_t priority = 0;
  JobOutcome outcome = JobOutcome::succeeded;
  std::string diagnostics;
  std::uint32_t tasks = 0;
  std::uint32_t attempts = 0;  // launched, of which some may end after the job
  TraceTime due{};             // submit time in the trace
  TraceTime submitted{};       // when it really was submitted
  TraceTime first_allocated = never;
  TraceTime finished{};
  TraceTime deadline = never;  // by when it was to have ended; `never`: there was no goal
  Duration ideal{};            // ideal_duration()
};

// A container that was marked for preemption, when it no longer is.
struct PreemptionRecord {
  ApplicationId application;
  JobId job;
  QueueId queue;
  LeafId leaf;
  ContainerId container;
  NodeId node;
  Resources resources;
  PreemptionKind kind = PreemptionKind::negotiable;
  PreemptionPurpose purpose = PreemptionPurpose::balance;
  TraceTime asked{};
  TraceTime notified = never;  // when its master was first notified; `never`: it was not
  TraceTime deadline = never;
  TraceTime ended{};
  PreemptionEnd end = PreemptionEnd::given_up;
};

// Of all devices (core/devices.h) on alive nodes, in thousandths of a device.
struct DeviceSample {
  std::int64_t free = 0;
  // Of that, what no typical task could use (coordinator/engine/fragmentation.h).
  std::int64_t fragments = 0;
};

// A point of the cluster's state, after a round in which it changed.
struct ClusterSample {
  TraceTime at{};
  Resources capacity;  // alive nodes
  Resources allocated;
  std::uint32_t containers = 0;
  std::uint32_t jobs_open = 0;     // submitted, not ended
  std::uint32_t jobs_waiting = 0;  // of those, without a container so far
  DeviceSample devices;
};

// The receiver of records. The engine calls it; implementations write, aggregate or drop them.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // A leaf queue of the scheduler; called before the first record that names it.
  virtual void leaf_named(LeafId /*leaf*/, const std::string& /*path*/) {}
  virtual void attempt_ended(const AttemptRecord& record) = 0;
  virtual void job_ended(const JobRecord& record) = 0;
  virtual void preemption_ended(const PreemptionRecord& record) = 0;
  virtual void sampled(const ClusterSample& sample) = 0;
};

}  // namespace tracebed
