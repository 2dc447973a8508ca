// Makes SWF traces of rigid jobs from models. The same options give the same bytes.
#pragma once

#include <cstdint>
#include <string>

namespace tracebed {

// Uniform job sizes and run times, and exponential gaps whose mean is such that the jobs offer
// `load` × `cores` cores on average. For benchmarks.
struct UniformRigidModel {
  std::uint64_t jobs = 1'000'000;
  std::int64_t processors_min = 1;
  std::int64_t processors_max = 16;
  std::int64_t run_seconds_min = 10;
  std::int64_t run_seconds_max = 190;
  std::int64_t cores = 16'000;  // of the machines together
  double load = 0.9;
  std::uint64_t seed = 1;
};

// The model of U. Lublin and D. G. Feitelson, The Workload on Parallel Supercomputers: Modeling the
// Characteristics of Rigid Jobs, JPDC 63(11), 2003, for jobs of one kind (neither batch nor
// interactive): sizes by a two-stage uniform distribution of their logarithm with serial jobs and
// powers of two favoured, run times by a hyper-gamma distribution of their logarithm that depends
// on the size, arrivals by a gamma distribution of the logarithm of the gap at rush hour over a
// daily cycle.
struct LublinModel {
  std::uint64_t jobs = 10'000;
  std::int64_t processors = 128;  // of the machine; at least 8
  // Multiplies the gaps: 2 halves the load. The published model has 1.
  double stretch = 1;
  // The model has no users: this many share the jobs by Zipf's law with exponent 1; 0 leaves them
  // unknown.
  std::int64_t users = 0;
  std::uint64_t seed = 1;
};

// Both throw InputError if an option is out of range, EnvironmentError if the file cannot be
// written, and compress it if its name ends in ".gz".
void generate_rigid(const UniformRigidModel& model, const std::string& output);
void generate_rigid(const LublinModel& model, const std::string& output);

}  // namespace tracebed
