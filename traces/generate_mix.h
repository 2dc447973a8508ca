// Makes mixes of jobs (traces/csv/mix_reader.h) as papers state their workloads. The same options
// give the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

// H. Lian and Y. Liu, 2020, on regulating the number of MapReduce jobs in YARN: 30 jobs of one kind
// or ten of each of three, each of 100 MB, five maps and a reduce.
// Ma et al., MFS, 2012: sort, wordcount, terasort and grep alike; small jobs of 60 to 500 MB and 1
// to 10 maps, large ones of 4 to 8 GB, 70 to 160 maps and 7 to 16 reduces; vcores and memory drawn
// for each job. In the mixed workload, the small jobs are user A's and the large ones user B's. All
// jobs are submitted at once, unless there is a gap. Whose the jobs of the other workloads are is
// not said: one user's, unless `users` is another of mix_users().
struct MixModel {
  std::string workload = "ma2012-small";  // one of mix_workloads()
  std::string users = "one";              // or "kind": a user for each kind; "job": for each job
  double gap_seconds = 0;
  // Divides bytes, vcores and memory, which stay above 0: the same workload for smaller machines.
  double divisor = 1;
  std::uint64_t seed = 1;
};

// "lian2020-grep", …
std::span<const std::string_view> mix_workloads();
std::span<const std::string_view> mix_users();

struct GeneratedMix {
  std::uint64_t jobs = 0;
  std::string text;  // of a trace file of format `mix`
};
// Throws InputError if an option is out of range.
GeneratedMix make_mix(const MixModel& model);

// Writes it to a file, and returns the number of jobs. Throws EnvironmentError, too, if the file
// cannot be written; compresses it if its name ends in ".gz".
std::uint64_t generate_mix(const MixModel& model, const std::string& output);

}  // namespace tracebed
