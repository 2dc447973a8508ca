// A random cluster, workload and run of bad luck, all from one seed, and what came of it under a
// scheduler. Features are switched on and off by the seed as a whole, so that some stories are all
// gangs, some have no faults, some have one node (swarm testing, Groce et al. 2012).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_options.h"
#include "core/machines.h"
#include "core/records.h"
#include "core/workload.h"

namespace tracebed {

struct Story {
  std::uint64_t seed = 1;
  std::vector<Machine> machines;
  std::vector<MachineChange> changes;  // every machine is up at the end
  std::vector<Job> jobs;
  VirtualOptions options;
  // Chances, per decision, that a decision is spoilt so that the engine refuses it, and per call,
  // that a running container is killed.
  double spoil_chance = 0;
  double kill_chance = 0;
  // Of the administrator's, ascending by time.
  std::vector<AdministratorRequest> commands;
  // The chance, per round, that the administrator moves a running task: elsewhere, or to a node
  // that it names and that could hold it.
  double move_chance = 0;
  // Of the jobs' queues, where they have any. Shared by copies of the story: a scheduler looks into
  // it.
  std::shared_ptr<const Names> names;
  // Set: masters run in containers.
  std::optional<MasterContainerOptions> masters;
  // Whether every dimension limits what is placed, whatever the scheduler counts.
  bool limit_vcores = false;
  // Of the machines' GPUs, which are their third resource; of none in most stories.
  DeviceSizes devices;
  // On which a MapReduce job or a DAG runs its tasks; 0: each in a container of its own.
  std::uint32_t executors = 0;
};

Story random_story(std::uint64_t seed);
// Few jobs, whose tasks take from a millisecond to weeks: one alone or late in its job, stages that
// need each other or are delayed, gangs that wait, machines that leave and come back, drains that
// end. Heartbeats are as rare as the longest task suggests.
Story long_story(std::uint64_t seed);
// The same, but some machines leave for good or stay drained, so that jobs may be stuck.
Story stuck_story(std::uint64_t seed);
// As random, but what goes wrong depends on the time alone and on nothing that a heartbeat which
// changes nothing could change: machines leave, nodes are drained, decisions are refused.
Story unlucky_story(std::uint64_t seed);
// Jobs of two queues, a and b, that want more than there is, some in large containers.
Story crowded_story(std::uint64_t seed);
// Without faults: no machine changes, spoilt decisions, kills or tasks that outgrow their memory.
Story calm_story(std::uint64_t seed);

struct JobAccount {
  JobRecord record;
  std::map<TaskRef, std::uint32_t> successes;  // by task, how often it succeeded
  std::uint32_t ended = 0;                     // how often the job's end was reported
  // By task and attempt: where it ran and how it ended.
  std::map<std::pair<TaskRef, std::uint32_t>, std::pair<NodeId, ContainerEnd>> attempts;

  std::size_t attempts_lost() const {
    std::size_t lost = 0;
    for (const auto& [attempt, end] : attempts) {
      lost += end.second == ContainerEnd::succeeded ? 0 : 1;
    }
    return lost;
  }
};

// A task whose container was ordered to be moved, and where its attempts ran.
struct MovedTask {
  JobId job;
  TaskRef task;
  std::uint32_t attempt = 1;  // the one that was moved
  NodeId from;
  NodeId destination;          // invalid: any other
  bool has_elsewhere = false;  // another node could hold it
  bool operator==(const MovedTask&) const = default;
};

struct StoryResult {
  ReplayResult replay;
  std::string digest;
  EngineCounters counters;
  std::map<JobId, JobAccount> jobs;
  std::vector<MovedTask> moved;
  std::uint64_t asked_back = 0;      // containers
  std::uint64_t attempts_again = 0;  // launched under a key that another attempt had
};

// Plays the story with all checks on, for rounds_max rounds at the most, after which it is
// cancelled.
inline constexpr std::uint64_t rounds_max = 2'000'000;
// `scheduler` is the name of a registered one.
StoryResult play(const Story& story, std::string_view scheduler);
StoryResult play(const Story& story, std::unique_ptr<Scheduler> scheduler);

}  // namespace tracebed
