#include "coordinator/namenode_server/namenode_reads.h"
#include "coordinator/namenode_server/wire_values.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

// DatanodeManager.getDatanodeListForReport.
bool is_of_type(const DatanodeReport& report, pb::DatanodeReportType type) {
  const bool is_dead = report.liveness == Liveness::dead;
  switch (type) {
    case pb::REPORT_ALL:
      return true;
    case pb::REPORT_LIVE:
      return !is_dead;
    case pb::REPORT_DEAD:
      return is_dead;
    case pb::REPORT_DECOMMISSIONING:
      return report.admin_state == AdminState::decommission_in_progress;
    case pb::REPORT_ENTERING_MAINTENANCE:
    case pb::REPORT_IN_MAINTENANCE:
      return false;  // there is no maintenance
  }
  return false;
}

}  // namespace

HdfsStatus read(const HdfsCallContext& context, const pb::GetServerDefaultsRequest&,
                pb::GetServerDefaultsResponse& response) {
  const ServerDefaults found = server_defaults(context.view.state);
  pb::FsServerDefaults& defaults = *response.mutable_server_defaults();
  defaults.set_block_size(static_cast<std::uint64_t>(found.block_size));
  defaults.set_bytes_per_checksum(found.bytes_per_checksum);
  defaults.set_write_packet_size(found.write_packet_size);
  defaults.set_replication(found.replication);
  defaults.set_file_buffer_size(found.file_buffer_size);
  defaults.set_checksum_type(pb::CHECKSUM_CRC32C);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetFsStatsRequest&,
                pb::GetFsStatsResponse& response) {
  const StorageStatistics figures = statistics(context.view.state);
  response.set_capacity(static_cast<std::uint64_t>(figures.capacity));
  response.set_used(static_cast<std::uint64_t>(figures.used));
  response.set_remaining(static_cast<std::uint64_t>(figures.remaining));
  response.set_under_replicated(figures.under_replicated);
  // As BlockManager counts them: blocks that have no good replica.
  response.set_corrupt_blocks(figures.missing);
  response.set_missing_blocks(figures.missing);
  response.set_missing_repl_one_blocks(0);
  response.set_blocks_in_future(0);
  response.set_pending_deletion_blocks(figures.pending_deletions);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext&, const pb::GetDataEncryptionKeyRequest&,
                pb::GetDataEncryptionKeyResponse&) {
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetDatanodeReportRequest& request,
                pb::GetDatanodeReportResponse& response) {
  for (const DatanodeReport& report : datanode_reports(context.view.state, context.view.now)) {
    if (!is_of_type(report, request.type())) continue;
    pb::DatanodeInfo& info = *response.add_di();
    if (!set_datanode(context, report.node, info)) {
      response.mutable_di()->RemoveLast();
      continue;
    }
    set_usage(report.usage, report.admin_state, info);
    info.set_last_update(
        static_cast<std::uint64_t>(context.view.times.to_epoch(report.last_heartbeat)));
  }
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetAdditionalDatanodeRequest& request,
                pb::GetAdditionalDatanodeResponse& response) {
  const auto block = block_name(context, request.blk());
  if (!block) return block.error();
  const StorageCaller caller{.user = context.caller.user,
                             .group = {},
                             .client = request.client_name(),
                             .address = context.caller.address,
                             .node = context.reader.node,
                             .identity = {}};
  const auto located = additional_datanodes(context.view.state, caller,
                                            {.file = {request.src(), request.file_id()},
                                             .block = *block,
                                             .existing = nodes_of(context, request.existings()),
                                             .excluded = nodes_of(context, request.excludes()),
                                             .count = request.num_additional_nodes()},
                                            context.view.now);
  if (!located) return hdfs_failure(located.error());
  set_located_block(context, *located, *response.mutable_block());
  return hdfs_success();
}

}  // namespace tracebed
