// The messages between coordinator and agent as plain structs. protocol/wire_codec.h turns them
// into bytes.
//
// The conversation. An agent opens with Hello, under a session number that it never used before,
// and is answered with Welcome or Refuse. After a Welcome the agent sends Heartbeats, each answered
// with a HeartbeatAck, and the coordinator sends LaunchBatch, ContinueBatch, KillBatch,
// CheckpointBatch and at the end Shutdown. Goodbye notifies the coordinator that the agent leaves
// of its own accord.
//
// Repeats and losses. Each direction of a session numbers its messages from 1. A receiver drops a
// message of another run, epoch or session, and one whose sequence is not greater than the last; so
// a repeat changes nothing. An agent that detects a gap in the coordinator's sequence, or receives
// nothing for `silence_max`, sends Hello again under a new session, with every running container
// and every exit that was not acknowledged: both sides then agree again, whatever was lost.
// Launches, kills, checkpoints and exits are also harmless to repeat by themselves, since container
// ids are never used twice in a run.
//
// An agent is started for one run, or is long-running: it serves run after run of a cluster's
// coordinator. A long-running agent opens with Hello of the run that its containers belong to, or
// of `no_run`; Welcome names the run that it serves from then on. Shutdown ends its part in that
// run: it ends the containers, forgets their exits, sends Goodbye and then Hello of `no_run`.
// Shutdown also answers a Hello of a run that is over. A refused one logs the reason and keeps
// sending Hello.
//
// A long-running agent answers a Welcome with a Heartbeat at once, so that the coordinator knows
// the offset of its clock from the start (ClockEcho); every later Heartbeat measures that anew.
//
// A master in a container opens with MasterHello under the session that its LaunchMaster named, and
// is answered with MasterJob or Refuse. It then sends MasterCalls, each of which is answered with a
// MasterAnswer (core/master_calls.h defines them); it repeats one that is not answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/cpu_enforcement.h"
#include "core/devices.h"
#include "core/ids.h"
#include "core/master_calls.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/task_account.h"
#include "core/task_work.h"
#include "core/workload.h"
#include "protocol/protocol_version.h"
#include "protocol/wire_datanodes.h"

namespace tracebed::wire {

// The run of a long-running agent that serves none; no run has this name.
inline constexpr const char* no_run = "-";

// CLOCK_REALTIME of the sender's machine.
using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;
using WallDuration = std::chrono::nanoseconds;

// What enforces a container's limits.
enum class Isolation : std::uint8_t {
  none,  // nothing: cgroups cannot be written on this machine
  cgroup_v1,
  cgroup_v2,
};

struct Envelope {
  std::string run;             // both sides know it from their command lines
  std::uint64_t epoch = 0;     // the coordinator's incarnation; 0 in a Hello
  std::uint64_t session = 0;   // chosen by the agent for each Hello, growing; never 0
  std::uint64_t sequence = 0;  // from 1, per session and direction

  bool operator==(const Envelope&) const = default;
};

// How a container ended, with its exact account.
struct ContainerExit {
  std::uint64_t sequence = 0;  // numbered by the agent's launcher from 1; see HeartbeatAck
  ContainerId container;
  ContainerEnd end = ContainerEnd::succeeded;
  WallTime started{};  // its process began; equal to `ended` if it never did
  WallTime ended{};
  WallDuration cpu_time{};
  std::int64_t memory_peak_bytes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  TaskAccount account;         // as the task reported it
  std::int32_t exit_code = 0;  // of a normal exit
  std::int32_t signal = 0;     // 0 if it exited by itself
  std::uint32_t progress = 0;  // of its work, in millionths; 0 unless it was checkpointed
  std::string diagnostics;     // empty if there is nothing to add

  bool operator==(const ContainerExit&) const = default;
};

struct ContainerStart {
  ContainerId container;
  WallTime at{};

  bool operator==(const ContainerStart&) const = default;
};

struct Hello {
  std::uint32_t protocol_version = wire::protocol_version;
  std::string agent;  // the machine's name in the experiment
  std::string rack;
  std::vector<std::string> labels;
  Resources capacity;
  Isolation isolation = Isolation::none;
  std::string address;  // loopback or interface address that its tasks bind
  WallTime wall_clock{};
  std::vector<ContainerId> running;  // started or about to be
  std::vector<ContainerExit> exits;  // not acknowledged yet
  std::string software = "unknown";  // its version of Tracebed
  std::string host = "unknown";      // distinguishes two machines that claim one name
  std::uint32_t speed = 1'000;       // Machine::speed
  // A long-running agent without a launcher can run nothing, and reports that; it has no isolation
  // then, and no containers.
  bool has_launcher = true;
  // In a run with a shuffle it has a shuffle server, without which it has no part in such a run.
  bool keeps_outputs = false;

