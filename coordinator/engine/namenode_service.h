// The namenode of a run with storage: takes what arrives for it, advances it, and issues its
// answers. Datanodes and clients are not trusted: what names a node that never joined, or has a
// figure out of its range, is counted and ignored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/engine/step_context.h"
#include "coordinator/storage/deferred_calls.h"
#include "coordinator/storage/namenode.h"
#include "core/cluster_model.h"
#include "core/result.h"
#include "core/storage_inputs.h"
#include "core/workload.h"

namespace tracebed {

class NamenodeService {
 public:
  // Without `options` the run has no storage. Model and context outlive this.
  NamenodeService(const std::optional<NamenodeOptions>& options, const ClusterModel& cluster,
                  StepContext& context);

  // Null in a run without storage.
  const Namenode* namenode() const { return namenode_ ? &*namenode_ : nullptr; }

  // Its contents are moved out.
  void take(StorageInput& input);
  // When the round's inputs were taken, since what arrived in time may be in the same round as the
  // time at which it would be missed.
  void advance();
  // When that has something to do next.
  TraceTime next_due() const;

  // Looks up the files that the job's tasks read, as Hadoop's JobSubmitter does: fills in the
  // stages' `input`, and their `places` with the nodes that have the first block of each split.
  // Adds the files' blocks to `blocks`, stage after stage, unless it is null. Fails with a sentence
  // that names the path. Changes nothing in a run without storage.
  Status locate_input(Job& job, InputBlocks* blocks) const;

  bool has(const std::string& path) const;
  // As the superuser, if it is there; not in safe mode. Directories with all below them; a file of
  // the new name is replaced.
  void remove(const std::string& path);
  void rename(const std::string& path, const std::string& new_path);

  // Why preloaded files could not be stored.
  const std::vector<std::string>& refused_files() const { return refused_files_; }

  void verify() const;

 private:
  bool has_joined(NodeId node) const;
  void execute(StorageOperation operation);
  void accept(const DatanodeRegistered& registered);
  void accept(const DatanodeHeartbeat& heartbeat);
  void accept(FullBlockReport& report);
  void accept(const IncrementalBlockReport& report);
  void accept(const DatanodeGone& gone);
  void accept(StorageCalled& called);
  void accept(const PreloadedFile& file);
  void answer(AnswerStorageCall answer);
  void answer(NodeId node, std::variant<HeartbeatReply, ReportReply> reply);
  void order_replicas();
  Status locate(Stage& stage, InputBlocks* blocks) const;

  const ClusterModel& cluster_;
  StepContext& context_;
  std::optional<Namenode> namenode_;
  DeferredCalls deferred_;
  bool has_taken_ = false;       // an input since the last advance
  bool may_answer_now_ = false;  // a report or a call, on which deferred calls may depend
  std::map<NodeId, StoreReplicas> to_store_;
  std::vector<std::string> refused_files_;
};

}  // namespace tracebed
