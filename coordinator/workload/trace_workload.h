// An experiment's trace as the workload of its replays: read, cut to its window, scaled. The whole
// trace is read once before the first replay, so that a bad row at its end is found before a job
// has started, and so that progress can be reported.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/workload/preceded_submissions.h"
#include "coordinator/workload/think_time_submissions.h"
#include "core/machines.h"
#include "core/names.h"
#include "core/scale_effects.h"
#include "core/storage_inputs.h"
#include "core/workload.h"

namespace tracebed {

class InputFiles;
class InputWitness;
class JobShapes;
class KeptJobs;

struct WorkloadFacts {
  std::string format;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  TraceTime last_submit{};
  Resources largest_task;
  // name → value, as a run record has them.
  std::vector<std::pair<std::string, std::string>> selection;
  std::vector<std::pair<std::string, std::string>> rules;
  std::vector<std::pair<std::string, std::string>> scale;  // factors, except that of time
  // What the factors leave unchanged, what they change, and their effects on this workload.
  std::vector<std::pair<std::string, std::string>> scale_effects;
  ScaleEffects scaled;  // the same for a terminal
  // Needed in addition to the trace: empty unless think time decides when jobs are submitted.
  JobsOfUsers jobs_of_users;
  // Likewise: jobs that the trace says are submitted when others have ended.
  PrecedingOfJobs preceding;
  // Masters place some job's input, by the seed, as the trace does not state its location.
  bool has_unplaced_input = false;
  bool has_gangs = false;  // units of some job must start at once
  std::vector<std::string> warnings;
};

class TraceWorkload {
 public:
  // Reads the trace. Throws InputError, naming file and line, for a row that cannot be used or a
  // selection without any job. An experiment without a trace has no jobs. `experiment` outlives
  // this. Jobs that take at most `memory_bytes` are kept for open().
  explicit TraceWorkload(const ResolvedExperiment& experiment, std::int64_t memory_bytes = 0);
  ~TraceWorkload();

  const WorkloadFacts& facts() const { return facts_; }
  // The cluster's machines and their changes, scaled.
  const std::vector<Machine>& machines() const { return machines_; }
  // The same before they are scaled.
  const std::vector<Machine>& recorded_machines() const { return recorded_machines_; }
  const std::vector<MachineChange>& changes() const { return changes_; }
  // What the jobs read, of a run with storage; empty for others.
  const std::vector<PreloadedFile>& input_files() const { return input_files_; }
  // Those of the machines that are there when a replay begins.
  std::size_t machines_at_start() const;

  // Whether the jobs are in memory, or every open() reads the trace again.
  bool is_kept() const { return kept_ != nullptr; }

  // Has seen all that was read; verifies what others read of the trace's files.
  InputWitness& witness() const;
  // Throws InputError if other files belong to the trace than when it was read.
  void check_listing() const;

  // The jobs from the first on, varied by `seed` as the experiment specifies. Users and queues are
  // interned in `names`, which outlives the source, as does this. Several threads may open at a
  // time, each with names of its own. A trace that is read again is opened when the first job is
  // asked for; the source throws InputError at the first bytes that are not those of the first
  // reading.
  std::unique_ptr<WorkloadSource> open(Names& names, std::uint64_t seed) const;

 private:
  class Pass;
  class LaterPass;
  class Varied;
  struct Reading;  // how the trace is read

  void measure();
  // Null without storage.
  std::unique_ptr<InputFiles> collector() const;
  // Of a job that names a kernel without there being files, the first is warned of.
  void take_input(const Job& job, InputFiles* files);
  // By machine: its first change is that it comes.
  std::vector<bool> absent_at_start() const;
  // Files have no replicas on machines that are absent when they are made.
  void leave_absent_machines_out();
  // Throws InputError if the datanodes cannot hold them.
  void check_room() const;
  // Sets the factor that keeps the trace's load, if the experiment requests it: the load after the
  // other factors is measured first, as it depends on rounding.
  void keep_load();
  void measure_scale(const Pass& pass, JobShapes& before, JobShapes& after);
  void load_machines();
  void place_changes();

  const ResolvedExperiment& experiment_;
  std::unique_ptr<Reading> reading_;
  std::unique_ptr<KeptJobs> kept_;
  WorkloadFacts facts_;
  bool is_kernel_warned_of_ = false;
  // Before they are scaled, and counted from the begin of the window.
  std::vector<Machine> recorded_machines_;
  std::vector<MachineChange> recorded_changes_;
  bool has_job_clock_ = false;  // the changes, and not that of the trace's file
  std::vector<Machine> machines_;
  std::vector<MachineChange> changes_;
  std::vector<PreloadedFile> input_files_;
};

}  // namespace tracebed