  bool operator==(const Hello&) const = default;
};

// All durations are wall time.
struct Welcome {
  std::uint32_t protocol_version = wire::protocol_version;
  NodeId node;
  WallDuration heartbeat_period{};
  bool out_of_band_heartbeat = false;  // send one as soon as a container ends
  double time_scale = 1;               // trace seconds per wall second, for logs and task profiles
  WallDuration silence_max{};          // receiving nothing for longer: the coordinator is lost
  WallDuration orphan_grace{};         // containers are kept that long after; 0: ended at once
  WallTime sent{};                     // by the coordinator's clock
  std::string namenode;     // ADDRESS:PORT of the run's, for its tasks; empty if it has no storage
  std::string shuffle_key;  // that its shuffle servers know jobs' tasks by; empty: it has none
  SetDatanodeRates shuffle_rates;  // of the shuffle server, unless its machine's links are shared
  // All containers of the agent together have no more CPU time than its vcores; always so where
  // they have weights.
  bool shares_vcores = false;
  CpuEnforcement cpu_enforcement = CpuEnforcement::quota;

  bool operator==(const Welcome&) const = default;
};

// The agent cannot take part, for this reason; it ends unless it is long-running.
struct Refuse {
  std::uint32_t coordinator_version = wire::protocol_version;
  std::uint32_t agent_version = 0;
  std::string reason;

  bool operator==(const Refuse&) const = default;
};

// The stamp of a coordinator's message, returned with the time at which the agent received it: with
// the heartbeat's own stamp and its receipt, the offset between the two clocks.
struct ClockEcho {
  WallTime sent{};      // by the coordinator's clock
  WallTime received{};  // by the agent's

  bool operator==(const ClockEcho&) const = default;
};

// What the processors of the agent's machine have done since it started, in microseconds of
// processor time over all of them (system/processor_load.h).
struct ProcessorSums {
  std::int64_t busy_us = 0;
  std::int64_t stolen_us = 0;
  std::int64_t idle_us = 0;
  std::int64_t own_us = 0;  // of the agent and its containers

  bool operator==(const ProcessorSums&) const = default;
};

struct Heartbeat {
  WallTime wall_clock{};                    // when it was sent
  std::int64_t used_milli_vcores = 0;       // CPU time of all containers over the last period
  std::int64_t used_memory_mib = 0;         // resident now
  std::vector<ContainerStart> started;      // since the last heartbeat
  std::vector<ContainerExit> exits;         // every one not acknowledged yet, ascending by sequence
  std::int32_t io_pressure = -1;            // NodeHeartbeat::io_pressure
  std::optional<ClockEcho> echo;            // of the session's latest Welcome or HeartbeatAck
  std::optional<ProcessorSums> processors;  // if the agent's kernel reports them
  std::uint16_t shuffle_port = 0;           // of its shuffle server; 0: there is none, or not yet
  // Of running tasks whose work has them state it (TaskWork::progress_interval), at most
  // starts_max.
  std::vector<AttemptProgress> progress = {};

  bool operator==(const Heartbeat&) const = default;
};

struct HeartbeatAck {
  std::uint64_t heartbeat = 0;    // the envelope sequence of the heartbeat answered
  std::uint64_t exits_up_to = 0;  // exits up to this one are safe with the coordinator; forget them
  WallTime sent{};                // by the coordinator's clock
  // What their tasks keep for each other is no longer needed (YARN: NodeHeartbeatResponse.
  // getApplicationsToCleanup). What is not cleaned up is until the run ends.
  std::vector<JobId> ended_jobs = {};

  bool operator==(const HeartbeatAck&) const = default;
};

struct Launch {
  ContainerId container;
  ApplicationId application;
  TaskRef task;
  std::uint32_t attempt = 1;
  Resources limits;
  TaskWork work;              // in wall time: trace time ÷ time scale
  WallDuration time_limit{};  // of work; then it is killed and reported as timed out. 0: no limit
  // Its process starts, but its work waits for a ContinueBatch that names it.
  bool is_held = false;
  // Maximum above which it is killed, by checks at the interval below. 0: no checks.
  std::int64_t virtual_memory_limit_mib = 0;
  WallDuration memory_look{};
  std::string devices;  // for its environment (device_variable); empty if it has none

