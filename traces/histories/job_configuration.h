// A job's configuration as the history server keeps it beside its history: job_…_conf.xml, a Hadoop
// configuration with every property of the job. Only the few that state what the job asked for are
// read.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"

namespace tracebed {

// Property → value, without those that are absent, or with which, at 0 or less, Hadoop decides.
using JobConfiguration = std::map<std::string, std::string>;

inline constexpr char queue_property[] = "mapreduce.job.queuename";
inline constexpr char map_memory_property[] = "mapreduce.map.memory.mb";
inline constexpr char reduce_memory_property[] = "mapreduce.reduce.memory.mb";
inline constexpr char map_vcores_property[] = "mapreduce.map.cpu.vcores";
inline constexpr char reduce_vcores_property[] = "mapreduce.reduce.cpu.vcores";
inline constexpr char slow_start_property[] = "mapreduce.job.reduce.slowstart.completedmaps";

// Its path, if it exists.
std::filesystem::path configuration_beside(const std::string& history_file, const std::string& job);

// The configuration of `job` ("job_7_0001") if it is in the same folder as `history_file`; else
// empty. The error names the file, the property, and the defect.
Result<JobConfiguration> read_job_configuration(const std::string& history_file,
                                                const std::string& job);

}  // namespace tracebed
