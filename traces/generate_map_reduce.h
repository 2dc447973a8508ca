// Makes SWIM traces of MapReduce jobs shaped like Facebook's of 2009. The same options give the
// same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

// A class of jobs as published: Y. Chen, A. Ganapathi, R. Griffith and R. H. Katz, The Case for
// Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011, the table of job types that
// k-means finds in the Facebook trace. Bytes and task times are those of the class's centre. The
// classes' jobs add up to the trace's 1,129,193 (Y. Chen, S. Alspaugh and R. Katz, Interactive
// Analytical Processing in Big Data Systems, VLDB 2012, table 1: FB-2009).
struct MapReduceClass {
  std::string_view label;
  double jobs = 0;  // in half a year
  double input_bytes = 0;
  double shuffle_bytes = 0;
  double output_bytes = 0;
  double map_task_seconds = 0;
  double reduce_task_seconds = 0;
};
std::span<const MapReduceClass> facebook_2009_classes();

struct MapReduceModel {
  std::uint64_t jobs = 5894;
  // Of the exponential gaps; the published trace has 1,129,193 jobs in half a year.
  double mean_gap_seconds = 14;
  // Bytes of a job are its class's times exp(spread × normal), each drawn for itself, so that the
  // class's are their medians. The paper gives no spread; 0 leaves the class's bytes.
  double spread = 1;
  // Divides the bytes, as SWIM does to fit a smaller cluster.
  double data_divisor = 1;
  // A class is drawn in proportion to its jobs to this power: 1 as published, 0 all alike. Below 1
  // a short trace has jobs of the rare large classes too.
  double flatten = 1;
  // Above 0, rows name one of this many input paths, by Zipf's law with exponent 1.
  std::int64_t paths = 0;
  std::uint64_t seed = 1;
};

// Throws InputError if an option is out of range, EnvironmentError if the file cannot be written;
// compresses it if its name ends in ".gz".
void generate_map_reduce(const MapReduceModel& model, const std::string& output);

}  // namespace tracebed
