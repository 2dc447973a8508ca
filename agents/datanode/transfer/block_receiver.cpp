#include "agents/datanode/transfer/block_receiver.h"

#include <limits>

#include "agents/datanode/transfer/write_stages.h"

namespace tracebed {
namespace {

using Clock = TransferSocket::Clock;

// Enough for several packets, which are then read at once.
constexpr std::size_t input_bytes = 256 * 1024;
// HDFS' clients send 64 KiB. Hadoop accepts 16 MiB, which thousands of connections cannot have
// here.
constexpr hdfs::PacketLimits packet_limits{.payload_bytes_max = std::size_t{1} << 20};
// More than any namenode chooses; their names are in every ack.
constexpr int targets_max = 512;

bool begins_chunk(const hdfs::Packet& packet) {
  return static_cast<std::uint64_t>(packet.header.offset_in_block) % chunk_bytes == 0;
}

std::optional<std::string> write_error(const TransferEnvironment& environment,
                                       const pb::OpWriteBlock& write) {
  if (auto error = block_error(environment, write.header().base_header().block())) return error;
  if (write.latest_generation_stamp() > std::numeric_limits<std::uint32_t>::max()) {
    return "generation stamp " + std::to_string(write.latest_generation_stamp()) + " is none";
  }
  if (write.targets_size() > targets_max) return "a pipeline has too many datanodes";
  if (is_client_transfer(write) && write.targets_size() > 0) {
    return "a client's transfer has one target";
  }
  return std::nullopt;
}

}  // namespace

BlockReceiver::BlockReceiver(const TransferEnvironment& environment, TransferSocket& upstream,
                             TransferInput& input, const pb::OpWriteBlock& write)
    : environment_(environment),
      upstream_(upstream),
      input_(input),
      write_(write),
      block_(write.header().base_header().block()),
      is_of_client_(!write.header().client_name().empty()),
      is_transfer_(is_client_transfer(write)),
      distance_(environment.neighbours.distance_of(upstream.peer())),
      checksums_(
          hdfs::chunk_checksums(static_cast<std::uint32_t>(write.requested_checksum().type()),
                                write.requested_checksum().bytes_per_checksum())) {
  reply_.set_status(pb::STATUS_SUCCESS);
}

void BlockReceiver::fail(const std::string& message) {
  environment_.counters.failed(write_.header().client_name());
  if (send_error(upstream_, environment_, message)) {
    upstream_.drain(environment_.options.drain_timeout);
  }
}

void BlockReceiver::run() {
  environment_.counters.begun(write_.header().client_name());
  if (const auto error = write_error(environment_, write_)) return fail(*error);
  if (!checksums_) return fail("there are no such checksums");
  auto rate = TransferRate::open(environment_.rates, Traffic::receiving, upstream_.peer());
  if (!rate) return fail("there are too many transfers");
  rate_.emplace(std::move(*rate));
  const bool only_closes = is_close_recovery(write_);
  if (only_closes) {
    if (StoreStatus closed = close_replica(environment_, write_); !closed) {
      return fail(closed.error().message);
    }
  } else {
    StoreResult<ReplicaWriter> opened = open_replica(environment_, write_);
    if (!opened) return fail(opened.error().message);
    writer_.emplace(std::move(*opened));
  }
  const ActivePipelines::Membership membership(environment_.pipelines, block_.block_id(),
                                               upstream_);
  const auto report = [&] {
    if (const auto info = environment_.store.find(block_.block_id())) {
      environment_.reports.changed(*info);
    }
  };
  if (is_of_client_ && !is_transfer_) report();
  bool is_well = open_mirror() && answer();
  if (is_well && !only_closes) is_well = receive();
  // The replica of a transfer that failed is of no use; that of a pipeline waits to be resumed.
  if (!is_well && writer_ && (!is_of_client_ || is_transfer_)) {
    writer_.reset();
    (void)environment_.store.remove(block_.block_id(), block_.generation_stamp());
  }
  if (!is_well) {
    environment_.counters.failed(write_.header().client_name());
    upstream_.drain(environment_.options.drain_timeout);
  }
}

bool BlockReceiver::open_mirror() {
  if (write_.targets_size() == 0) return true;
  mirror_.emplace(environment_, write_);
  TransferStatus opened = mirror_->open();
  if (opened && is_of_client_) {
    auto reply = mirror_->read_reply();
    if (reply) {
      reply_.set_status(reply->status());
      reply_.set_first_bad_link(reply->first_bad_link());
      // One that refuses the block does not name itself.
      if (reply->status() != pb::STATUS_SUCCESS && reply->first_bad_link().empty()) {
        reply_.set_first_bad_link(mirror_->name());
        reply_.set_message(reply->message());
      }
      return true;
    }
    opened = reply.error();
  }
  if (opened) return true;
  // It may be what ended the connection: the next datanode is not to blame.
  if (environment_.sockets.is_ending()) return false;
  // By order of the namenode the others are sent theirs another time.
  if (!is_of_client_) {
    is_mirror_broken_ = true;
    return true;
  }
  reply_.set_status(pb::STATUS_ERROR);
  reply_.set_first_bad_link(mirror_->name());
  reply_.set_message(mirror_->name() + ": " + opened.error().message);
  (void)send_reply(upstream_, environment_, reply_);
  return false;
}

bool BlockReceiver::answer() {
  if (!is_of_client_ || is_transfer_) return true;
  if (!reply_.has_first_bad_link()) reply_.set_first_bad_link("");
  return send_reply(upstream_, environment_, reply_) && reply_.status() == pb::STATUS_SUCCESS;
}

bool BlockReceiver::receive() {
  if (is_of_client_ && !is_transfer_) {
    responder_.emplace(environment_, PacketResponder::Ends{upstream_, mirror_ ? &*mirror_ : nullptr,
                                                           writer_->acknowledger(),
                                                           [this] { return finalize(); }});
    if (!responder_->has_started()) return false;
  }
  input_.reserve(input_bytes);
  Received received = Received::more;
  while (received == Received::more) received = receive_packet();
  if (received == Received::failure) {
    if (responder_) responder_->cancel();
    return false;
  }
  if (responder_) return responder_->wait();
  return end_transfer();
}

BlockReceiver::Received BlockReceiver::receive_packet() {
  const auto parser = [](hdfs::Bytes unread) { return hdfs::parse_packet(unread, packet_limits); };
  const auto parsed =
      input_.next<hdfs::Packet>(parser, Clock::now() + environment_.options.read_timeout);
  if (!parsed) return Received::failure;
  const hdfs::Packet& packet = parsed->value;
  const auto offset = static_cast<std::uint64_t>(packet.header.offset_in_block);
  if (offset > writer_->length() ||
      hdfs::checksum_layout_error(packet, *checksums_, /*may_lack_checksums=*/true)) {
    return Received::failure;
  }
  pass_on(input_.unread().first(parsed->bytes));
  const Received kept = keep(packet);
  input_.consume(parsed->bytes);
  return kept;
}

void BlockReceiver::pass_on(hdfs::Bytes packet) {
  if (!mirror_ || is_mirror_broken_ || mirror_->send(packet)) return;
  is_mirror_broken_ = true;
  mirror_->shut_down();
}

BlockReceiver::Received BlockReceiver::keep(const hdfs::Packet& packet) {
  pb::Status status = pb::STATUS_SUCCESS;
  if (!packet.data.empty()) {
    if (!rate_->acquire(packet.data.size())) return Received::failure;
    if (!is_verified(packet)) {
      status = pb::STATUS_ERROR_CHECKSUM;
    } else if (!append(packet)) {
      status = pb::STATUS_ERROR;
    }
  }
  if (status == pb::STATUS_SUCCESS && packet.header.syncs_block && !writer_->sync()) {
    status = pb::STATUS_ERROR;
  }
  if (!acknowledge(packet, status)) return Received::failure;
  if (status != pb::STATUS_SUCCESS) {
    // Upstream is to read why before the connection ends.
    if (responder_) (void)responder_->wait();
    return Received::failure;
  }
  environment_.counters.written(write_.header().client_name(), distance_, packet.data.size());
  return packet.header.is_last_in_block ? Received::last : Received::more;
}

// By the last of a pipeline, by whom a datanode sends it to, and where the checksums are not stored
// as they come: those of another kind, and of bytes that complete a chunk.
bool BlockReceiver::is_verified(const hdfs::Packet& packet) const {
  const bool is_last = !mirror_ || is_mirror_broken_;
  const bool are_stored = *checksums_ == replica_checksums && begins_chunk(packet);
  if (packet.checksums.empty() || (!is_last && is_of_client_ && are_stored)) return true;
  return !hdfs::first_bad_chunk(*checksums_, packet.data, packet.checksums);
}

StoreStatus BlockReceiver::append(const hdfs::Packet& packet) {
  const auto offset = static_cast<std::uint64_t>(packet.header.offset_in_block);
  const bool are_stored =
      *checksums_ == replica_checksums && !packet.checksums.empty() && begins_chunk(packet);
  return are_stored ? writer_->append(offset, packet.data, packet.checksums)
                    : writer_->append(offset, packet.data);
}

bool BlockReceiver::acknowledge(const hdfs::Packet& packet, pb::Status status) {
  if (!responder_) return status == pb::STATUS_SUCCESS;
  const auto end = static_cast<std::uint64_t>(packet.header.offset_in_block) + packet.data.size();
  return responder_->enqueue({.sequence_number = packet.header.sequence_number,
                              .end = end,
                              .is_last = packet.header.is_last_in_block,
                              .status = status});
}

// Called by the responder's thread, while this one waits for it.
pb::Status BlockReceiver::finalize() {
  if (!writer_->finalize()) return pb::STATUS_ERROR;
  // A client that transfers a replica to append to it has the namenode told when it does.
  if (is_transfer_) return pb::STATUS_SUCCESS;
  if (const auto info = environment_.store.find(block_.block_id())) {
    environment_.reports.changed(*info);
  }
  return pb::STATUS_SUCCESS;
}

bool BlockReceiver::end_transfer() {
  // Fewer bytes than were announced are no replica.
  if (writer_->length() < block_.num_bytes()) return false;
  if (write_.stage() == pb::OpWriteBlock::TRANSFER_RBW) {
    if (!writer_->convert()) return false;
  } else if (finalize() != pb::STATUS_SUCCESS) {
    return false;
  }
  if (!is_of_client_) return true;
  reply_.set_status(pb::STATUS_SUCCESS);
  return send_reply(upstream_, environment_, reply_).has_value();
}

}  // namespace tracebed
