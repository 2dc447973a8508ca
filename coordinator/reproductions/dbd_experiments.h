// What the reproduction of Du, Lei and Chen runs: TeraSort in every set-up that the paper leaves
// open, and each of its jobs in one of them, by what its tasks compute and where its blocks are
// read from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/reproductions/reproduction.h"

namespace tracebed::dbd {

// The input of a job.
inline constexpr int blocks = 20;
inline constexpr std::int64_t block_bytes = std::int64_t{128} << 20;

struct PlacedStrategy {
  std::string_view label;
  std::string_view title;
  std::string_view toml;           // name and settings
  std::string_view of_paper = {};  // the locality that the paper states, in percent, of TeraSort
  bool is_in_real_part = false;
};
// The baseline of run times is the first.
std::span<const PlacedStrategy> strategies();

struct SparkJob {
  std::string_view kind;      // of the cost table
  std::string_view title;     // as the paper names it
  std::string_view of_paper;  // run time under DBD against Spread
};
std::span<const SparkJob> spark_jobs();
// The job whose locality the paper states.
const SparkJob& terasort();

// What the paper leaves open.
struct Setup {
  bool is_written_by_worker = false;
  int racks = 1;
  int capacity = 4;  // executors that a machine holds
  int wait_ms = 0;
  int cost = 100;          // of the cost table's CPU times and waits, in percent
  bool is_cached = false;  // what is on disks is in the machines' memory
  // Executors come by dynamic allocation from none, under YARN's Capacity, instead of all at once
  // under each of the strategies.
  bool is_dynamic = false;
  // As one of worlds_of_real_part has it: at scale, and nothing is kept in memory, which real
  // executors do not do. Empty: not of the real part.
  std::string_view real_part = {};

  bool operator==(const Setup&) const = default;
};
// All with blocks on disks.
std::vector<Setup> grid();
// Where the order of localities is judged, and run times are compared. Of the set-ups in which
// density puts executors on more than one machine, it comes nearest to the paper's three
// localities, by the sum of the distances.
inline constexpr Setup compared_setup{.is_written_by_worker = true,
                                      .racks = 2,
                                      .capacity = 4,
                                      .wait_ms = 0,
                                      .cost = 1,
                                      .is_cached = false};
// The same by cost, with blocks on disks and in memory.
std::vector<Setup> compared_setups();
// The same set-up with dynamic allocation, and the scheduler of its experiment.
Setup dynamic(Setup setup);
inline constexpr std::string_view dynamic_label = "yarn";

std::string experiment_name(const SparkJob& job, const Setup& setup);

struct ExperimentFiles {
  std::string name;
  std::string trace;
};
// An experiment up to its schedulers; what follows is in [compare]. Settings as they are given.
std::string text_without_schedulers(const SparkJob& job, const Setup& setup,
                                    const SettingValues& settings, const ExperimentFiles& files);
// So many of the job, all submitted at once, each with a file of its own.
std::string trace_text(const SparkJob& job, int jobs, const SettingValues& settings);

// The jobs of the real part, and its set-up: at a tenth of the costs, so that reading counts and a
// task takes more than what runs around it.
std::span<const SparkJob> real_jobs();
Setup real_setup(const WorldOfPart& world);

const std::vector<SettingDescription>& settings();
ReproductionPlan plan(const ReproductionRequest& request);
std::vector<ReproductionTable> tables(const ReproductionRequest& request,
                                      const ReproductionResults& results);
ReproductionPlan real_plan(const ReproductionRequest& request);
std::vector<ReproductionTable> real_tables(const ReproductionRequest& request,
                                           const ReproductionResults& results);

// Of the tasks that read a block, the part that ran on a node with it, in percent.
double locality_of(const MeasuredRun& run);

}  // namespace tracebed::dbd
