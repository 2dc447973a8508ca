#include "coordinator/storage/namenode.h"

#include <algorithm>
#include <utility>

#include "coordinator/storage/block_reports.h"
#include "coordinator/storage/block_writing.h"
#include "coordinator/storage/datanode_service.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/file_truncation.h"
#include "coordinator/storage/file_writing.h"
#include "coordinator/storage/lease_recovery.h"
#include "coordinator/storage/namespace_changes.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// What is done at intervals is done at multiples of them while there is anything to do, so that its
// times do not depend on what else happens in between.
void schedule_pass(TraceTime& next, bool is_needed, Duration interval, TraceTime now) {
  if (!is_needed) {
    next = never;
  } else if (next <= now || next == never) {
    next = TraceTime(interval * (now.time_since_epoch() / interval + 1));
  }
}

// ClientProtocol's AtMostOnce: executed again, they would fail or do more.
bool is_at_most_once(const StorageOperation& operation) {
  return visit_all(
      operation,
      [](const OneOf<CreateFile, AppendFile, UpdatePipeline, RenameInto, RenameTo, DeletePath,
                     ConcatFiles> auto&) { return true; },
      [](const OneOf<AddBlock, AbandonBlock, UpdateBlockForPipeline, CompleteFile, SyncFile,
                     RenewLease, RecoverLease, MakeDirectories, TruncateFile, SetReplication,
                     SetPermission, SetOwner, SetTimes, ReportBadBlocks, CommitBlockSynchronization,
                     SetSafeMode, DecommissionDatanode, RecommissionDatanode> auto&) {
        return false;
      });
}

bool is_allowed_in_safe_mode(const StorageOperation& operation) {
  return std::holds_alternative<SetSafeMode>(operation) ||
         std::holds_alternative<ReportBadBlocks>(operation) ||
         std::holds_alternative<DecommissionDatanode>(operation) ||
         std::holds_alternative<RecommissionDatanode>(operation);
}

StorageReply set_safe_mode(NamenodeState& state, const SetSafeMode& call, TraceTime now) {
  switch (call.action) {
    case SetSafeMode::Action::enter:
      state.safe_mode.enter();
      break;
    case SetSafeMode::Action::leave: {
      const bool was_at_startup = state.safe_mode.is_at_startup();
      state.safe_mode.leave();
      if (was_at_startup) state.manager.set_reviewing(true, now);
      break;
    }
  }
  return Answer{state.safe_mode.is_on()};
}

}  // namespace

std::string_view operation_name(const StorageOperation& operation) {
  return visit_all(
      operation, [](const CreateFile&) { return "create"; },
      [](const AppendFile&) { return "append"; }, [](const AddBlock&) { return "addBlock"; },
      [](const AbandonBlock&) { return "abandonBlock"; },
      [](const UpdateBlockForPipeline&) { return "updateBlockForPipeline"; },
      [](const UpdatePipeline&) { return "updatePipeline"; },
      [](const CompleteFile&) { return "complete"; }, [](const SyncFile&) { return "fsync"; },
      [](const RenewLease&) { return "renewLease"; },
      [](const RecoverLease&) { return "recoverLease"; },
      [](const MakeDirectories&) { return "mkdirs"; }, [](const RenameInto&) { return "rename"; },
      [](const RenameTo&) { return "rename2"; }, [](const DeletePath&) { return "delete"; },
      [](const TruncateFile&) { return "truncate"; }, [](const ConcatFiles&) { return "concat"; },
      [](const SetReplication&) { return "setReplication"; },
      [](const SetPermission&) { return "setPermission"; },
      [](const SetOwner&) { return "setOwner"; }, [](const SetTimes&) { return "setTimes"; },
      [](const ReportBadBlocks&) { return "reportBadBlocks"; },
      [](const CommitBlockSynchronization&) { return "commitBlockSynchronization"; },
      [](const SetSafeMode&) { return "setSafeMode"; },
      [](const DecommissionDatanode&) { return "decommission"; },
      [](const RecommissionDatanode&) { return "recommission"; });
}

void Namenode::register_datanode(NodeId node, RackId rack, TraceTime now) {
  ++version_;
  tracebed::register_datanode(state_, node, rack, now);
}

HeartbeatReply Namenode::heartbeat(NodeId node, const DatanodeUsage& usage, TraceTime now) {
  ++version_;
  return tracebed::heartbeat(state_, node, usage, now);
}

ReportReply Namenode::full_report(NodeId node, std::vector<ReportedReplica> replicas,
                                  TraceTime now) {
  ++version_;
  ReportReply reply = tracebed::full_report(state_, node, std::move(replicas), now);
  // Without blocks it ends with the first advance(), so that files can be preloaded before.
  if (state_.live_blocks > 0) update_safe_mode(state_, now);
  return reply;
}

ReportReply Namenode::incremental_report(NodeId node, const std::vector<ReplicaChange>& changes,
                                         TraceTime now) {
  ++version_;
  ReportReply reply = tracebed::incremental_report(state_, node, changes, now);
  // Without blocks it ends with the first advance(), so that files can be preloaded before.
  if (state_.live_blocks > 0) update_safe_mode(state_, now);
  return reply;
}

