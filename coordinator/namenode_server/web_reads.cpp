#include <limits>

#include "coordinator/namenode_server/namenode_reads.h"
#include "coordinator/namenode_server/web_operations.h"
#include "coordinator/namenode_server/wire_values.h"
#include "protocol/webhdfs/web_json.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;
using webhdfs::WebOperation;
using webhdfs::WebRequest;
using Body = Result<std::string, hdfs::RpcError>;

hdfs::RpcError no_such_file(const std::string& path) {
  return hdfs_failure(exception_class(StorageFailureKind::file_not_found),
                      "File does not exist: " + path);
}

// `write` makes the body of the response, if the method succeeds.
template <class Response, class Request, class Write>
Body body_of(const HdfsCallContext& context, const Request& request, const Write& write) {
  Response response;
  const HdfsStatus status = read(context, request, response);
  if (!status) return status.error();
  return write(response);
}

Body file_status(const HdfsCallContext& context, const std::string& path) {
  pb::GetFileInfoRequest request;
  request.set_src(path);
  return body_of<pb::GetFileInfoResponse>(context, request,
                                          [&](const pb::GetFileInfoResponse& response) -> Body {
                                            if (!response.has_fs()) return no_such_file(path);
                                            return webhdfs::file_status_json(response.fs());
                                          });
}

Body one_page(const HdfsCallContext& context, const WebRequest& asked) {
  pb::GetListingRequest request;
  request.set_src(asked.path);
  request.set_start_after(asked.parameters.start_after.value_or(""));
  request.set_need_location(false);
  return body_of<pb::GetListingResponse>(
      context, request, [&](const pb::GetListingResponse& response) -> Body {
        if (!response.has_dir_list()) return no_such_file(asked.path);
        return webhdfs::directory_listing_json(response.dir_list());
      });
}

Body all_pages(const HdfsCallContext& context, const std::string& path) {
  pb::GetListingRequest request;
  request.set_src(path);
  request.set_start_after("");
  request.set_need_location(false);
  pb::DirectoryListing all;
  for (bool has_more = true; has_more;) {
    pb::GetListingResponse page;
    const HdfsStatus status = read(context, request, page);
    if (!status) return status.error();
    if (!page.has_dir_list()) return no_such_file(path);
    const std::size_t entries = static_cast<std::size_t>(all.partial_listing_size()) +
                                static_cast<std::size_t>(page.dir_list().partial_listing_size()) +
                                page.dir_list().remaining_entries();
    if (entries > web_listing_max) {
      return hdfs_failure(exception_class(StorageFailureKind::io),
                          path + " has " + std::to_string(entries) + " entries, more than the " +
                              std::to_string(web_listing_max) +
                              " of one answer: list it with LISTSTATUS_BATCH");
    }
    all.MergeFrom(page.dir_list());
    has_more = page.dir_list().remaining_entries() > 0;
    if (has_more) {
      request.set_start_after(all.partial_listing(all.partial_listing_size() - 1).path());
    }
  }
  return webhdfs::file_statuses_json(all);
}

Body block_places(const HdfsCallContext& context, const WebRequest& asked) {
  pb::GetBlockLocationsRequest request;
  request.set_src(asked.path);
  request.set_offset(static_cast<std::uint64_t>(asked.parameters.offset.value_or(0)));
  request.set_length(static_cast<std::uint64_t>(
      asked.parameters.length.value_or(std::numeric_limits<std::int64_t>::max())));
  return body_of<pb::GetBlockLocationsResponse>(
      context, request, [&](const pb::GetBlockLocationsResponse& response) -> Body {
        return asked.operation == WebOperation::get_block_locations
                   ? webhdfs::located_blocks_json(response.locations())
                   : webhdfs::block_locations_json(response.locations());
      });
}

Body summary(const HdfsCallContext& context, const std::string& path) {
  pb::GetContentSummaryRequest request;
  request.set_path(path);
  return body_of<pb::GetContentSummaryResponse>(
      context, request, [](const pb::GetContentSummaryResponse& response) -> Body {
        return webhdfs::content_summary_json(response.summary());
      });
}

Body access(const HdfsCallContext& context, const WebRequest& asked) {
  pb::CheckAccessRequest request;
  request.set_path(asked.path);
  request.set_mode(static_cast<pb::FsAction>(asked.parameters.action.value_or(0)));
  return body_of<pb::CheckAccessResponse>(
      context, request, [](const pb::CheckAccessResponse&) -> Body { return std::string(); });
}

}  // namespace

Result<std::string, hdfs::RpcError> read_web(const HdfsCallContext& context,
                                             const WebRequest& request) {
  switch (request.operation) {
    case WebOperation::get_file_status:
    case WebOperation::get_file_link_status:
      return file_status(context, request.path);
    case WebOperation::list_status:
      return all_pages(context, request.path);
    case WebOperation::list_status_batch:
      return one_page(context, request);
    case WebOperation::get_content_summary:
      return summary(context, request.path);
    case WebOperation::get_home_directory:
      return webhdfs::path_json("/user/" + context.caller.user);
    case WebOperation::get_file_block_locations:
    case WebOperation::get_block_locations:
      return block_places(context, request);
    case WebOperation::check_access:
      return access(context, request);
    case WebOperation::get_server_defaults:
      return body_of<pb::GetServerDefaultsResponse>(
          context, pb::GetServerDefaultsRequest(),
          [](const pb::GetServerDefaultsResponse& response) -> Body {
            return webhdfs::server_defaults_json(response.server_defaults());
          });
    case WebOperation::get_status:
      return body_of<pb::GetFsStatsResponse>(context, pb::GetFsStatsRequest(),
                                             [](const pb::GetFsStatsResponse& response) -> Body {
                                               return webhdfs::fs_status_json(response);
                                             });
    case WebOperation::open:
    case WebOperation::get_file_checksum:
    case WebOperation::create:
    case WebOperation::mkdirs:
    case WebOperation::rename:
    case WebOperation::set_replication:
    case WebOperation::set_owner:
    case WebOperation::set_permission:
    case WebOperation::set_times:
    case WebOperation::append:
    case WebOperation::concat:
    case WebOperation::truncate:
    case WebOperation::remove:
      break;
  }
  return hdfs_failure(unsupported_operation_class, "not answered by a namenode");
}

}  // namespace tracebed
