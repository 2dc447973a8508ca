// Runs an experiment: its trace under each of its schedulers, as often as it says, in its world.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/real/redis_connection.h"
#include "coordinator/runner/run_observer.h"

namespace tracebed {

class AgentRoster;

// What the program that runs an experiment knows beside it.
struct RunHost {
  std::string experiment_file;     // as the user named it, for the run record
  std::filesystem::path programs;  // the folder of tracebed-agent and the other daemons
  AgentRoster* roster = nullptr;   // of the cluster world, if this program has one; outlives all
  std::string redis;               // of the cluster world, unless the experiment names another
  RedisLogin redis_login;
};

// With the daemons that lie beside the running program.
RunHost this_host(std::string experiment_file);

enum class ReplayOutcome : std::uint8_t {
  complete,   // every job ended by itself
  cancelled,  // by the observer
  stalled,    // open jobs could never have gone on
  failed,     // what is in `failure` ended it
};

struct FinishedReplay {
  std::string label;  // of its scheduler
  std::uint32_t repetition = 1;
  std::uint64_t seed = 0;
  std::filesystem::path folder;
  ReplayOutcome outcome = ReplayOutcome::complete;
  std::string digest;
  std::uint64_t jobs_ended = 0;
  double wall_seconds = 0;
  std::exception_ptr failure;
};

struct FinishedExperiment {
  std::vector<FinishedReplay> replays;  // in the order in which they ran
  // What scaling did to the workload, as the run records have it; empty if nothing was scaled.
  std::vector<std::pair<std::string, std::string>> scale_effects;
  bool is_cancelled = false;
  std::exception_ptr failure;  // of the last replay, after which no other began
};

// Everything that can be told wrong without reading the trace or starting anything: schedulers,
// their settings, rules, factors. Throws InputError naming the place in the experiment.
void check_choices(const Experiment& experiment);

// Replays into folders below `experiment.output`: LABEL, or LABEL/rN where there are repetitions.
// What cannot work (a bad row, a missing right or program, a folder that holds a run) is thrown, as
// InputError or EnvironmentError, before the first job is submitted. What ends a replay later on is
// returned as its failure: the folder then holds what was done until then.
FinishedExperiment run_experiment(const Experiment& experiment, const RunHost& host,
                                  RunObserver& observer);

// The seed of a repetition, from 1. The first has the experiment's own.
std::uint64_t repetition_seed(std::uint64_t seed, std::uint32_t repetition);

}  // namespace tracebed
