// Runs whose truth is known, to be compared: rows drawn from a model, and small workloads on
// modelled machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/workload.h"
#include "report/run_folder.h"

namespace tracebed {

// ---- rows ----

// How the runs of one policy differ from each other.
enum class RunEffect : std::uint8_t {
  normal,
  skewed,          // exponential
  two_values,      // now one, now the other: one event that comes or does not
  with_partner,    // most of it is the same in both runs of a pair
  against_partner  // what one run of a pair gains the other one loses
};
inline constexpr std::array all_run_effects{RunEffect::normal, RunEffect::skewed,
                                            RunEffect::two_values, RunEffect::with_partner,
                                            RunEffect::against_partner};
std::string_view name(RunEffect effect);

struct RowModel {
  std::size_t jobs = 120;
  double correlation = 0;   // of jobs that follow each other: AR(1)
  double job_spread = 0.1;  // standard deviation of a job's factor in one run
  RunEffect effect = RunEffect::normal;
  double run_spread = 0.05;  // standard deviation of a run's factor
};

// Jobs of a trace, drawn once: the seconds that each takes.
std::vector<double> draw_trace(const RowModel& model, Random& random);
// The runs of baseline and candidate, whose jobs take 1 + `planted` times as long, with the same
// seeds for both; baseline first.
std::vector<RunFolder> draw_runs(const RowModel& model, const std::vector<double>& trace,
                                 std::size_t repetitions, double planted, Random& random);

// ---- runs ----

struct SmallWorkload {
  std::vector<Job> jobs;
  Names names;
  std::vector<Machine> machines;
};

// Moves submissions so that the jobs offer `load` of the machines' vcores until the last of them.
void set_load(SmallWorkload& workload, double load);
// Moves each submission by up to so much to either side; what comes first stays first.
std::vector<Job> shaken(const std::vector<Job>& jobs, Duration by, std::uint64_t seed);
// One run on machines with heartbeats. `seed` decides their phases, launch latencies, where input
// lies and what the scheduler draws.
RunFolder run_small(const SmallWorkload& workload, const std::vector<Job>& jobs,
                    const std::string& scheduler, std::uint64_t seed);

}  // namespace tracebed
