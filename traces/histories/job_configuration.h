// A job's configuration as the history server keeps it beside its history: job_…_conf.xml, a
// Hadoop configuration with every property of the job. Of these the few are read that say what the
// job asked for.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"

namespace tracebed {

// Property → value; those that are absent, or that say with 0 or less that Hadoop decides, are not
// in it.
using JobConfiguration = std::map<std::string, std::string>;

inline constexpr char queue_property[] = "mapreduce.job.queuename";
inline constexpr char map_memory_property[] = "mapreduce.map.memory.mb";
inline constexpr char reduce_memory_property[] = "mapreduce.reduce.memory.mb";
inline constexpr char map_vcores_property[] = "mapreduce.map.cpu.vcores";
inline constexpr char reduce_vcores_property[] = "mapreduce.reduce.cpu.vcores";
inline constexpr char slow_start_property[] = "mapreduce.job.reduce.slowstart.completedmaps";

// Where it lies, if it is there.
std::filesystem::path configuration_beside(const std::string& history_file, const std::string& job);

// The configuration of `job` ("job_7_0001") where it lies in the same folder as `history_file`;
// empty if none does. The error names the file, the property, and what is wrong.
Result<JobConfiguration> read_job_configuration(const std::string& history_file,
                                                const std::string& job);

}  // namespace tracebed