  bool operator==(const Launch&) const = default;
};

struct LaunchBatch {
  std::vector<Launch> launches;
  bool operator==(const LaunchBatch&) const = default;
};

// The work of these held containers begins. Containers that are not held, or unknown, are ignored.
struct ContinueBatch {
  std::vector<ContainerId> containers;
  bool operator==(const ContinueBatch&) const = default;
};

struct KillBatch {
  std::vector<ContainerId> containers;  // those that ended already are ignored
  bool operator==(const KillBatch&) const = default;
};

// The tasks in these containers keep their progress and end. Containers that ended already, masters
// and those that were notified before are ignored.
struct CheckpointBatch {
  std::vector<ContainerId> containers;
  bool operator==(const CheckpointBatch&) const = default;
};

// A master's credentials if there are keys (CurveZMQ, Z85); made for it alone.
struct MasterKeys {
  std::string own_public;
  std::string own_secret;
  std::string coordinator;  // public

  bool operator==(const MasterKeys&) const = default;
};

// As Launch, for an application's master: tracebed-appmaster, which connects to the coordinator
// itself.
struct LaunchMaster {
  ContainerId container;
  ApplicationId application;
  std::uint32_t attempt = 1;
  Resources limits;
  std::uint64_t session = 0;  // of the master's messages; secret
  std::optional<MasterKeys> keys;

  bool operator==(const LaunchMaster&) const = default;
};

// The first message of a master's process, repeated until it receives its MasterJob or a Refuse.
struct MasterHello {
  ApplicationId application;
  std::uint32_t attempt = 1;

  bool operator==(const MasterHello&) const = default;
};

// A machine, as far as it matters for the location of input and of tasks.
struct MasterNode {
  std::string name;
  RackId rack;
  std::vector<std::string> labels;

  bool operator==(const MasterNode&) const = default;
};

// What a master's process needs to know. Of the job only what concerns its work.
struct MasterJob {
  Job job;
  std::vector<MasterNode> nodes;                              // by id
  std::vector<std::pair<std::string, std::string>> settings;  // of job masters, by name
  std::uint64_t seed = 0;
  Duration heartbeat_interval{};  // trace time
  double time_scale = 1;
  WallDuration timeout{};  // receiving nothing for longer: the coordinator is gone

  bool operator==(const MasterJob&) const = default;
};

struct Goodbye {
  std::string reason;
  bool operator==(const Goodbye&) const = default;
};

// What a long-running agent or datanode has logged, for the cluster's administrator: in the session
// of the one that has; not answered, and not sent again.
enum class Severity : std::uint8_t { info, warning, error };
struct LogLine {
  WallTime at{};
  Severity severity = Severity::info;
  std::string text;

  bool operator==(const LogLine&) const = default;
};
struct LogLines {
  std::vector<LogLine> lines;
  std::uint64_t lost = 0;  // lines before these that could not be kept

  bool operator==(const LogLines&) const = default;
};

// The run is over: end every container, then, unless long-running, exit.
struct Shutdown {
  std::string reason;
  bool operator==(const Shutdown&) const = default;
};

using Body =
    std::variant<Hello, Welcome, Refuse, Heartbeat, HeartbeatAck, LaunchBatch, ContinueBatch,
                 KillBatch, Goodbye, Shutdown, LaunchMaster, MasterHello, MasterJob, MasterCall,
                 MasterAnswer, CheckpointBatch, LogLines, FromDatanode, ToDatanode>;

struct Message {
  Envelope envelope;
  Body body;

  bool operator==(const Message&) const = default;
};

// Bounds that a sender keeps and a receiver enforces.
inline constexpr std::size_t message_bytes_max = std::size_t{8} << 20;
inline constexpr std::size_t name_bytes_max = 255;
inline constexpr std::size_t text_bytes_max = 2000;  // reasons and diagnostics; cut when sent
inline constexpr std::size_t labels_max = 64;
inline constexpr std::size_t launches_max = 4'096;    // of one batch
inline constexpr std::size_t batch_ids_max = 65'536;  // of a batch without launches
inline constexpr std::size_t running_max = 65'536;    // containers of one agent
inline constexpr std::size_t exits_max = 4'096;       // of one message; the next carries the rest
inline constexpr std::size_t starts_max = 65'536;
inline constexpr std::size_t ended_jobs_max = 65'536;
inline constexpr std::size_t job_stages_max = 4'000;  // of a master's job
inline constexpr std::size_t task_runs_max = 65'536;  // of all its stages
inline constexpr std::size_t job_nodes_max = 4'000;
inline constexpr std::size_t hosts_max = 65'536;  // that a stage's input names
inline constexpr std::size_t settings_max = 256;
inline constexpr std::size_t key_bytes = 40;
inline constexpr std::size_t log_lines_max = 64;  // of one message
inline constexpr std::size_t path_bytes_max = 4'096;
inline constexpr std::int64_t amount_max = std::int64_t{1} << 53;  // resources and bytes
inline constexpr WallDuration duration_max = std::chrono::hours(24 * 365 * 100);

}  // namespace tracebed::wire
