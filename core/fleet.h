// The one port of the engine: commands go out, arrivals come in. Virtual, real and recorded fleets
// implement it; the engine cannot tell them apart.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/cluster_model.h"
#include "core/decisions.h"
#include "core/devices.h"
#include "core/ids.h"
#include "core/immutable.h"
#include "core/machines.h"
#include "core/master_calls.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/scheduler.h"
#include "core/storage_inputs.h"
#include "core/task_account.h"
#include "core/task_work.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// ---- commands ----
//
// Each is a self-contained value: it may be queued, logged and compared.

struct LaunchContainer {
  ContainerId container;
  NodeId node;
  ApplicationId application;
  TaskRef task;
  std::uint32_t attempt = 1;
  Resources limits;
  TaskWork work;
  // Its work, and with it work.duration, begins only with ContinueContainer.
  bool is_held = false;
  DeviceShares devices = {};  // of its node that it has

  bool operator==(const LaunchContainer&) const = default;
};
// The containers of a gang whose tasks all do the same work, at once. Their ids are consecutive,
// and so are those of their tasks.
struct LaunchGangContainers {
  ContainerId first;
  ApplicationId application;
  TaskRef task;  // the first one of the first container
  std::uint32_t attempt = 1;
  Resources limits;                        // of a task; a container has those of its tasks together
  TaskWork work;                           // of a task
  GangPieces pieces;                       // by container
  std::vector<DeviceShares> devices = {};  // likewise; empty if none has any

  bool operator==(const LaunchGangContainers&) const = default;
};
// The work of a container that was launched held begins: now, or when its process runs if that is
// later. Ignored for a container that ended meanwhile.
struct ContinueContainer {
  ContainerId container;
  NodeId node;

  bool operator==(const ContinueContainer&) const = default;
};
struct KillContainer {
  ContainerId container;
  NodeId node;

  bool operator==(const KillContainer&) const = default;
};
// Its task is asked to keep its progress and end. Ignored for a container that ended meanwhile, and
// when repeated.
struct CheckpointContainer {
  ContainerId container;
  NodeId node;

  bool operator==(const CheckpointContainer&) const = default;
};
// An application's master is started in its container: it runs the job's master there, and calls.
struct LaunchMaster {
  ContainerId container;
  NodeId node;
  ApplicationId application;
  std::uint32_t attempt = 1;
  Resources limits;
  Immutable<Job> job;
  // By id, those known so far: where input may be. Of each only the name, rack and labels count.
  Immutable<std::vector<Node>> nodes;

  bool operator==(const LaunchMaster&) const = default;
};
// For the master that called, if its process still runs.
struct AnswerMaster {
  MasterAnswer answer;

  bool operator==(const AnswerMaster&) const = default;
};
// The output that a task keeps for one of the later stages (core/shuffle.h) can be fetched: from
// that byte of what the task of the container made on the node. A source that is ready again is so
// there: its output elsewhere may be lost.
struct MapOutputReady {
  JobId job;
  std::uint16_t stage = 0;  // that fetches it
  std::uint32_t source = 0;
  ContainerId container;
  NodeId node;
  std::int64_t offset = 0;

  bool operator==(const MapOutputReady&) const = default;
};
// The job has ended: none of its tasks' outputs is kept any longer.
struct RemoveMapOutputs {
  JobId job;

  bool operator==(const RemoveMapOutputs&) const = default;
};
// Three of them are the namenode's (core/storage_inputs.h).
using Command =
    std::variant<LaunchContainer, LaunchGangContainers, ContinueContainer, KillContainer,
                 LaunchMaster, AnswerMaster, CheckpointContainer, AnswerDatanode, StoreReplicas,
                 AnswerStorageCall, MapOutputReady, RemoveMapOutputs>;

