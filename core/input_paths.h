// Where the files are that the jobs of a run with storage read. What makes the files before a run,
// and what looks them up when a job is submitted, follow this rule: the input of a stage is the
// file at the path that the trace names; without one, that of stage 0 of job number JOB is at
// /tracebed/JOB/input, that of another stage at /tracebed/JOB/input-STAGE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/workload.h"

namespace tracebed {

// A path of HDFS for one of a trace: from the root, without a file system's scheme and authority.
// Relative ones are below /tracebed/paths. Bytes that a path must not have, '%' and those beyond
// ASCII are written as %XX; names of more than 255 bytes end with a hash.
std::string storage_path(std::string_view trace_path);

// Whether jobs of the kind read and write files: rigid ones and services do not.
bool has_files(JobKind kind);
// Whether the stage's tasks read a file: those of gangs, services and reduces do not.
bool reads_file(const Job& job, const Stage& stage);
// Of such a stage, which is number `stage` of the job.
std::string input_path_of(const Job& job, std::size_t stage);

// What all tasks of the stage read from HDFS, by the trace: the file is at least as long. At most
// 2^62 bytes.
std::int64_t input_bytes_of(const Stage& stage);

}  // namespace tracebed
