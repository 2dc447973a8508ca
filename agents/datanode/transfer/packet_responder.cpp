#include "agents/datanode/transfer/packet_responder.h"

#include <algorithm>

#include "agents/datanode/transfer/transfer_threads.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/packet.h"

namespace tracebed {
namespace {

// A client has at most 80 packets in flight (dfs.client.write.max-packets-in-flight).
constexpr std::size_t packets_max = 1'024;
// PipelineAck.UNKOWN_SEQNO: of an ack that answers no packet.
constexpr std::int64_t unknown_sequence_number = -2;

}  // namespace

PacketResponder::PacketResponder(const TransferEnvironment& environment, Ends ends)
    : environment_(environment), ends_(std::move(ends)) {
  thread_ = SmallThread::start(transfer_stack_bytes, [this] { run(); });
  has_ended_ = !thread_;
}

PacketResponder::~PacketResponder() {
  cancel();
  if (thread_) thread_->join();
}

bool PacketResponder::enqueue(std::span<const PacketToAcknowledge> packets) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended_ || packets_.size() < packets_max; });
    if (has_ended_) return false;
    packets_.insert(packets_.end(), packets.begin(), packets.end());
  }
  changed_.notify_all();
  return true;
}

bool PacketResponder::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_ended_; });
  return is_complete_;
}

void PacketResponder::cancel() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  is_cancelled_ = true;
  changed_.notify_all();
  if (ends_.mirror != nullptr) ends_.mirror->shut_down();
}

void PacketResponder::run() {
  while (take_packets() && acknowledge_taken()) {
  }
  (void)send_ready();
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  packets_.clear();
  changed_.notify_all();
}

bool PacketResponder::take_packets() {
  taken_.clear();
  std::unique_lock lock(mutex_);
  if (packets_.empty()) {
    lock.unlock();
    if (!send_ready()) return false;
    lock.lock();
  }
  changed_.wait(lock, [this] { return is_cancelled_ || !packets_.empty(); });
  if (is_cancelled_) return false;
  std::swap(taken_, packets_);
  changed_.notify_all();
  return true;
}

bool PacketResponder::acknowledge_taken() {
  return std::all_of(taken_.begin(), taken_.end(),
                     [this](const PacketToAcknowledge& packet) { return acknowledge(packet); });
}

bool PacketResponder::acknowledge(const PacketToAcknowledge& packet) {
  pb::PipelineAck ack;
  ack.set_seqno(packet.sequence_number);
  ack.add_reply(packet.status);
  bool is_mirror_broken = false;
  bool is_success = packet.status == pb::STATUS_SUCCESS;
  if (ends_.mirror != nullptr) {
    if (!ends_.mirror->has_ack() && !send_ready()) return false;
    const auto downstream = ends_.mirror->read_ack();
    // As when HDFS interrupts the thread: an ack would blame the next datanode, and the client
    // would go on with this one.
    if (!downstream && is_ending()) return false;
    // One that has lost a datanode after it acknowledges no packet.
    const bool has_lost_another = downstream && downstream->seqno() == unknown_sequence_number;
    if (has_lost_another) ack.set_seqno(unknown_sequence_number);
    is_mirror_broken = !downstream || downstream->seqno() != ack.seqno();
    if (is_mirror_broken) {
      // As HDFS says it, and the client takes the datanode after this one out of its pipeline.
      ack.set_seqno(unknown_sequence_number);
      ack.add_reply(pb::STATUS_ERROR);
    } else if (downstream->reply(0) == pb::STATUS_ERROR_CHECKSUM) {
      // The next one has no wrong bytes, but this one has, or was sent them: it takes the blame,
      // and leaves without an ack.
      (void)send_ready();
      ends_.upstream.shut_down();
      return false;
    } else {
      ack.mutable_reply()->MergeFrom(downstream->reply());
    }
    const auto is_well = [](int status) { return status == pb::STATUS_SUCCESS; };
    is_success = !has_lost_another && std::all_of(ack.reply().begin(), ack.reply().end(), is_well);
  }
  if (is_success) {
    if (packet.is_last) {
      const pb::Status finalized = ends_.finalize();
      ack.set_reply(0, finalized);
      is_success = finalized == pb::STATUS_SUCCESS;
    } else {
      acknowledged_ = std::max(acknowledged_, packet.end);
    }
  }
  // Before it is sent: whoever reads it may rely on what it says.
  if (packet.is_last) {
    const std::lock_guard lock(mutex_);
    is_complete_ = is_success;
  }
  // The receiver may be waiting for the mirror to take more.
  if (is_mirror_broken) ends_.mirror->shut_down();
  hdfs::append_delimited(ready_, ack);
  return is_success && !packet.is_last;
}

bool PacketResponder::send_ready() {
  if (ready_.empty()) return true;
  // Before they are sent: whoever reads them may rely on what they say.
  ends_.acknowledger.acknowledge(acknowledged_);
  const bool is_sent = ends_.upstream.send(ready_, environment_.options.write_timeout).has_value();
  ready_.clear();
  return is_sent;
}

bool PacketResponder::is_ending() const {
  const std::lock_guard lock(mutex_);
  return is_cancelled_ || environment_.sockets.is_ending();
}

}  // namespace tracebed
