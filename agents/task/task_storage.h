// How a task finds and connects to the run's HDFS and to shuffle servers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agents/task/work_spec.h"
#include "core/read_bytes.h"
#include "core/result.h"
#include "hdfs_client/rpc_channel.h"

namespace tracebed {

// The error says that there is none.
Result<hdfs::Endpoint> namenode_endpoint(const InputSource& source);
// From the node's address, with little memory, since containers may be small. `interrupt`: see
// hdfs::ConnectionOptions.
hdfs::RpcOptions task_rpc_options(const InputSource& source, int interrupt);

// With the weight of the task's transfers.
hdfs::ConnectionOptions datanode_connection_options(const hdfs::RpcOptions& options,
                                                    const TaskWork& work);
hdfs::ConnectionOptions shuffle_connection_options(const WorkSpec& spec, int interrupt);

// A shuffle server that cannot be reached is left alone for a while, and given up with the task
// after so long (mapreduce.reduce.shuffle.read.timeout). Meanwhile its machine may turn out to be
// lost, and what it kept is made again elsewhere.
inline constexpr std::chrono::milliseconds shuffle_pause{200};
inline constexpr std::chrono::seconds shuffle_failing_max{180};

// How far another task's machine is.
std::int64_t ReadBytes::*distance_to(const InputSource& source, const std::string& address,
                                     const std::string& rack);

}  // namespace tracebed
