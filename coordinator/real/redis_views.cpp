#include "coordinator/real/redis_views.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/real/redis_round_log.h"

namespace tracebed {

namespace {

std::string text(std::integral auto number) {
  return fmt::format("{}", number);
}
std::string text(TraceTime time) {
  return fmt::format("{}", to_microseconds(time));
}
template <class Tag>
std::string text(Id<Tag> id) {
  return fmt::format("{}", id.value());
}

}  // namespace

RedisViews::RedisViews(RedisConnection& connection, std::string_view run, const Names& names)
    : connection_(connection), prefix_(redis_key(run, "")), names_(names) {}

void RedisViews::arrived(const Round& round) {
  for (const Arrival& arrival : round.arrivals) {
    std::visit([&](const auto& a) { show(round, a); }, arrival);
  }
}

void RedisViews::commanded(std::span<const Command> commands) {
  for (const Command& c : commands) std::visit([this](const auto& each) { command(each); }, c);
}

void RedisViews::show(const Round& round, const JobSubmitted& submitted) {
  const Job& job = round.jobs()[submitted.job];
  std::uint64_t tasks = 0;
  for (const Stage& stage : job.stages) tasks += task_count(stage);
  connection_.send({"HSET", job_key(job.id), "name", job.name, "user", names_.users.name(job.user),
                    "queue", names_.queues.name(job.queue), "submitted", text(round.now), "tasks",
                    text(tasks), "state", "open", "containers", "0"});
  count_jobs(job.queue, 1, 0);
  // Applications are numbered in the order of submission.
  applications_.push_back({job.id, job.queue});
}

void RedisViews::show(const Round& round, const NodeJoined& joined) {
  const Machine& machine = round.machines[joined.machine];
  if (joined.node.index() >= nodes_.size()) nodes_.resize(joined.node.index() + 1);
  nodes_[joined.node.index()] = {machine.name};
  connection_.send({"HSET", node_key(joined.node), "rack", machine.rack, "milli_vcores",
                    text(machine.capacity.milli_vcores()), "memory_mib",
                    text(machine.capacity.memory_mib()), "state", "alive", "since", text(round.now),
                    "containers", "0"});
}

void RedisViews::show(const Round& round, const NodeLost& lost) {
  connection_.send({"HSET", node_key(lost.node), "state", "lost", "since", text(round.now)});
  show_no_use(lost.node);
}

void RedisViews::show_no_use(NodeId node) {
  connection_.send({"HSET", node_key(node), "used_milli_vcores", "0", "used_memory_mib", "0"});
}

// A heartbeat has the use since the one before, of containers that may have ended meanwhile.
void RedisViews::show(const Round& round, const NodeHeartbeat& heartbeat) {
  if (nodes_.at(heartbeat.node.index()).containers == 0) {
    connection_.send({"HSET", node_key(heartbeat.node), "heartbeat", text(round.now)});
    return show_no_use(heartbeat.node);
  }
  connection_.send({"HSET", node_key(heartbeat.node), "heartbeat", text(round.now),
                    "used_milli_vcores", text(heartbeat.used.milli_vcores()), "used_memory_mib",
                    text(heartbeat.used.memory_mib())});
}

void RedisViews::show(const Round&, const AdministratorCommand& order) {
  if (order.kind == AdministratorCommandKind::move || order.node.index() >= nodes_.size()) return;
  connection_.send({"HSET", node_key(order.node), "drained",
                    order.kind == AdministratorCommandKind::drain ? "1" : "0"});
}

void RedisViews::command(const LaunchContainer& launch) {
  const ApplicationView& application = applications_.at(launch.application.index());
  connection_.send({"HSET", container_key(launch.container), "job", text(application.job), "task",
                    fmt::format("{}/{}", launch.task.stage, launch.task.index), "attempt",
                    text(launch.attempt), "node", nodes_.at(launch.node.index()).name,
                    "milli_vcores", text(launch.limits.milli_vcores()), "memory_mib",
                    text(launch.limits.memory_mib()), "state",
                    launch.is_held ? "held" : "running"});
  count_container(launch.application, launch.node, 1);
}

void RedisViews::command(const LaunchGangContainers& gang) {
  visit_containers(gang, [this](const LaunchContainer& launch) { command(launch); });
}

void RedisViews::command(const ContinueContainer& proceed) {
  connection_.send({"HSET", container_key(proceed.container), "state", "running"});
}

void RedisViews::command(const KillContainer& kill) {
  connection_.send({"HSET", container_key(kill.container), "state", "being killed"});
}

void RedisViews::command(const CheckpointContainer& order) {
  connection_.send({"HSET", container_key(order.container), "state", "checkpointing"});
}

void RedisViews::command(const LaunchMaster& launch) {
  const ApplicationView& application = applications_.at(launch.application.index());
  connection_.send({"HSET", container_key(launch.container), "job", text(application.job), "task",
                    "master", "attempt", text(launch.attempt), "node",
                    nodes_.at(launch.node.index()).name, "milli_vcores",
                    text(launch.limits.milli_vcores()), "memory_mib",
                    text(launch.limits.memory_mib()), "state", "running"});
  count_container(launch.application, launch.node, 1);
}

void RedisViews::attempt_ended(const AttemptRecord& record) {
  if (!record.launched) return;
  connection_.send({"DEL", container_key(record.container)});
  count_container(record.application, record.node, -1);
}

void RedisViews::count_container(ApplicationId application, NodeId node, int change) {
  ApplicationView& of = applications_.at(application.index());
  const auto count = [&](const std::string& key, std::int64_t& containers) {
    containers += change;
    connection_.send({"HSET", key, "containers", text(containers)});
  };
  count(job_key(of.job), of.containers);
  count(queue_key(of.queue), view_of(of.queue).containers);
  count(node_key(node), nodes_.at(node.index()).containers);
  if (nodes_.at(node.index()).containers == 0) show_no_use(node);
}

void RedisViews::count_jobs(QueueId queue, int opened, int ended) {
  QueueView& view = view_of(queue);
  view.jobs_open += opened - ended;
  view.jobs_ended += ended;
  connection_.send({"HSET", queue_key(queue), "jobs_open", text(view.jobs_open), "jobs_ended",
                    text(view.jobs_ended)});
}

RedisViews::QueueView& RedisViews::view_of(QueueId queue) {
  if (queue.index() >= queues_.size()) queues_.resize(queue.index() + 1);
  queues_[queue.index()].is_shown = true;
  return queues_[queue.index()];
}

void RedisViews::job_ended(const JobRecord& record) {
  connection_.send({"HSET", job_key(record.job), "state", name(record.outcome), "finished",
                    text(record.finished), "attempts", text(record.attempts), "diagnostics",
                    record.diagnostics});
  count_jobs(record.queue, 0, 1);
}

void RedisViews::preemption_ended(const PreemptionRecord& record) {
  if (!record.queue.is_valid()) return;  // its application is over
  const std::string field = "preemptions_" + std::string(name(record.end));
  for (const std::string& key : {job_key(record.job), queue_key(record.queue)}) {
    connection_.send({"HSET", key, field, text(++preemptions_[key + " " + field])});
  }
}

std::int64_t RedisViews::keys() const {
  const auto queues = std::count_if(queues_.begin(), queues_.end(),
                                    [](const QueueView& queue) { return queue.is_shown; });
  return static_cast<std::int64_t>(applications_.size() + nodes_.size()) + queues +
         (has_run_key_ ? 1 : 0);
}

void RedisViews::sampled(const ClusterSample& sample) {
  has_run_key_ = true;
  connection_.send({"HSET", prefix_ + "run", "now", text(sample.at), "jobs_open",
                    text(sample.jobs_open), "jobs_waiting", text(sample.jobs_waiting), "containers",
                    text(sample.containers)});
}

std::string RedisViews::job_key(JobId job) const {
  return fmt::format("{}job:{}", prefix_, job.value());
}
std::string RedisViews::container_key(ContainerId container) const {
  return fmt::format("{}container:{}", prefix_, container.value());
}
std::string RedisViews::node_key(NodeId node) const {
  return fmt::format("{}node:{}", prefix_, nodes_.at(node.index()).name);
}
std::string RedisViews::queue_key(QueueId queue) const {
  return fmt::format("{}queue:{}", prefix_, names_.queues.name(queue));
}

}  // namespace tracebed
