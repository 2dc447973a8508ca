// The names of the protocol that task_umbilical.proto has the messages of.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebed::hdfs {

constexpr std::string_view task_umbilical_protocol = "tracebed.TaskUmbilicalProtocol";
constexpr std::string_view get_map_completion_events_method = "getMapCompletionEvents";
constexpr std::string_view get_shuffle_server_method = "getShuffleServer";
// Of one answer (org.apache.hadoop.mapreduce.task.reduce.Shuffle.MAX_EVENTS_TO_FETCH).
constexpr std::uint32_t map_completion_events_max = 10'000;

}  // namespace tracebed::hdfs