// Calls visit(LaunchContainer) for each container of the gang, for fleets that launch one by one.
template <class Visitor>
void visit_containers(const LaunchGangContainers& gang, Visitor&& visit) {
  LaunchContainer one{.application = gang.application, .task = gang.task, .attempt = gang.attempt};
  for (std::size_t i = 0; i < gang.pieces.size(); ++i) {
    const GangPiece& piece = gang.pieces[i];
    one.container = gang.first + i;
    one.node = piece.node;
    one.limits = gang.limits * piece.units;
    one.work = side_by_side(gang.work, piece.units);
    if (!gang.devices.empty()) one.devices = gang.devices[i];
    visit(std::as_const(one));
    one.task.index += piece.units;
  }
}

// ---- arrivals ----

// A job's submit time was reached; `job` indexes Round::jobs.
struct JobSubmitted {
  std::uint32_t job = 0;
};
// The machine is in Round::machines. A node id that was seen before is the same node coming back,
// with none of the containers it had unless the fleet reports them in later rounds.
struct NodeJoined {
  NodeId node;
  std::uint32_t machine = 0;
};
struct NodeLost {
  NodeId node;
};
// What a container used, measured (real) or modelled (virtual). Times are trace times. What its
// task read from storage and fetched is part of `bytes_read`, what it wrote there of
// `bytes_written`.
struct ContainerAccount : TaskAccount {
  TraceTime started{};  // its process began; equal to `ended` if it never did
  TraceTime ended{};
  Duration cpu_time{};
  std::int64_t memory_peak_mib = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int32_t exit_code = 0;  // of a normal exit
  std::int32_t signal = 0;     // 0 if it exited by itself
  // The part of its work that was done and kept, in millionths; 0 unless it ended as checkpointed.
  std::uint32_t progress = 0;

  // Of one that used nothing, and ended then.
  static ContainerAccount nothing_at(TraceTime moment) {
    ContainerAccount account;
    account.started = account.ended = moment;
    return account;
  }

  // The account of a container in which `count` tasks each used as much as this one.
  ContainerAccount times(std::uint32_t count) const {
    ContainerAccount account = *this;
    account.cpu_time *= count;
    account.memory_peak_mib *= count;
    account.bytes_read *= count;
    account.bytes_written *= count;
    account.TaskAccount::operator*=(count);
    return account;
  }
};
// A container ended. Comes before the heartbeat that reported it, if one did.
struct ContainerEnded {
  ContainerId container;
  NodeId node;
  ContainerEnd end = ContainerEnd::succeeded;
  ContainerAccount account;
};
// All containers of a gang that was launched at once (LaunchGangContainers) ended with success, at
// one time.
struct GangEnded {
  ContainerId first;
  std::uint32_t containers = 0;
  ContainerAccount account;  // of a task
};
struct NodeHeartbeat {
  NodeId node;
  Resources used;  // measured use: vcores as CPU time over the last period, memory as resident
  // The part of the last ten seconds in which some task on the machine waited for I/O, in
  // thousandths (Linux: "some avg10" of /proc/pressure/io); -1 if unknown.
  std::int32_t io_pressure = -1;
};
enum class CancelReason : std::uint8_t {
  user,        // Ctrl-C, or a cancel request
  stalled,     // open jobs can make no progress
  livelocked,  // they lost their containers to preemption again and again, and never completed any
};
// The run is to end: running containers are killed, open jobs end as killed.
struct RunCancelled {
  CancelReason reason = CancelReason::user;
};

// The commands of the cluster's administrator.
enum class AdministratorCommandKind : std::uint8_t {
  move,     // the container's task is to run elsewhere
  drain,    // the node takes no new containers; those that it has are marked for preemption
  undrain,  // it is back in service
};
struct AdministratorCommand {
  AdministratorCommandKind kind = AdministratorCommandKind::drain;
  ContainerId container;  // of a move
  NodeId node;            // drained or undrained; of a move, where to (invalid: anywhere else)
  Duration grace{};       // until containers are killed; of a move and a drain
};

