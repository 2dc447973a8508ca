// Runs a paper's experiments and makes its tables. The output folder gets
//
//   NAME.toml, and what it names   each experiment, as `tracebed run` takes it
//   runs/NAME/                     its runs, as `tracebed run` writes them
//   reproduction.json              what was run, and the tables, for programs
//   reproduction.txt               the same, as it is printed
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/reproductions/reproduction.h"
#include "schedulers/registry.h"

namespace tracebed {

struct ReproductionOptions {
  std::filesystem::path output;
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 10;
  bool is_real = false;  // the real part, which the reproduction must have
  SettingValues settings;
  std::vector<std::string> only;          // names of experiments; empty: all
  std::optional<std::uint32_t> parallel;  // virtual runs at a time; none: one per processor
};

struct FinishedReproduction {
  ReproductionRequest request;
  bool is_real = false;
  std::vector<PlannedExperiment> experiments;  // those that ran
  std::vector<std::string> left_out;           // names of those that did not
  ReproductionResults results;
  std::vector<ReproductionTable> tables;
  bool is_cancelled = false;  // then there are no tables, and no files of them
};

// A run that stalls is a result; one that fails is thrown. Throws InputError and EnvironmentError
// as run_experiment does; and InputError, before anything is written, for an output folder that
// holds a reproduction, for settings that are unknown or wrong, and for a name in `only` that is no
// experiment's.
FinishedReproduction run_reproduction(const Reproduction& reproduction,
                                      const SchedulerRegistry& schedulers,
                                      const ReproductionOptions& options, RunObserver& observer);

// What was run, with everything that was reduced or set, and the tables.
std::string to_text(const Reproduction& reproduction, const FinishedReproduction& finished);
std::string to_json(const Reproduction& reproduction, const FinishedReproduction& finished);

}  // namespace tracebed
