// What tasks on modelled machines write: a file each (core/output_files.h), block after block, by
// the calls of the namenode that a client of HDFS makes (org.apache.hadoop.hdfs.DFSOutputStream,
// DataStreamer), which take no time. A block goes to all datanodes of its pipeline at once, no byte
// sooner than the work makes it, and ends when the slowest has it. A datanode whose machine fails
// leaves the pipeline, and the others continue; if there are no others, the write fails.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/virtual/flow_network.h"
#include "core/event_heap.h"
#include "core/ids.h"
#include "core/machines.h"
#include "core/storage_inputs.h"
#include "core/task_work.h"
#include "core/time.h"

namespace tracebed {

class ModelledWrites {
 public:
  class Datanodes {
   public:
    virtual ~Datanodes() = default;
    virtual bool is_up(NodeId node) const = 0;
    // The target begins to receive from the writer's machine, or that of the datanode before it,
    // paced. Returns the transfer's number, which is the tag of its flow, whatever the demand
    // states.
    virtual std::uint64_t begin_write(NodeId from, NodeId target, const FlowDemand& demand,
                                      TraceTime now) = 0;
    // It is due at another time.
    virtual void pace(std::uint64_t transfer, TraceTime due, TraceTime now) = 0;
    // Ends it early. Returns the bytes that were received.
    virtual std::int64_t cancel_write(std::uint64_t transfer, TraceTime now) = 0;
    // It has the replica now, if there is room for it.
    virtual void store(NodeId target, const BlockName& block) = 0;
  };
  // A task whose file is closed, or cannot be written.
  struct Outcome {
    ContainerId container;
    std::optional<std::string> failure;
  };

  // Nodes are positions in `machines`. All outlive this.
  ModelledWrites(const std::vector<Machine>& machines, std::int64_t block_size,
                 Datanodes& datanodes)
      : machines_(machines), block_size_(block_size), datanodes_(datanodes) {}

  // What a task of the container is to write.
  void plan(ContainerId container, NodeId writer, const TaskWork& work);
  // The task's work begins, and is to end at `due` unless its output is late.
  void start(ContainerId container, TraceTime now, TraceTime due);
  // From now on the task works at the pace of one that lasts `run_time` in all and ends at `due`.
  void pace(ContainerId container, Duration run_time, TraceTime due, TraceTime now);
  // As start(), for a task that has ended, where writes take no time: its first `bytes`.
  void start_untimed(ContainerId container, std::int64_t bytes, TraceTime now);
  // The task is ordered to stop when its work has made `bytes` of its output. The file is closed
  // with as many of these as its datanodes have received.
  void close(ContainerId container, std::int64_t bytes, TraceTime now);
  // False once its file is closed, or if it writes none.
  bool is_writing(ContainerId container) const { return writes_.contains(container); }
  // True from start() to end().
  bool has_begun(ContainerId container) const;

  // Of its file, once that is closed.
  std::optional<std::int64_t> length_of(ContainerId container) const;
  // The task ends. What it has written.
  std::int64_t end(ContainerId container, TraceTime now);
  // The machine is down.
  void leave(NodeId node, TraceTime now);

  // ---- transfers ----
  bool has(std::uint64_t transfer) const { return writers_.contains(transfer); }
  void received(std::uint64_t transfer);

  // ---- the namenode ----
  // A call of a datanode, which needs no answer.
  void make_call(StorageCall call);
  void answered(AnswerStorageCall&& answer, TraceTime now);
  // When calls are to be made: now if some wait.
  TraceTime next_call(TraceTime now) const;
  std::vector<StorageCalled> take_calls(TraceTime now);

  // Since the last call.
  std::vector<Outcome> take_outcomes() { return std::exchange(outcomes_, {}); }

 private:
  enum class Stage : std::uint8_t {
    planned,
    creating,
    adding_block,
    sending,            // in a pipeline, as in the next two
    getting_stamp,      // for what is left of the pipeline
    updating_pipeline,  // to that
    completing,
    failed,
  };
  struct Transfer {
    NodeId target;
    std::uint64_t id = 0;
  };
  struct Write {
    NodeId writer;
    std::string path;
    std::uint32_t replication = 0;
    std::int64_t length = 0;  // of the whole output
    std::int64_t limit = 0;   // to be written: `length`, or less of a task that stops early
    double weight = 1;
    TraceTime begun{};
    Duration run_time{};
    bool is_timed = true;
    Stage stage = Stage::planned;
    std::uint64_t ticket = 0;  // of the call that it waits for
    std::uint64_t file_id = 0;
    std::int64_t written = 0;  // in blocks that have ended
    std::optional<BlockName> previous;
    BlockName block;                 // in the pipeline; its length is what it is to have
    std::vector<NodeId> targets;     // of the pipeline
    std::vector<Transfer> pending;   // to those
    bool must_update_again = false;  // another target failed meanwhile
    unsigned retries = 0;            // of the same call
  };

  void call(ContainerId container, Write& write, StorageOperation operation);
  void create(ContainerId container, Write& write);
  void next_block(ContainerId container, Write& write);
  void begin_block(ContainerId container, Write& write, const LocatedBlock& located, TraceTime now);
  void send(ContainerId container, Write& write, TraceTime now);
  // When the work has made the block's last byte.
  static TraceTime due_of(const Write& write, TraceTime now);
  // After a while: the namenode is in safe mode, or waits for replicas. False if that was so often.
  bool try_again(ContainerId container, Write& write, TraceTime now);
  void end_block_if_received(ContainerId container, Write& write);
  // The target is left out.
  void leave_out(ContainerId container, Write& write, NodeId target, TraceTime now);
  void fail(ContainerId container, Write& write, const std::string& why, TraceTime now);
  std::vector<std::int64_t> cancel_pending(Write& write, TraceTime now);
  void take(ContainerId container, Write& write, const StorageReply& reply, TraceTime now);
  OpenFileName file_of(const Write& write) const { return {write.path, write.file_id}; }

  const std::vector<Machine>& machines_;
  std::int64_t block_size_;
  Datanodes& datanodes_;
  std::map<ContainerId, Write> writes_;           // whose file is not closed
  std::map<ContainerId, std::int64_t> closed_;    // bytes, of tasks that have not ended
  std::map<std::uint64_t, ContainerId> writers_;  // by transfer
  std::map<std::uint64_t, ContainerId> callers_;  // by ticket
  std::uint64_t next_ticket_ = 0;
  std::vector<StorageCalled> calls_;
  EventHeap<ContainerId> renewals_;  // of leases
  EventHeap<ContainerId> retries_;
  std::vector<Outcome> outcomes_;
};

}  // namespace tracebed
