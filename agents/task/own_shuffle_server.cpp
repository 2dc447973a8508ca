#include "agents/task/own_shuffle_server.h"

#include <string>

#include "agents/task/task_storage.h"
#include "hdfs_client/connection.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/task_umbilical.h"
#include "task_umbilical.pb.h"

namespace tracebed {

Result<hdfs::Endpoint> find_shuffle_server(const InputSource& source, int interrupt,
                                           std::int64_t machine) {
  const auto coordinator = namenode_endpoint(source);
  if (!coordinator) return coordinator.error();
  hdfs::RpcChannel channel(*coordinator, std::string(hdfs::task_umbilical_protocol),
                           task_rpc_options(source, interrupt));
  hdfs::pb::GetShuffleServerRequest request;
  if (machine != own_machine) request.set_machine(static_cast<std::uint32_t>(machine));
  const auto answer = channel.call(hdfs::get_shuffle_server_method, request);
  if (!answer) return Error{answer.error().message};
  hdfs::pb::GetShuffleServerResponse server;
  if (!hdfs::parse_message(*answer, server)) return Error{"a malformed answer"};
  const std::string address = machine == own_machine ? source.address : server.address();
  if (server.port() == 0 || server.port() > UINT16_MAX || address.empty()) {
    const std::string place =
        machine == own_machine ? source.address : "machine " + std::to_string(machine);
    return Error{"there is no shuffle server at " + place};
  }
  return hdfs::Endpoint{address, static_cast<std::uint16_t>(server.port())};
}

Result<OwnShuffleServer::Outcome> OwnShuffleServer::perform(const Step& step) {
  const hdfs::Deadline ends = hdfs::Deadline::after(shuffle_failing_max);
  while (!stop_.has_come()) {
    Status status = success();
    if (!endpoint_) {
      auto found = find_shuffle_server(source_, interrupt_, own_machine);
      if (found) {
        endpoint_ = *std::move(found);
      } else {
        status = found.error();
      }
    }
    if (status) {
      const shuffle::ClientStatus done = step(*endpoint_);
      if (done) return Outcome::done;
      if (stop_.has_come()) break;
      status = Error{done.error().message};
      if (!done.error().may_retry()) return status.error();
      endpoint_.reset();
    }
    if (ends.has_passed()) return status.error();
    if (!hdfs::pause(shuffle_pause, interrupt_)) break;
  }
  return Outcome::stopped;
}

}  // namespace tracebed