void Namenode::datanode_gone(NodeId node, TraceTime now) {
  ++version_;
  lose_datanode(state_, node, now);
}

StorageResult<std::vector<LocatedBlock>> Namenode::preload(const PreloadedFile& file,
                                                           TraceTime now) {
  ++version_;
  return preload_file(state_, file, now);
}

StorageReply Namenode::execute(const StorageCall& call, TraceTime now) {
  const StorageCaller& caller = call.caller;
  return visit_all(
      call.operation,
      [&](const CreateFile& each) { return create_file(state_, caller, each, now); },
      [&](const AppendFile& each) { return append_file(state_, caller, each, now); },
      [&](const AddBlock& each) { return add_block(state_, caller, each, now); },
      [&](const AbandonBlock& each) { return abandon_block(state_, caller, each); },
      [&](const UpdateBlockForPipeline& each) {
        return update_block_for_pipeline(state_, caller, each);
      },
      [&](const UpdatePipeline& each) { return update_pipeline(state_, caller, each); },
      [&](const CompleteFile& each) { return complete_file(state_, caller, each, now); },
      [&](const SyncFile& each) { return sync_file(state_, caller, each); },
      [&](const RenewLease&) {
        state_.leases.renew(caller.client, now);
        return StorageReply(Done{});
      },
      [&](const RecoverLease& each) { return recover_lease(state_, caller, each, now); },
      [&](const MakeDirectories& each) { return make_directories(state_, caller, each, now); },
      [&](const RenameInto& each) { return rename_into(state_, each, now); },
      [&](const RenameTo& each) { return rename_to(state_, each, now); },
      [&](const DeletePath& each) { return delete_path(state_, each, now); },
      [&](const TruncateFile& each) { return truncate_file(state_, caller, each, now); },
      [&](const ConcatFiles& each) { return concat_files(state_, each, now); },
      [&](const SetReplication& each) { return set_replication(state_, each, now); },
      [&](const SetPermission& each) { return set_permission(state_, each); },
      [&](const SetOwner& each) { return set_owner(state_, each); },
      [&](const SetTimes& each) { return set_times(state_, each); },
      [&](const ReportBadBlocks& each) { return report_bad_blocks(state_, each, now); },
      [&](const CommitBlockSynchronization& each) {
        return commit_block_synchronization(state_, each, now);
      },
      [&](const SetSafeMode& each) { return set_safe_mode(state_, each, now); },
      [&](const DecommissionDatanode& each) { return decommission(state_, each.node, now); },
      [&](const RecommissionDatanode& each) { return recommission(state_, each.node, now); });
}

StorageReply Namenode::call(const StorageCall& call, TraceTime now) {
  ++version_;
  if (state_.safe_mode.is_on() && !is_allowed_in_safe_mode(call.operation)) {
    return storage_failure(StorageFailureKind::safe_mode,
                           "Cannot " + std::string(operation_name(call.operation)) +
                               ". Name node is in safe mode.\n" +
                               state_.safe_mode.tip(state_.safe_progress(), now));
  }
  const bool is_kept = call.caller.identity && is_at_most_once(call.operation);
  if (is_kept) {
    if (const StorageReply* before = state_.retries.find(*call.caller.identity, now)) {
      return *before;
    }
  }
  StorageReply reply = execute(call, now);
  if (is_kept && !std::holds_alternative<StorageFailure>(reply)) {
    state_.retries.put(*call.caller.identity, reply, now);
  }
  return reply;
}

void Namenode::advance(TraceTime now) {
  ++version_;
  update_safe_mode(state_, now);
  // As long as reports are awaited, nobody is missed (HeartbeatManager.heartbeatCheck).
  if (now >= state_.datanodes.next_scan()) {
    if (state_.safe_mode.is_at_startup()) {
      state_.datanodes.skip_scan(now);
    } else {
      lose_silent_datanodes(state_, now);
    }
  }
  if (state_.safe_mode.is_on()) return;
  recover_expired_leases(state_, now);
  if (now >= state_.next_redundancy_pass) plan_redundancy(state_, now);
  const bool has_transfers =
      state_.manager.queues().size() > 0 || state_.manager.pending_transfers() > 0;
  schedule_pass(state_.next_redundancy_pass, has_transfers, state_.options.redundancy.interval,
                now);
  if (now >= state_.next_decommission_check) check_decommissions(state_);
  schedule_pass(state_.next_decommission_check, !state_.decommissioning.empty(),
                state_.options.decommission_interval, now);
}

TraceTime Namenode::next_due() const {
  TraceTime due = std::min(state_.datanodes.next_scan(), state_.safe_mode.next_due());
  if (state_.safe_mode.is_on()) return due;
  return std::min({due, state_.leases.next_expiry(), state_.next_redundancy_pass,
                   state_.next_decommission_check});
}

}  // namespace tracebed
