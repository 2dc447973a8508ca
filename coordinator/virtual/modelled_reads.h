// What tasks on modelled machines read: each block from the nearest replica whose machine is up, of
// those that the namenode names when the task is launched, one block after the other. A task reads
// along with its work: no byte sooner than the work needs it, and as fast as the datanode sends
// where it is late (agents/task/profile_work.h). If a machine fails, the rest comes from the next
// replica. Every byte is counted twice: for the task, and at the datanode.
//
// What an executor on a machine has in memory is sent from there, as long as the machine is up,
// without its disk and its datanode, and is not counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordinator/virtual/flow_network.h"
#include "core/ids.h"
#include "core/machines.h"
#include "core/read_bytes.h"
#include "core/storage_reply.h"
#include "core/time.h"

namespace tracebed {

class ModelledReads {
 public:
  class Datanodes {
   public:
    virtual ~Datanodes() = default;
    virtual bool is_up(NodeId node) const = 0;
    // The server begins a transfer to the reader's machine, paced. Returns its number, which is the
    // tag of its flow, whatever the demand states.
    virtual std::uint64_t begin_read(NodeId server, NodeId reader, const FlowDemand& demand,
                                     TraceTime now) = 0;
    // Likewise, from the memory of a process there.
    virtual std::uint64_t begin_memory_read(NodeId server, NodeId reader, const FlowDemand& demand,
                                            TraceTime now) = 0;
    // It is due at another time.
    virtual void pace(std::uint64_t transfer, TraceTime due, TraceTime now) = 0;
    // Ends it early. Returns the bytes that were sent.
    virtual std::int64_t cancel_read(std::uint64_t transfer, TraceTime now) = 0;
    // The bytes that were sent so far.
    virtual std::int64_t sent_so_far(std::uint64_t transfer, TraceTime now) const = 0;
  };
  // A task that has all of its input, or cannot get it: no replica is left.
  struct Outcome {
    ContainerId container;
    bool has_failed = false;
  };

  // Nodes are positions in `machines`. The datanodes outlive this.
  ModelledReads(const std::vector<Machine>& machines, Datanodes& datanodes);

  // A part of a file.
  struct Part {
    std::vector<LocatedBlock> located;
    std::int64_t offset = 0;
    std::int64_t length = 0;
    std::optional<NodeId> memory;  // that has it, too, if that is up
    double weight = 1;             // of the flows
  };
  // What a task of the container is to read. False if it cannot: the file is gone, or a block has
  // no replica on a machine that is up.
  bool plan(ContainerId container, NodeId reader, const Part& part);
  // The task's work begins, and is to end at `due` unless its input is late.
  void start(ContainerId container, TraceTime now, TraceTime due, std::vector<Outcome>& outcomes);
  // From now on the task works at the pace of one that lasts `run_time` in all and ends at `due`.
  void pace(ContainerId container, Duration run_time, TraceTime due, TraceTime now);
  // False once it has all of it, or has none.
  bool is_reading(ContainerId container) const { return reads_.contains(container); }

  // The part of its input that it has, from 0 to 1; 1 of a task that reads nothing.
  double part_read(ContainerId container, TraceTime now) const;

  // The task ends. What it has read.
  ReadBytes end(ContainerId container, TraceTime now);
  // Likewise for one that was not started: where reads take no time, it has the first `bytes`.
  ReadBytes end_untimed(ContainerId container, std::int64_t bytes);

  // A transfer has come to its end.
  void sent(std::uint64_t transfer, TraceTime now, std::vector<Outcome>& outcomes);
  // The machine is down.
  void leave(NodeId server, TraceTime now, std::vector<Outcome>& outcomes);

  // What the datanode of the node has sent, by how far away the readers were.
  const ReadBytes& sent_by(NodeId node) const { return sent_[node.index()]; }
  ReadBytes sent() const;

 private:
  struct Piece {
    std::vector<NodeId> servers;  // nearest first
    std::int64_t bytes = 0;
  };
  struct Read {
    NodeId reader;
    std::optional<NodeId> memory;
    std::vector<Piece> pieces;
    std::int64_t length = 0;
    double weight = 1;
    TraceTime begun{};
    Duration run_time{};
    std::size_t current = 0;    // piece
    std::int64_t received = 0;  // of the whole; of the current piece only from servers that failed
    std::int64_t end_of_current = 0;
    NodeId server;  // invalid before the start
    bool is_from_memory = false;
    std::uint64_t transfer = 0;
    ReadBytes read;
  };

  // From the next server that is up; false if there is none.
  bool begin_piece(ContainerId container, Read& read, TraceTime now);
  // When the work is as far along as the piece's end is in the input.
  static TraceTime due_of(const Read& read);
  void stop_transfer(Read& read, TraceTime now);
  void count(Read& read, std::int64_t bytes);
  NodeId first_up(const Piece& piece) const;
  bool has_memory(const Read& read) const;

  Datanodes& datanodes_;
  std::vector<std::uint32_t> rack_of_;            // by node
  std::map<ContainerId, Read> reads_;             // not whole
  std::map<ContainerId, ReadBytes> whole_;        // of tasks that have not ended
  std::map<std::uint64_t, ContainerId> readers_;  // by transfer
  std::vector<ReadBytes> sent_;                   // by node
};

}  // namespace tracebed
