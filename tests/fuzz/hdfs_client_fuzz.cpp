// What a client reads from a datanode: the packets of a block, or the acks of a pipeline that it
// writes to. The peer sends the input, whatever the client says, and closes.
#include <arpa/inet.h>
#include <array>
#include <cstddef>
#include <mutex>
#include <netinet/in.h>
#include <span>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "hdfs_client/block_reader.h"
#include "hdfs_client/located_blocks.h"
#include "hdfs_client/scripted_replica.h"
#include "hdfs_client/write_pipeline.h"

namespace tracebed::fuzz {
namespace {

using namespace hdfs;

constexpr std::uint64_t block_bytes = 2'000;

class Peer {
 public:
  Peer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* const general = reinterpret_cast<sockaddr*>(&place);
    TRACEBED_CHECK(::bind(listener_.number(), general, size) == 0 &&
                       ::listen(listener_.number(), 8) == 0 &&
                       ::getsockname(listener_.number(), general, &size) == 0,
                   "loopback has a free port");
    endpoint_ = {"127.0.0.1", ntohs(place.sin_port)};
    std::thread([this] { serve(); }).detach();  // until the process ends
  }

  const Endpoint& endpoint() const { return endpoint_; }
  void set_answer(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    answer_.assign(bytes.begin(), bytes.end());
  }

 private:
  [[noreturn]] void serve() {
    while (true) {
      const FileDescriptor client(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
      {
        const std::lock_guard lock(mutex_);
        static_cast<void>(!::send(client.number(), answer_.data(), answer_.size(), MSG_NOSIGNAL));
      }
      ::shutdown(client.number(), SHUT_WR);
      std::array<char, 4'096> ignored;
      while (::recv(client.number(), ignored.data(), ignored.size(), 0) > 0) {
      }
    }
  }

  FileDescriptor listener_;
  Endpoint endpoint_;
  std::mutex mutex_;
  std::vector<std::byte> answer_;
};

void read_block(const Endpoint& endpoint) {
  BlockRange range{hdfs::test::extended_block(1, block_bytes), {}, 700, 1'000};
  hdfs::test::set_empty_token(range.token);
  auto reader = BlockReader::open(hdfs::test::datanode_at(endpoint).id(), range,
                                  {.connection = {}, .client_name = "c", .packets = {}});
  if (!reader) return;
  std::uint64_t at = range.offset;
  while (true) {
    const ClientResult<Bytes> bytes = reader->next();
    if (!bytes) return;
    if (bytes->empty()) break;
    at += bytes->size();
    TRACEBED_CHECK(at == reader->position() && at <= range.offset + range.length,
                   "a reader returns no byte that was not asked for");
  }
  TRACEBED_CHECK(at == range.offset + range.length, "a reader that ends has returned all bytes");
}

void write_packets(const Endpoint& endpoint) {
  pb::OpWriteBlock operation;
  operation.mutable_header()->set_client_name("c");
  pb::BaseHeader& base = *operation.mutable_header()->mutable_base_header();
  *base.mutable_block() = hdfs::test::extended_block(1, block_bytes);
  hdfs::test::set_empty_token(*base.mutable_token());
  operation.set_stage(pb::OpWriteBlock::PIPELINE_SETUP_CREATE);
  operation.set_min_bytes_rcvd(0);
  operation.set_max_bytes_rcvd(0);
  operation.set_latest_generation_stamp(0);
  operation.mutable_requested_checksum()->set_type(pb::CHECKSUM_CRC32C);
  operation.mutable_requested_checksum()->set_bytes_per_checksum(512);
  const PipelineDatanodes datanodes(2, PipelineDatanode{hdfs::test::datanode_at(endpoint), "DS"});
  auto pipeline = WritePipeline::open(operation, datanodes, {}, std::chrono::milliseconds(10'000));
  if (!pipeline) {
    TRACEBED_CHECK(pipeline.error().bad_datanode < datanodes.size(),
                   "a member of the pipeline is at fault");
    return;
  }
  for (std::int64_t i = 0; i < 3; ++i) {
    const PacketPrefix prefix = packet_prefix({0, i, false, 0, false}, 0);
    if (!pipeline->send(prefix.view(), i)) return;
  }
  while (pipeline->acknowledged() < 2) {
    const auto acknowledged =
        pipeline->wait_for_acknowledgement(Deadline::after(std::chrono::milliseconds(10'000)));
    if (!acknowledged || !*acknowledged) return;
    TRACEBED_CHECK(pipeline->acknowledged() <= 2, "only what was sent is acknowledged");
  }
}

std::string delimited(const google::protobuf::MessageLite& message) {
  std::string out;
  append_delimited(out, message);
  return out;
}

// The first byte says which of both it is.
constexpr char reading = 'r';
constexpr char writing = 'w';

}  // namespace

std::vector<std::string> seeds() {
  pb::BlockOpResponse accepted;
  accepted.set_status(pb::STATUS_SUCCESS);
  std::string acknowledgements = writing + delimited(accepted);
  for (std::int64_t i = 0; i < 3; ++i) {
    pb::PipelineAck acknowledgement;
    acknowledgement.set_seqno(i);
    acknowledgement.add_reply(pb::STATUS_SUCCESS);
    acknowledgement.add_reply(i < 2 ? pb::STATUS_SUCCESS : pb::STATUS_ERROR);
    acknowledgements += delimited(acknowledgement);
  }
  pb::ReadOpChecksumInfo& info = *accepted.mutable_read_op_checksum_info();
  info.mutable_checksum()->set_type(pb::CHECKSUM_CRC32C);
  info.mutable_checksum()->set_bytes_per_checksum(512);
  info.set_chunk_offset(512);
  std::string packets = reading + delimited(accepted);
  std::vector<std::byte> data(2'000 - 512);
  BlockContent(1).fill(512, data);
  std::vector<std::byte> checksums(ChunkChecksums().bytes(data.size()));
  write_checksums(ChunkChecksums(), data, checksums);
  packets += hdfs::test::Sent{{512, 0, false, 1'488, false}, checksums, data}.bytes();
  packets += hdfs::test::Sent{{2'000, 1, true, 0, false}, {}, {}}.bytes();
  return {packets, acknowledgements};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  static fuzz::Peer& peer = *new fuzz::Peer;  // its thread uses it until the process ends
  if (size == 0) return 0;
  const hdfs::Bytes bytes = std::as_bytes(std::span(data, size));
  peer.set_answer(bytes.subspan(1));
  if (static_cast<char>(data[0]) == fuzz::reading) {
    fuzz::read_block(peer.endpoint());
  } else {
    fuzz::write_packets(peer.endpoint());
  }
  return 0;
}
