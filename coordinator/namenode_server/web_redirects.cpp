#include <algorithm>

#include "coordinator/namenode_server/web_operations.h"
#include "coordinator/storage/namenode_queries.h"
#include "core/mix.h"

namespace tracebed {
namespace {

using webhdfs::WebOperation;
using webhdfs::WebRequest;
using Chosen = Result<NodeId, hdfs::RpcError>;

hdfs::RpcError io_failure(std::string message) {
  return hdfs_failure(exception_class(StorageFailureKind::io), std::move(message));
}

class Candidates {
 public:
  Candidates(const HdfsCallContext& context, const WebRequest& request)
      : context_(context), excluded_(request.parameters.excluded_datanodes) {}

  bool has(NodeId node) const {
    const Datanode* datanode = context_.view.state.datanodes.find(node);
    const DatanodePlace* place = context_.view.datanodes.find(node);
    return datanode != nullptr && datanode->is_in_service() && place != nullptr &&
           place->http_port != 0 && !is_excluded(*place);
  }
  // By a hash of the path and the time.
  std::optional<NodeId> any(const std::string& path) const {
    std::vector<NodeId> all;
    for (const Datanode& datanode : context_.view.state.datanodes.all()) {
      if (has(datanode.node)) all.push_back(datanode.node);
    }
    if (all.empty()) return std::nullopt;
    const auto now = static_cast<std::uint64_t>(to_microseconds(context_.view.now));
    std::uint64_t draw = mix(context_.view.state.options.seed ^ now);
    for (const char c : path) draw = mix(draw ^ static_cast<unsigned char>(c));
    return all[draw % all.size()];
  }

 private:
  // As "host" or "host:port", of data transfers.
  bool is_excluded(const DatanodePlace& place) const {
    const std::string port = ":" + std::to_string(place.transfer_port);
    return std::any_of(excluded_.begin(), excluded_.end(), [&](const std::string& given) {
      return given == place.address || given == place.name || given == place.address + port ||
             given == place.name + port;
    });
  }

  const HdfsCallContext& context_;
  const std::vector<std::string>& excluded_;
};

// None: the file has no byte.
Result<std::optional<NodeId>, hdfs::RpcError> with_replica(const HdfsCallContext& context,
                                                           const WebRequest& request,
                                                           const Candidates& candidates) {
  const NamenodeState& state = context.view.state;
  const auto info = file_info(state, request.path);
  if (!info) return hdfs_failure(info.error());
  if (!*info) {
    return hdfs_failure(exception_class(StorageFailureKind::file_not_found),
                        "File " + request.path + " not found.");
  }
  const std::int64_t length = (*info)->length;
  const bool opens = request.operation == WebOperation::open;
  const std::int64_t offset = opens ? request.parameters.offset.value_or(0) : length - 1;
  if (opens && offset >= length && length > 0) {
    return io_failure("Offset=" + std::to_string(offset) + " out of the range [0, " +
                      std::to_string(length) + "); OPEN, path=" + request.path);
  }
  if (length == 0) return std::optional<NodeId>();
  const auto located =
      block_locations(state, request.path, offset, 1, context.reader, context.view.now);
  if (!located) return hdfs_failure(located.error());
  if (located->blocks.empty()) return std::optional<NodeId>();
  for (const NodeId node : located->blocks[0].nodes) {
    if (candidates.has(node)) return std::optional(node);
  }
  return io_failure("No active nodes contain this block");
}

}  // namespace

Chosen datanode_for(const HdfsCallContext& context, const WebRequest& request) {
  const Candidates candidates(context, request);
  if (request.operation == WebOperation::create) {
    if (candidates.has(context.reader.node)) return context.reader.node;
  } else {
    const auto found = with_replica(context, request, candidates);
    if (!found) return found.error();
    if (*found) return **found;
  }
  if (const auto node = candidates.any(request.path)) return *node;
  return io_failure("Failed to find datanode, suggest to check cluster health.");
}

}  // namespace tracebed
