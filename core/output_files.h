// The files that tasks write to HDFS in a run with job outputs. An attempt writes to a file of its
// own below /tracebed/JOB/output/_temporary; if its work counts, that becomes
// /tracebed/JOB/output/part-STAGE-TASK, or, if it continued from kept progress,
// part-STAGE-TASK-from-OFFSET, which has what follows from that byte on
// (org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/ids.h"
#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

// How long, of the wall clock's time, a task that writes lets its datanodes wait for a packet; they
// must wait longer (DatanodeOptions::socket_timeout).
inline constexpr std::chrono::milliseconds output_silence_max{5'000};

// JOB is the job's position in the workload.
std::string output_directory_of(JobId job);
// Where its attempts write.
std::string temporary_output_of(JobId job);
// As TaskWork::output_part has it.
std::int64_t output_part_of(TaskRef task);

// Of a task that writes (writes_output()): the file that its attempt in that container writes.
std::string attempt_output_path(const TaskWork& work, ContainerId container);
// The name that this file gets when the attempt has succeeded.
std::string output_path_of(const TaskWork& work);
// Byte i of a task's whole output is byte i of the generated block with this id
// (core/block_content.h).
std::uint64_t output_content_id(const TaskWork& work);

}  // namespace tracebed
