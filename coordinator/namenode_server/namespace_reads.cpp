#include <algorithm>

#include "coordinator/namenode_server/namenode_reads.h"
#include "coordinator/namenode_server/wire_values.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

// `message` makes the field, if there is something.
template <class Message>
HdfsStatus read_status(const HdfsCallContext& context, const std::string& path,
                       const Message& message) {
  const auto info = file_info(context.view.state, path);
  if (!info) return hdfs_failure(info.error());
  if (*info) set_file_status(context, **info, {}, message());
  return hdfs_success();
}

HdfsStatus check_exists(const HdfsCallContext& context, const std::string& path) {
  const auto found =
      existing_inode(context.view.state, path, "File/Directory does not exist: " + path);
  return found ? hdfs_success() : HdfsStatus(hdfs_failure(found.error()));
}

HdfsStatus add_locations(const HdfsCallContext& context, const std::string& path,
                         pb::HdfsFileStatus& status) {
  const auto located =
      block_locations(context.view.state, path, 0, std::numeric_limits<std::int64_t>::max(),
                      context.reader, context.view.now);
  if (!located) return hdfs_failure(located.error());
  set_located_file(context, *located, *status.mutable_locations());
  return hdfs_success();
}

std::string child_path(const std::string& directory, const std::string& name) {
  if (name.empty()) return directory;
  return directory.ends_with('/') ? directory + name : directory + '/' + name;
}

}  // namespace

HdfsStatus read(const HdfsCallContext& context, const pb::GetFileInfoRequest& request,
                pb::GetFileInfoResponse& response) {
  return read_status(context, request.src(),
                     [&]() -> pb::HdfsFileStatus& { return *response.mutable_fs(); });
}

// There are no symbolic links.
HdfsStatus read(const HdfsCallContext& context, const pb::GetFileLinkInfoRequest& request,
                pb::GetFileLinkInfoResponse& response) {
  return read_status(context, request.src(),
                     [&]() -> pb::HdfsFileStatus& { return *response.mutable_fs(); });
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetLocatedFileInfoRequest& request,
                pb::GetLocatedFileInfoResponse& response) {
  const HdfsStatus status = read_status(
      context, request.src(), [&]() -> pb::HdfsFileStatus& { return *response.mutable_fs(); });
  const bool is_file = status && response.fs().file_type() == pb::HdfsFileStatus::IS_FILE;
  if (!response.has_fs() || !is_file) return status;
  return add_locations(context, request.src(), *response.mutable_fs());
}

// With locations a listing ends early: they count towards its limit (FSDirStatAndListingOp.
// getListing).
HdfsStatus read(const HdfsCallContext& context, const pb::GetListingRequest& request,
                pb::GetListingResponse& response) {
  const auto listed = listing(context.view.state, request.src(), request.start_after());
  if (!listed) return hdfs_failure(listed.error());
  if (!*listed) return hdfs_success();
  const DirectoryListing& found = **listed;
  pb::DirectoryListing& answer = *response.mutable_dir_list();
  auto budget = static_cast<std::int64_t>(context.view.state.options.listing_max);
  std::uint64_t remaining = found.remaining + found.entries.size();
  for (const FileStatus& entry : found.entries) {
    if (budget <= 0) break;
    pb::HdfsFileStatus& status = *answer.add_partial_listing();
    set_file_status(context, entry, entry.name, status);
    --remaining;
    if (!request.need_location() || entry.is_directory) continue;
    const HdfsStatus located =
        add_locations(context, child_path(request.src(), entry.name), status);
    if (!located) return located;
    budget -= std::int64_t{status.locations().blocks_size()} * entry.replication;
  }
  answer.set_remaining_entries(static_cast<std::uint32_t>(remaining));
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetBlockLocationsRequest& request,
                pb::GetBlockLocationsResponse& response) {
  const auto located = block_locations(
      context.view.state, request.src(), static_cast<std::int64_t>(request.offset()),
      static_cast<std::int64_t>(request.length()), context.reader, context.view.now);
  if (!located) return hdfs_failure(located.error());
  set_located_file(context, *located, *response.mutable_locations());
  return hdfs_success();
}

// There are no quotas: -1.
HdfsStatus read(const HdfsCallContext& context, const pb::GetContentSummaryRequest& request,
                pb::GetContentSummaryResponse& response) {
  const auto found = content_summary(context.view.state, request.path());
  if (!found) return hdfs_failure(found.error());
  pb::ContentSummary& summary = *response.mutable_summary();
  summary.set_length(static_cast<std::uint64_t>(found->length));
  summary.set_file_count(found->files);
  summary.set_directory_count(found->directories);
  summary.set_quota(static_cast<std::uint64_t>(-1));
  summary.set_space_consumed(static_cast<std::uint64_t>(found->space_consumed));
  summary.set_space_quota(static_cast<std::uint64_t>(-1));
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetPreferredBlockSizeRequest& request,
                pb::GetPreferredBlockSizeResponse& response) {
  const NamenodeState& state = context.view.state;
  const auto file = existing_file(state, request.filename());
  if (!file) return hdfs_failure(file.error());
  response.set_bsize(static_cast<std::uint64_t>(state.tree.inode(*file).file.block_size));
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::IsFileClosedRequest& request,
                pb::IsFileClosedResponse& response) {
  const auto is_closed = is_file_closed(context.view.state, request.src());
  if (!is_closed) return hdfs_failure(is_closed.error());
  response.set_result(*is_closed);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::CheckAccessRequest& request,
                pb::CheckAccessResponse&) {
  return check_exists(context, request.path());
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetEZForPathRequest& request,
                pb::GetEZForPathResponse&) {
  return check_exists(context, request.src());
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetErasureCodingPolicyRequest& request,
                pb::GetErasureCodingPolicyResponse&) {
  return check_exists(context, request.src());
}

// All that are known come at once; with the cookie of that answer there are no more.
HdfsStatus read(const HdfsCallContext& context, const pb::ListCorruptFileBlocksRequest& request,
                pb::ListCorruptFileBlocksResponse& response) {
  const auto health = check_files(context.view.state, request.path());
  if (!health) return hdfs_failure(health.error());
  pb::CorruptFileBlocks& corrupt = *response.mutable_corrupt();
  if (request.cookie().empty() || request.cookie() == "0") {
    for (const std::string& path : health->damaged) corrupt.add_files(path);
  }
  corrupt.set_cookie(std::to_string(health->damaged.size()));
  return hdfs_success();
}

}  // namespace tracebed
