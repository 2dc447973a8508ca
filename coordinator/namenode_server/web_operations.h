// Operations of WebHDFS on the namenode (org.apache.hadoop.hdfs.server.namenode.web.resources.
// NamenodeWebHdfsMethods): those that it answers, those that the run executes, and the datanode
// that serves the others.
#pragma once

#include <string>

#include "coordinator/namenode_server/hdfs_call_context.h"
#include "coordinator/namenode_server/namenode_changes.h"
#include "protocol/webhdfs/web_request.h"

namespace tracebed {

// A directory with more entries is listed by LISTSTATUS_BATCH only.
inline constexpr std::size_t web_listing_max = 20'000;

// Whether it changes something; such operations are no redirected ones.
bool is_change(webhdfs::WebOperation operation);

// The body, JSON, of one that neither changes anything nor is redirected.
Result<std::string, hdfs::RpcError> read_web(const HdfsCallContext& context,
                                             const webhdfs::WebRequest& request);

// `client`: its name for leases.
ChangeResult change_web(const HdfsCallContext& context, const webhdfs::WebRequest& request,
                        std::string client);
// The body of the answer to a change that has been executed: JSON, or empty.
std::string changed_body(const StorageReply& reply);

// Where a redirected operation is served: for OPEN the nearest live datanode with the block at the
// offset, for APPEND and GETFILECHECKSUM with the last block, for CREATE the client's own; else any
// in service, chosen by a hash.
Result<NodeId, hdfs::RpcError> datanode_for(const HdfsCallContext& context,
                                            const webhdfs::WebRequest& request);

}  // namespace tracebed
