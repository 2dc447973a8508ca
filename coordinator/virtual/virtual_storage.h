// The part of HDFS that modelled machines have: their datanodes, what their tasks read and write,
// and what these fetch from each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coordinator/virtual/modelled_fetches.h"
#include "coordinator/virtual/modelled_map_outputs.h"
#include "coordinator/virtual/modelled_reads.h"
#include "coordinator/virtual/modelled_writes.h"
#include "coordinator/virtual/virtual_datanodes.h"
#include "core/machines.h"
#include "core/read_bytes.h"
#include "core/storage_view.h"
#include "core/task_work.h"

namespace tracebed {

class VirtualStorage {
 public:
  // On ideal machines reads and writes take no time.
  VirtualStorage(const VirtualDatanodeOptions& options, const std::vector<Machine>& machines,
                 bool is_ideal)
      : datanodes_(options, machines),
        reads_(machines, datanodes_),
        writes_(machines, options.block_size, datanodes_),
        map_outputs_(datanodes_),
        fetches_(machines, options.seed, datanodes_),
        is_ideal_(is_ideal) {}
  VirtualStorage(const VirtualStorage&) = delete;
  VirtualStorage& operator=(const VirtualStorage&) = delete;

  // The namenode of the run; required before the first task is launched. It outlives this.
  void look_at(const StorageView& namenode) { namenode_ = &namenode; }

  VirtualDatanodes& datanodes() { return datanodes_; }
  const VirtualDatanodes& datanodes() const { return datanodes_; }
  const ModelledReads& reads() const { return reads_; }

  void join(NodeId node, Round& round) { datanodes_.join(node, round); }
  void leave(NodeId node, TraceTime now, Round& round);
  // After the commands of a round.
  void expect_orders();
  // The answer to a call of a task's.
  void answered(AnswerStorageCall answer, TraceTime now) {
    writes_.answered(std::move(answer), now);
  }
  // When advance() has something to do next.
  TraceTime next_time(TraceTime now);
  // What is due at `now` (VirtualDatanodes::advance()).
  void advance(TraceTime now, Round& round);

  // ---- tasks ----

  // Of its file in HDFS; none if the task reads no file.
  static std::optional<std::int64_t> bytes_to_read(const TaskWork& work);
  // It is launched. False if it cannot read its input: it fails then.
  bool plan_reading(ContainerId container, NodeId node, const TaskWork& work);
  // Its work begins, and is to end at `due` unless its input is late.
  void start_reading(ContainerId container, TraceTime now, TraceTime due);
  // Its work, and so what it reads and writes, is to go on from now on as if all of it lasted
  // `run_time` until `due`.
  void pace(ContainerId container, Duration run_time, TraceTime due, TraceTime now) {
    reads_.pace(container, run_time, due, now);
    writes_.pace(container, run_time, due, now);
    map_outputs_.pace(container, due, now);
  }
  // Whether it still waits for input.
  bool is_reading(ContainerId container) const {
    return !is_ideal_ && reads_.is_reading(container);
  }
  // It ends. What it has read; on an ideal machine the first `bytes`.
  ReadBytes end_reading(ContainerId container, TraceTime now, std::int64_t bytes) {
    return is_ideal_ ? reads_.end_untimed(container, bytes) : reads_.end(container, now);
  }
  // Those that have all of their input since the last call, or cannot get it.
  std::vector<ModelledReads::Outcome> take_outcomes() { return std::exchange(outcomes_, {}); }

  // The part of what it reads and fetches that it has, from 0 to 1.
  double part_received(ContainerId container, TraceTime now) const {
    if (is_ideal_) return 1;
    return std::min(reads_.part_read(container, now), fetches_.part_fetched(container, now));
  }

  // ---- what they write ----

  // It is launched.
  void plan_writing(ContainerId container, NodeId node, const TaskWork& work);
  // Its work begins, and is to end at `due` unless its output is late.
  void start_writing(ContainerId container, TraceTime now, TraceTime due);
  // Whether its file is not closed yet.
  bool is_writing(ContainerId container) const { return writes_.is_writing(container); }
  // Whether it has begun to write a file, until its end.
  bool has_output(ContainerId container) const { return writes_.has_begun(container); }
  // Its work has ended, or ends early, having made `bytes` of its output: its file is to be closed.
  void finish_writing(ContainerId container, std::int64_t bytes, bool ends_early, TraceTime now);
  // The length of its file, once that is closed.
  std::optional<std::int64_t> written_by(ContainerId container) const {
    return writes_.length_of(container);
  }
  // It ends. The bytes that it has written.
  std::int64_t end_writing(ContainerId container, TraceTime now) {
    return writes_.end(container, now);
  }
  // Those whose file is closed since the last call, or cannot be written.
  std::vector<ModelledWrites::Outcome> take_written() { return writes_.take_outcomes(); }

  // ---- what they keep for each other, and fetch ----

  void execute(const MapOutputReady& output, TraceTime now) { fetches_.ready(output, now); }
  void execute(const RemoveMapOutputs& removed) { fetches_.remove(removed.job); }
  // It is launched.
  void plan_shuffling(ContainerId container, NodeId node, const TaskWork& work);
  // Its process runs.
  void start_fetching(ContainerId container, TraceTime now) {
    if (!is_ideal_) fetches_.start(container, now);
  }
  // Its work begins, and is to end at `due` unless its output is late.
  void start_map_output(ContainerId container, TraceTime now, TraceTime due) {
    if (!is_ideal_) map_outputs_.start(container, now, due);
  }
  // Whether there is something that it still has to fetch, or to write for others.
  bool is_fetching(ContainerId container) const {
    return !is_ideal_ && fetches_.is_fetching(container);
  }
  bool is_writing_map_output(ContainerId container) const {
    return !is_ideal_ && map_outputs_.is_writing(container);
  }
  // It ends. What it has fetched; on an ideal machine the first `bytes`.
  ReadBytes end_shuffling(ContainerId container, TraceTime now, std::int64_t bytes);
  // The task ends with that part of its work done: what it has spilled.
  std::int64_t end_spilling(ContainerId container, double done);
  // Those that have fetched or written all of it since the last call.
  std::vector<ContainerId> take_shuffled();

 private:
  const StorageView* namenode_ = nullptr;
  VirtualDatanodes datanodes_;
  ModelledReads reads_;
  ModelledWrites writes_;
  ModelledMapOutputs map_outputs_;
  std::map<ContainerId, std::int64_t> spilled_;  // by tasks that are to spill
  ModelledFetches fetches_;
  bool is_ideal_;
  std::vector<ModelledReads::Outcome> outcomes_;
  std::vector<std::uint64_t> ended_;  // of advance(): kept for its memory
};

}  // namespace tracebed
