#include "coordinator/namenode_server/task_umbilical.h"

#include <algorithm>

#include "core/task_work.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/task_umbilical.h"
#include "task_umbilical.pb.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

std::optional<hdfs::RpcError> answer_events(const MapOutputDirectory& outputs,
                                            const hdfs::RpcCall& call, const RpcSink& sink) {
  pb::GetMapCompletionEventsRequest request;
  if (!hdfs::parse_message(call.request, request)) return hdfs::malformed_request(call.method);
  if (request.job() > output_job_max || request.stage() >= stages_max) {
    return hdfs_failure(hadoop_illegal_argument_class,
                        "expected a job and one of its stages, got " +
                            std::to_string(request.job()) + " and " +
                            std::to_string(request.stage()));
  }
  const MapOutputDirectory::Events found = outputs.events_of(
      JobId(std::size_t{request.job()}), static_cast<std::uint16_t>(request.stage()),
      request.from_event(), std::min(request.events_max(), hdfs::map_completion_events_max));
  pb::GetMapCompletionEventsResponse response;
  response.set_next_event(found.next);
  for (const MapOutputDirectory::Event& event : found.events) {
    pb::MapCompletionEvent& out = *response.add_events();
    out.set_source(event.source);
    out.set_container(event.container.value());
    out.set_address(event.server.address);
    out.set_port(event.server.port);
    out.set_rack(event.server.rack);
    out.set_offset(static_cast<std::uint64_t>(event.offset));
  }
  sink.writer.success(sink.out, call.key, response);
  return std::nullopt;
}

std::optional<hdfs::RpcError> answer_server(const MapOutputDirectory& outputs,
                                            const std::string& address, const hdfs::RpcCall& call,
                                            const RpcSink& sink) {
  pb::GetShuffleServerRequest request;
  if (!hdfs::parse_message(call.request, request)) return hdfs::malformed_request(call.method);
  pb::GetShuffleServerResponse response;
  const auto server = request.has_machine() ? outputs.server_of_machine(request.machine())
                                            : outputs.server_at(address);
  if (server) {
    response.set_port(server->port);
    response.set_address(server->address);
  }
  sink.writer.success(sink.out, call.key, response);
  return std::nullopt;
}

}  // namespace

std::optional<hdfs::RpcError> answer_task(const MapOutputDirectory& outputs,
                                          const std::string& address, const hdfs::RpcCall& call,
                                          const RpcSink& sink) {
  if (call.method == hdfs::get_map_completion_events_method) {
    return answer_events(outputs, call, sink);
  }
  if (call.method == hdfs::get_shuffle_server_method) {
    return answer_server(outputs, address, call, sink);
  }
  return hdfs::no_such_method(call.method, call.protocol);
}

}  // namespace tracebed
