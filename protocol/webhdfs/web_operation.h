// The operations of WebHDFS, by their names for each HTTP method (GetOpParam, PutOpParam,
// PostOpParam and DeleteOpParam of org.apache.hadoop.hdfs.web.resources).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"
#include "protocol/webhdfs/web_failure.h"

namespace tracebed::webhdfs {

enum class HttpMethod : std::uint8_t { get, put, post, remove };

enum class WebOperation : std::uint8_t {
  // GET
  open,
  get_file_status,
  get_file_link_status,
  list_status,
  list_status_batch,
  get_content_summary,
  get_file_checksum,
  get_home_directory,
  get_file_block_locations,
  get_block_locations,  // of older clients: LocatedBlocks
  check_access,
  get_server_defaults,
  get_status,
  // PUT
  create,
  mkdirs,
  rename,
  set_replication,
  set_owner,
  set_permission,
  set_times,
  // POST
  append,
  concat,
  truncate,
  // DELETE
  remove,
};

std::string_view operation_name(WebOperation operation);  // "GETFILESTATUS"
HttpMethod method_of(WebOperation operation);

// The name may have letters of both cases. UnsupportedOperationException for operations of Hadoop's
// that this testbed does not have, IllegalArgumentException for what is none of the method's.
Result<WebOperation, WebFailure> web_operation(HttpMethod method, std::string_view name);

// The client is redirected to a datanode, which serves the data.
bool is_redirected(WebOperation operation);

}  // namespace tracebed::webhdfs
