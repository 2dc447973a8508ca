// Sends acks of packets upstream, in their order, each when the datanodes downstream have
// acknowledged it, on a thread of its own. Acks that are ready together are sent together
// (org.apache.hadoop.hdfs.server.datanode.BlockReceiver.PacketResponder).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/datanode/replica_writer.h"
#include "agents/datanode/transfer/mirror.h"
#include "system/small_thread.h"

namespace tracebed {

struct PacketToAcknowledge {
  std::int64_t sequence_number = 0;
  std::uint64_t end = 0;  // of its bytes in the block
  bool is_last = false;
  pb::Status status = pb::STATUS_SUCCESS;  // of this datanode
};

class PacketResponder {
 public:
  struct Ends {
    TransferSocket& upstream;
    Mirror* mirror;  // null: this datanode is the last of the pipeline
    ReplicaWriter::Acknowledger acknowledger;
    // Called before the ack of the last packet is sent, when all others have acknowledged it.
    std::function<pb::Status()> finalize;
  };

  PacketResponder(const TransferEnvironment& environment, Ends ends);
  // Ends it, if it has not ended.
  ~PacketResponder();
  PacketResponder(const PacketResponder&) = delete;
  PacketResponder& operator=(const PacketResponder&) = delete;

  // False if there was no room for its thread.
  bool has_started() const { return thread_.has_value(); }

  // Waits while too many packets wait for their acks. False if it has ended.
  bool enqueue(std::span<const PacketToAcknowledge> packets);
  // Waits for its end: after the ack of a last packet, or of one that failed, or when upstream
  // takes no acks. Whether the last packet is acknowledged with success by all.
  bool wait();
  // Ends it before.
  void cancel();

 private:
  void run();
  // Waits for those that are to be acknowledged. False: it was cancelled.
  bool take_packets();
  bool acknowledge_taken();
  // False: it was the last.
  bool acknowledge(const PacketToAcknowledge& packet);
  // Before every wait. False if upstream takes no acks.
  bool send_ready();
  // Whether this datanode itself ends the connections.
  bool is_ending() const;

  const TransferEnvironment& environment_;
  Ends ends_;
  // Of its thread:
  std::vector<PacketToAcknowledge> taken_;
  std::string ready_;               // acks that are not sent yet
  std::uint64_t acknowledged_ = 0;  // the bytes that all have, with these acks
  mutable std::mutex mutex_;        // guards what follows, but not the thread
  std::condition_variable changed_;
  std::vector<PacketToAcknowledge> packets_;
  bool is_cancelled_ = false;
  bool has_ended_ = false;
  bool is_complete_ = false;
  std::optional<SmallThread> thread_;  // last: it uses what is above
};

}  // namespace tracebed