// Other settings and files for the scheduler, as texts.
struct SchedulerConfiguration {
  std::map<std::string, std::string, std::less<>> settings;   // all of them
  std::map<std::string, std::string, std::less<>> documents;  // name of the setting → XML

  bool operator==(const SchedulerConfiguration&) const = default;
};
// The scheduler is to take another configuration; `configuration` indexes Round::configurations.
struct SchedulerRefreshed {
  std::uint32_t configuration = 0;
};

// A master in a container called; `call` indexes Round::master_calls.
struct MasterCalled {
  std::uint32_t call = 0;
};

// Something for the namenode; `input` indexes Round::storage.
struct StorageArrived {
  std::uint32_t input = 0;
};

using Arrival = std::variant<JobSubmitted, NodeJoined, NodeLost, ContainerEnded, GangEnded,
                             NodeHeartbeat, RunCancelled, SchedulerRefreshed, MasterCalled,
                             AdministratorCommand, StorageArrived, AttemptProgress, DecisionMade>;

// One step's worth of input: the time, and what arrived by then, in order. A run's decisions can be
// reproduced from the log of all rounds. The object is reused to save allocations.
class Round {
 public:
  TraceTime now{};
  std::vector<Arrival> arrivals;
  std::vector<Machine> machines;
  std::vector<SchedulerConfiguration> configurations;
  std::vector<MasterCall> master_calls;
  std::vector<StorageInput> storage;

  std::span<const Job> jobs() const { return std::span(jobs_).first(job_count_); }
  std::span<Job> jobs() { return std::span(jobs_).first(job_count_); }

  // A job to fill, in the memory of an earlier round's job. submit() makes it an arrival.
  Job& add_job() {
    if (job_count_ == jobs_.size()) jobs_.emplace_back();
    return jobs_[job_count_++];
  }
  // A master's call to fill; it already is an arrival.
  MasterCall& add_call() {
    arrivals.push_back(MasterCalled{static_cast<std::uint32_t>(master_calls.size())});
    return master_calls.emplace_back();
  }
  void add_storage(StorageInput input) {
    arrivals.push_back(StorageArrived{static_cast<std::uint32_t>(storage.size())});
    storage.push_back(std::move(input));
  }
  void submit(std::uint32_t job) { arrivals.push_back(JobSubmitted{job}); }
  void clear() {
    arrivals.clear();
    machines.clear();
    configurations.clear();
    master_calls.clear();
    storage.clear();
    job_count_ = 0;
  }

 private:
  std::vector<Job> jobs_;
  std::size_t job_count_ = 0;
};

// Makes a master's end of the conversation, for the container that it runs in. Must be
// deterministic.
using MasterHost = std::function<std::unique_ptr<HostedMaster>(const LaunchMaster&)>;

class Fleet {
 public:
  virtual ~Fleet() = default;

  // Hands over what was decided; called once after every round, also with no commands, so that the
  // interest is up to date. Must not block for longer than a send.
  virtual void execute(std::span<const Command> commands, const HeartbeatInterest& interest) = 0;

  // Waits until something arrives or `deadline` is reached; sets round.now (not before the last
  // round's, not after the deadline unless the fleet was late) and appends the arrivals. On timeout
  // it returns with no arrivals. With the deadline `never`, a fleet for which nothing more can
  // arrive returns with now == never.
  virtual void wait_until(TraceTime deadline, Round& round) = 0;

  // Called once, when the cluster is there and the commands of preloaded files were executed, if
  // there are any: from now on jobs are submitted at their times. A fleet whose datanodes still
  // have to store those files lets trace time begin when they have.
  virtual void begin_jobs() {}

  // True while arrivals are expected that no command or job causes, e.g. a machine's scheduled
  // return. A run without progress ends as stalled only if there are none.
  virtual bool expects_changes() const { return false; }
};

}  // namespace tracebed
