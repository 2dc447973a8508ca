// The state of a run, as hashes that any Redis client can read while it is running:
//
//   tracebed:{RUN}:run                   now, jobs_open, jobs_waiting, containers
//   tracebed:{RUN}:job:NUMBER            name, user, queue, submitted, tasks, state, containers, …
//   tracebed:{RUN}:container:NUMBER      job, task, attempt, node, milli_vcores, memory_mib, state,
//                                        while the container lives
//   tracebed:{RUN}:node:NAME             rack, milli_vcores, memory_mib, state, drained,
//                                        containers, used_milli_vcores, used_memory_mib, …
//   tracebed:{RUN}:queue:NAME            jobs_open, jobs_ended, containers
//
// Once containers of a job were marked for preemption, it and its queue count the outcomes
// (core/preemption.h): preemptions_forced, preemptions_checkpointed and so on.
//
// Times are in trace microseconds. A node's usage is that of its last heartbeat, and zero once it
// has no containers or is lost. Views are for monitoring: no decision depends on them, they lag
// slightly, and a run can be rebuilt only from the log (coordinator/real/redis_round_log.h).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/real/redis_connection.h"
#include "core/fleet.h"
#include "core/names.h"
#include "core/records.h"
#include "core/visit.h"

namespace tracebed {

// Receives each round, the records that follow from it and its commands, in this order, and keeps
// the hashes up to date. What it sends goes out with whatever is sent next over the connection, as
// the log is.
class RedisViews final : public RecordSink {
 public:
  // `connection`, which others may use too, and `names` outlive the views.
  RedisViews(RedisConnection& connection, std::string_view run, const Names& names);

  void arrived(const Round& round);
  void commanded(std::span<const Command> commands);

  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  // Counts, by how they ended, in the hashes of the job and of its queue.
  void preemption_ended(const PreemptionRecord& record) override;
  void sampled(const ClusterSample& sample) override;

  // How many there are; those of containers end with them.
  std::int64_t keys() const;

 private:
  // By which later records of an application are looked up.
  struct ApplicationView {
    JobId job;
    QueueId queue;
    std::int64_t containers = 0;
  };
  struct NodeView {
    std::string name;
    std::int64_t containers = 0;
  };
  struct QueueView {
    bool is_shown = false;
    std::int64_t jobs_open = 0;
    std::int64_t jobs_ended = 0;
    std::int64_t containers = 0;
  };

  void show(const Round& round, const JobSubmitted& submitted);
  void show(const Round& round, const NodeJoined& joined);
  void show(const Round& round, const NodeLost& lost);
  void show(const Round& round, const NodeHeartbeat& heartbeat);
  void show(const Round& round, const AdministratorCommand& order);
  template <class Other>
  void show(const Round&, const Other&) {}
  void command(const LaunchContainer& launch);
  void command(const LaunchGangContainers& gang);
  void command(const ContinueContainer& proceed);
  void command(const KillContainer& kill);
  void command(const CheckpointContainer& order);
  void command(const LaunchMaster& launch);
  template <OneOf<AnswerMaster, AnswerDatanode, StoreReplicas, AnswerStorageCall, MapOutputReady,
                  RemoveMapOutputs>
                Other>
  void command(const Other&) {}
  void show_no_use(NodeId node);
  void count_container(ApplicationId application, NodeId node, int change);
  void count_jobs(QueueId queue, int opened, int ended);
  QueueView& view_of(QueueId queue);

  std::string job_key(JobId job) const;
  std::string container_key(ContainerId container) const;
  std::string node_key(NodeId node) const;
  std::string queue_key(QueueId queue) const;

  RedisConnection& connection_;
  std::string prefix_;
  bool has_run_key_ = false;
  const Names& names_;
  // Counters are kept here and Redis is sent their values, as it may be sent them twice
  // (RedisReturn).
  std::vector<NodeView> nodes_;                      // by node id
  std::vector<ApplicationView> applications_;        // by application id
  std::vector<QueueView> queues_;                    // by queue id
  std::map<std::string, std::int64_t> preemptions_;  // by key, a space and the field
};

}  // namespace tracebed
