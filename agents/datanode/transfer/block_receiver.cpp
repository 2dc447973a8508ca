#include "agents/datanode/transfer/block_receiver.h"

#include <algorithm>
#include <limits>

#include "agents/datanode/transfer/write_stages.h"

namespace tracebed {
namespace {

using Clock = TransferSocket::Clock;

// Enough for several packets, which are then read at once.
constexpr std::size_t input_bytes = 256 * 1024;
// Below the number of parts that one call writes (IOV_MAX).
constexpr std::size_t packets_at_once_max = 64;
// HDFS' clients send 64 KiB. Hadoop accepts 16 MiB, which thousands of connections cannot have
// here.
constexpr hdfs::PacketLimits packet_limits{.payload_bytes_max = std::size_t{1} << 20};
// More than any namenode chooses; their names are in every ack.
constexpr int targets_max = 512;

hdfs::ParseResult<hdfs::Packet> parse_packet(hdfs::Bytes unread) {
  return hdfs::parse_packet(unread, packet_limits);
}

std::uint64_t end_of(const hdfs::Packet& packet) {
  return static_cast<std::uint64_t>(packet.header.offset_in_block) + packet.data.size();
}

std::uint64_t bytes_of(std::span<const hdfs::Packet> packets) {
  std::uint64_t bytes = 0;
  for (const hdfs::Packet& packet : packets) bytes += packet.data.size();
  return bytes;
}

bool is_error(pb::Status status) {
  return status != pb::STATUS_SUCCESS;
}

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
  auto rate = TransferRate::open(environment_.rates, Traffic::receiving, upstream_.peer(),
                                 {.weight = write_.header().transfer_weight()});
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
  while (received == Received::more) received = receive_packets();
  if (received == Received::failure) {
    if (responder_) responder_->cancel();
    return false;
  }
  if (responder_) return responder_->wait();
  return end_transfer();
}

// Waits for one, and takes with it those that have come whole: they are passed on in one call, and
// acknowledged together, which is a wake-up of each thread of the pipeline less for every packet.
BlockReceiver::Received BlockReceiver::receive_packets() {
  const auto deadline = Clock::now() + environment_.options.read_timeout;
  if (!input_.next<hdfs::Packet>(parse_packet, deadline)) return Received::failure;
  const hdfs::Bytes unread = input_.unread();
  const std::size_t bytes = take_packets(unread);
  if (packets_.empty()) return Received::failure;
  pass_on(unread.first(bytes));
  const Received kept = keep_packets();
  input_.consume(bytes);
  return kept;
}

// Sets `packets_`, and returns how many bytes they take. Packets that a rate holds back are taken
// one by one: an ack would wait for the rate of packets behind its own.
std::size_t BlockReceiver::take_packets(hdfs::Bytes unread) {
  const bool passes_freely = rate_->passes_freely() && (!mirror_ || mirror_->passes_freely());
  const std::size_t most = passes_freely ? packets_at_once_max : 1;
  std::uint64_t length = writer_->length();
  std::size_t bytes = 0;
  packets_.clear();
  for (bool has_more = true; has_more;) {
    const auto result = parse_packet(unread.subspan(bytes));
    const auto* parsed = std::get_if<hdfs::Parsed<hdfs::Packet>>(&result);
    if (parsed == nullptr || !fits(parsed->value, length)) break;
    packets_.push_back(parsed->value);
    bytes += parsed->bytes;
    length = std::max(length, end_of(parsed->value));
    has_more = packets_.size() < most && !parsed->value.header.is_last_in_block;
  }
  return bytes;
}

bool BlockReceiver::fits(const hdfs::Packet& packet, std::uint64_t length) const {
  return static_cast<std::uint64_t>(packet.header.offset_in_block) <= length &&
         !hdfs::checksum_layout_error(packet, *checksums_, /*may_lack_checksums=*/true);
}

void BlockReceiver::pass_on(hdfs::Bytes packets) {
  if (!mirror_ || is_mirror_broken_ || mirror_->send(packets)) return;
  is_mirror_broken_ = true;
  mirror_->shut_down();
}

BlockReceiver::Received BlockReceiver::keep_packets() {
  pb::Status status = pb::STATUS_SUCCESS;
  std::uint64_t bytes = 0;
  acks_.clear();
  for (std::span<const hdfs::Packet> left = packets_; !left.empty() && !is_error(status);) {
    auto run = left.first(count_run(left));
    const std::uint64_t run_bytes = bytes_of(run);
    if (run_bytes > 0 && !rate_->acquire(run_bytes)) return Received::failure;
    status = keep(run);
    // Nothing of it stays, but a part of it may fit.
    if (is_error(status) && run.size() > 1) {
      run = run.first(1);
      status = keep(run);
    }
    for (const hdfs::Packet& packet : run) {
      acks_.push_back({.sequence_number = packet.header.sequence_number,
                       .end = end_of(packet),
                       .is_last = packet.header.is_last_in_block,
                       .status = status});
    }
    if (!is_error(status)) bytes += bytes_of(run);
    left = left.subspan(run.size());
  }
  environment_.counters.written(write_.header().client_name(), distance_, bytes);
  if (responder_ && !responder_->enqueue(acks_)) return Received::failure;
  if (is_error(status)) {
    // Upstream is to read why before the connection ends.
    if (responder_) (void)responder_->wait();
    return Received::failure;
  }
  return packets_.back().header.is_last_in_block ? Received::last : Received::more;
}

// How many packets are written in one call: those that continue the replica with whole chunks.
std::size_t BlockReceiver::count_run(std::span<const hdfs::Packet> packets) const {
  std::uint64_t end = writer_->length();
  std::size_t count = 0;
  for (const hdfs::Packet& packet : packets) {
    const bool continues = static_cast<std::uint64_t>(packet.header.offset_in_block) == end;
    if (!continues || packet.data.empty() || !keeps_checksums(packet)) break;
    if (count > 0 && !is_verified(packet)) break;  // it is the first of the next run
    ++count;
    if (packet.header.syncs_block) break;
    end = end_of(packet);
  }
  return std::max<std::size_t>(count, 1);
}

pb::Status BlockReceiver::keep(std::span<const hdfs::Packet> run) {
  const hdfs::Packet& first = run.front();
  if (!first.data.empty()) {
    if (!is_verified(first)) return pb::STATUS_ERROR_CHECKSUM;
    if (!append(run)) return pb::STATUS_ERROR;
  }
  const bool is_synced = !run.back().header.syncs_block || writer_->sync();
  return is_synced ? pb::STATUS_SUCCESS : pb::STATUS_ERROR;
}

// By the last of a pipeline, by whom a datanode sends it to, and where the checksums are not stored
// as they come: those of another kind, and of bytes that complete a chunk.
bool BlockReceiver::is_verified(const hdfs::Packet& packet) const {
  const bool is_last = !mirror_ || is_mirror_broken_;
  if (packet.checksums.empty() || (!is_last && is_of_client_ && keeps_checksums(packet))) {
    return true;
  }
  return !hdfs::first_bad_chunk(*checksums_, packet.data, packet.checksums);
}

bool BlockReceiver::keeps_checksums(const hdfs::Packet& packet) const {
  return *checksums_ == replica_checksums && !packet.checksums.empty() && begins_chunk(packet);
}

StoreStatus BlockReceiver::append(std::span<const hdfs::Packet> run) {
  if (run.size() > 1) {
    parts_.clear();
    for (const hdfs::Packet& packet : run) parts_.push_back({packet.data, packet.checksums});
    return writer_->append(parts_);
  }
  const hdfs::Packet& packet = run.front();
  const auto offset = static_cast<std::uint64_t>(packet.header.offset_in_block);
  return keeps_checksums(packet) ? writer_->append(offset, packet.data, packet.checksums)
                                 : writer_->append(offset, packet.data);
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
