#include "coordinator/namenode_server/web_operations.h"
#include "protocol/webhdfs/web_json.h"

namespace tracebed {
namespace {

using webhdfs::WebOperation;
using webhdfs::WebParameters;
using webhdfs::WebRequest;

hdfs::RpcError missing(std::string_view parameter) {
  return hdfs_failure("java.lang.IllegalArgumentException",
                      "Required param " + std::string(parameter) + " for op is null or empty");
}

std::uint16_t permission_of(const WebParameters& parameters) {
  return static_cast<std::uint16_t>(parameters.permission.value_or(0755));
}

// None for −1, which leaves the time as it is.
std::optional<TraceTime> time_of(const HdfsCallContext& context,
                                 std::optional<std::int64_t> given) {
  if (!given || *given < 0) return std::nullopt;
  return context.view.times.from_epoch(*given);
}

ChangeResult renamed(const WebRequest& request) {
  const WebParameters& parameters = request.parameters;
  if (!parameters.destination) return missing("destination");
  if (!parameters.overwrites_destination) {
    return Change{{}, RenameInto{request.path, *parameters.destination}};
  }
  return Change{
      {}, RenameTo{request.path, *parameters.destination, *parameters.overwrites_destination}};
}

}  // namespace

bool is_change(WebOperation operation) {
  return !webhdfs::is_redirected(operation) &&
         webhdfs::method_of(operation) != webhdfs::HttpMethod::get;
}

ChangeResult change_web(const HdfsCallContext& context, const WebRequest& request,
                        std::string client) {
  const WebParameters& parameters = request.parameters;
  switch (request.operation) {
    case WebOperation::mkdirs:
      return Change{{}, MakeDirectories{request.path, permission_of(parameters)}};
    case WebOperation::rename:
      return renamed(request);
    case WebOperation::set_replication:
      return Change{
          {},
          SetReplication{request.path, static_cast<std::uint32_t>(parameters.replication.value_or(
                                           context.view.state.options.default_replication))}};
    case WebOperation::set_owner:
      if (!parameters.owner && !parameters.group) return missing("owner or group");
      return Change{
          {}, SetOwner{request.path, parameters.owner.value_or(""), parameters.group.value_or("")}};
    case WebOperation::set_permission:
      return Change{{}, SetPermission{request.path, permission_of(parameters)}};
    case WebOperation::set_times:
      return Change{{},
                    SetTimes{request.path, time_of(context, parameters.modification_time),
                             time_of(context, parameters.access_time)}};
    case WebOperation::concat:
      if (parameters.sources.empty()) return missing("sources");
      return Change{{}, ConcatFiles{request.path, parameters.sources}};
    case WebOperation::truncate:
      if (!parameters.new_length) return missing("newlength");
      return Change{std::move(client), TruncateFile{request.path, *parameters.new_length}};
    case WebOperation::remove:
      return Change{{}, DeletePath{request.path, parameters.recursive.value_or(false)}};
    case WebOperation::open:
    case WebOperation::get_file_status:
    case WebOperation::get_file_link_status:
    case WebOperation::list_status:
    case WebOperation::list_status_batch:
    case WebOperation::get_content_summary:
    case WebOperation::get_file_checksum:
    case WebOperation::get_home_directory:
    case WebOperation::get_file_block_locations:
    case WebOperation::get_block_locations:
    case WebOperation::check_access:
    case WebOperation::get_server_defaults:
    case WebOperation::get_status:
    case WebOperation::create:
    case WebOperation::append:
      break;
  }
  return hdfs_failure(unsupported_operation_class, "changes nothing");
}

std::string changed_body(const StorageReply& reply) {
  const Answer* answer = std::get_if<Answer>(&reply);
  return answer == nullptr ? std::string() : webhdfs::boolean_json(answer->is_true);
}

}  // namespace tracebed
