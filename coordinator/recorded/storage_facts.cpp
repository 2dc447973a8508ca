#include "coordinator/recorded/storage_facts.h"

#include <algorithm>

#include "coordinator/storage/namenode.h"
#include "core/visit.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

void add_file(Json& fact, const OpenFileName& file) {
  if (!file.path.empty()) fact["path"] = file.path;
  if (file.file_id != 0) fact["file"] = file.file_id;
}

// What a call is about.
void add_subject(Json& fact, const StorageOperation& operation) {
  visit_all(
      operation,
      [&](const OneOf<CreateFile, AppendFile, RecoverLease, MakeDirectories, DeletePath,
                      TruncateFile, SetReplication, SetPermission, SetOwner, SetTimes> auto& call) {
        fact["path"] = call.path;
      },
      [&](const OneOf<AddBlock, AbandonBlock, CompleteFile, SyncFile> auto& call) {
        add_file(fact, call.file);
      },
      [&](const OneOf<RenameInto, RenameTo> auto& call) {
        fact["path"] = call.source;
        fact["destination"] = call.destination;
      },
      [&](const ConcatFiles& call) { fact["path"] = call.target; },
      [&](const OneOf<UpdateBlockForPipeline, CommitBlockSynchronization> auto& call) {
        fact["block"] = call.block.id;
      },
      [&](const UpdatePipeline& call) { fact["block"] = call.old_block.id; },
      [&](const ReportBadBlocks& call) { fact["blocks"] = call.blocks.size(); },
      Ignore<RenewLease, SetSafeMode, DecommissionDatanode, RecommissionDatanode>{});
}

void add_call(Json& fact, const StorageCalled& called) {
  const StorageCaller& caller = called.call.caller;
  fact["ticket"] = called.ticket;
  fact["call"] = std::string(operation_name(called.call.operation));
  fact["user"] = caller.user;
  if (!caller.client.empty()) fact["client"] = caller.client;
  if (!caller.address.empty()) fact["address"] = caller.address;
  add_subject(fact, called.call.operation);
}

}  // namespace

const char* storage_kind(const StorageInput& input) {
  return visit_all(
      input, [](const DatanodeRegistered&) { return "datanode_registered"; },
      [](const DatanodeHeartbeat&) { return "datanode_heartbeat"; },
      [](const FullBlockReport&) { return "full_block_report"; },
      [](const IncrementalBlockReport&) { return "incremental_report"; },
      [](const DatanodeGone&) { return "datanode_gone"; },
      [](const StorageCalled&) { return "storage_called"; },
      [](const PreloadedFile&) { return "file_preloaded"; });
}

NodeId storage_node(const StorageInput& input) {
  return visit_all(
      input,
      [](const StorageCalled& called) {
        return visit_all(called.call.operation, [&](const auto& operation) {
          if constexpr (OneOf<std::remove_cvref_t<decltype(operation)>, DecommissionDatanode,
                              RecommissionDatanode>) {
            return operation.node;
          } else {
            return called.call.caller.node;
          }
        });
      },
      [](const PreloadedFile&) { return NodeId(); },
      [](const OneOf<DatanodeRegistered, DatanodeHeartbeat, FullBlockReport, IncrementalBlockReport,
                     DatanodeGone> auto& message) { return message.node; });
}

void add_storage_facts(nlohmann::ordered_json& fact, const StorageInput& input) {
  visit_all(
      input, Ignore<DatanodeRegistered, DatanodeGone>{},
      [&](const DatanodeHeartbeat& heartbeat) {
        fact["capacity"] = heartbeat.usage.capacity;
        fact["used"] = heartbeat.usage.used;
        fact["remaining"] = heartbeat.usage.remaining;
        fact["transfers"] = heartbeat.usage.transfers;
      },
      [&](const FullBlockReport& report) { fact["replicas"] = report.replicas.size(); },
      [&](const IncrementalBlockReport& report) {
        const auto deleted =
            std::count_if(report.changes.begin(), report.changes.end(),
                          [](const ReplicaChange& change) { return change.is_deleted; });
        fact["changes"] = report.changes.size();
        fact["deleted"] = deleted;
      },
      [&](const StorageCalled& called) { add_call(fact, called); },
      [&](const PreloadedFile& file) {
        fact["path"] = file.path;
        fact["size"] = file.size;
        fact["block_size"] = file.block_size;
        fact["replication"] = file.replication;
      });
}

}  // namespace tracebed
