// Runs an experiment: its trace under each of its schedulers, with its repetitions, in its world.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/monitoring/run_observer.h"
#include "coordinator/worlds/run_host.h"
#include "core/scale_effects.h"
#include "core/stall.h"
#include "report/file_checksum.h"
#include "system/taken_folder.h"

namespace tracebed {

struct FinishedReplay {
  std::string label;  // of its scheduler
  std::uint32_t repetition = 1;
  std::uint64_t seed = 0;
  bool is_noise = false;  // the baseline once more, under another seed
  std::filesystem::path folder;
  RunOutcome outcome = RunOutcome::complete;
  std::string digest;
  std::uint64_t jobs_ended = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rejections;  // RunEnd::rejections
  std::vector<std::pair<std::string, std::uint64_t>> failures;    // RunEnd::failures
  double wall_seconds = 0;
  std::string reason;                    // why it failed, stalled or was unsuccessful, in words
  std::optional<StallKind> stall;        // of one that stalled
  std::vector<std::string> stall_chain;  // who held what and waited for whom: stall_chain()
  FileChecksum record;                   // of its run.json; without a SHA-256 if there is none
  std::exception_ptr failure;
};

struct FinishedExperiment {
  // The output folder, which no other process writes into until this is gone, so that a report may
  // be added.
  std::unique_ptr<TakenFolder> folder;
  std::vector<FinishedReplay> replays;  // in the order of their begins
  // The baseline's runs against itself; if there are none, or fewer than its own, a warning said
  // why.
  std::vector<FinishedReplay> noise;
  ScaleEffects scale;
  bool is_cancelled = false;
  std::exception_ptr failure;  // of the last replay, after which no other began
};

// Replays into folders below `experiment.output`: LABEL, or LABEL/rN if there are repetitions; runs
// of the baseline against itself likewise below noise/, with an experiment.json of their own, if
// the experiment requests them or, in a real world, allows them by the time they take. Virtual
// replays run several at a time (replay_pool.h), which does not change their results. What cannot
// work (a bad row, a missing right or program, a folder that holds a run, or that another process
// writes into) is thrown, as InputError or EnvironmentError, before the first job is submitted.
// What ends a replay later on is returned as its failure: the folder then holds what was done until
// then.
FinishedExperiment run_experiment(const Experiment& experiment, const RunHost& host,
                                  RunObserver& observer);

// Runs only the baseline against itself, once for each repetition, below the output's noise/.
// Throws and returns as run_experiment() does; `replays` is empty.
FinishedExperiment run_noise(const Experiment& experiment, const RunHost& host,
                             RunObserver& observer);

// The folders of all replays, those of noise last.
std::vector<std::filesystem::path> run_folders(const FinishedExperiment& finished);

}  // namespace tracebed
