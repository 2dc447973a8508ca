#include "agents/task/completion_events.h"

#include <string>

#include "agents/task/task_storage.h"
#include "core/shuffle_work.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/task_umbilical.h"

namespace tracebed {
namespace {

constexpr std::uint32_t events_max = 1'000;  // containers may be small

}  // namespace

CompletionEvents::CompletionEvents(const InputSource& source, int interrupt) {
  const auto endpoint = namenode_endpoint(source);
  if (!endpoint) return;
  channel_.emplace(*endpoint, std::string(hdfs::task_umbilical_protocol),
                   task_rpc_options(source, interrupt));
}

Result<hdfs::pb::GetMapCompletionEventsResponse> CompletionEvents::from(const TaskWork& work,
                                                                        std::uint64_t event) {
  if (!channel_) return Error{"there is no coordinator to ask for outputs"};
  hdfs::pb::GetMapCompletionEventsRequest request;
  request.set_job(shuffle_job_of(work).value());
  request.set_stage(static_cast<std::uint32_t>(work.shuffle_stage));
  request.set_from_event(event);
  request.set_events_max(events_max);
  const auto answer = channel_->call(hdfs::get_map_completion_events_method, request);
  if (!answer) return Error{answer.error().message};
  hdfs::pb::GetMapCompletionEventsResponse response;
  if (!hdfs::parse_message(*answer, response)) return Error{"a malformed answer"};
  return response;
}

}  // namespace tracebed
