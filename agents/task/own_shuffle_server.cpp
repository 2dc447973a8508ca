#include "agents/task/own_shuffle_server.h"

#include <string>

#include "agents/task/task_storage.h"
#include "hdfs_client/connection.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/task_umbilical.h"
#include "task_umbilical.pb.h"

namespace tracebed {

Status OwnShuffleServer::find() {
  const auto coordinator = namenode_endpoint(source_);
  if (!coordinator) return coordinator.error();
  hdfs::RpcChannel channel(*coordinator, std::string(hdfs::task_umbilical_protocol),
                           task_rpc_options(source_, interrupt_));
  const auto answer =
      channel.call(hdfs::get_shuffle_server_method, hdfs::pb::GetShuffleServerRequest());
  if (!answer) return Error{answer.error().message};
  hdfs::pb::GetShuffleServerResponse server;
  if (!hdfs::parse_message(*answer, server)) return Error{"a malformed answer"};
  if (server.port() == 0 || server.port() > UINT16_MAX) {
    return Error{"there is no shuffle server at " + source_.address};
  }
  endpoint_ = hdfs::Endpoint{source_.address, static_cast<std::uint16_t>(server.port())};
  return success();
}

Result<OwnShuffleServer::Outcome> OwnShuffleServer::perform(const Step& step) {
  const hdfs::Deadline ends = hdfs::Deadline::after(shuffle_failing_max);
  while (!stop_.has_come()) {
    Status status = endpoint_ ? success() : find();
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
