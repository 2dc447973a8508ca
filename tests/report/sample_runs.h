// Made-up runs: single-task jobs in a queue before a few machines, simulated just well enough that
// records look like those of a real run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/names.h"
#include "report/run_folder.h"

namespace tracebed {

struct SampleJob {
  TraceTime submit{};
  Duration duration{};
  std::string user;
};

// `count` jobs of five users, one of whom submits few, long ones.
std::vector<SampleJob> sample_jobs(std::size_t count, std::uint64_t seed);

struct SampleCluster {
  std::string label = "fifo";
  std::string world = "virtual";
  std::uint32_t repetition = 1;
  bool shortest_first = false;  // instead of in the order of submission
  std::size_t machines = 4;     // one job each at a time
  Duration launch_latency{};
  Duration heartbeat_delay{};
  double contention = 0;  // extra run time, as a share of the duration, drawn up to this
};

// What a run of it would say of itself.
RunDescription sample_description(const SampleCluster& cluster);

// Runs the jobs and writes the run's folder.
RunMetrics write_sample_run(const std::filesystem::path& folder, const SampleCluster& cluster,
                            const std::vector<SampleJob>& jobs);

}  // namespace tracebed
