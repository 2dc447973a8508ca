// A datanode's server beside bare TCP streams of the same bytes, in turns: one reader with
// checksums on, and a write pipeline of three datanodes. Then how well the server holds and shares
// a rate.
//
//   data_transfer_bench [MEGABYTES [SECONDS [TURNS]]]
//
// MEGABYTES (2,000) are read and written, TURNS (5) times each; rates are measured for SECONDS (10)
// with 1, 4 and 16 readers. All threads are in this process, and all connections on loopback.
//
// A pipeline is put beside two relays of the same bytes. The one with files does what any datanode
// must: it stores what it passes on, which is about a third of its CPU time where files are in
// memory. The other shows what that costs. Neither has checksums, packets, or acks but one.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <thread>
#include <vector>

#include "agents/datanode/service/datanode_service.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "bench/bare_streams.h"
#include "core/block_content.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/transfer_operation.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace bench;

constexpr const char* pool = "bench";
constexpr std::uint64_t stamp = 1'001;
constexpr double megabyte = 1e6;

class SilentLink : public NamenodeLink {
 public:
  void report(const ReplicaChange&) override {}
  void call(const Call&) override {}
  void stored(std::uint64_t, const Status& result) override {
    check(result.has_value(), "storing");
    has_stored = true;
    has_stored.notify_all();
  }
  std::atomic<bool> has_stored = false;
};

class BenchDatanode {
 public:
  BenchDatanode() {
    DatanodeServiceOptions options;
    options.pool = pool;
    options.folder = folder_.path() / "data";
    options.address = "127.0.0.1";
    datanode_.emplace(options, link_);
  }
  DatanodeService& operator*() { return *datanode_; }
  void store(std::int64_t length) {
    datanode_->store(1, {{block_id, stamp, static_cast<std::uint64_t>(length)}});
    link_.has_stored.wait(false);
  }
  pb::DatanodeInfo info() const {
    return datanode_info({NodeId(0u), "host", "127.0.0.1", "/r", datanode_->transfer_port()});
  }

 private:
  TemporaryFolder folder_;
  SilentLink link_;
  std::optional<DatanodeService> datanode_;
};

pb::ClientOperationHeader header(std::uint64_t block) {
  pb::ClientOperationHeader made;
  made.set_client_name("bench");
  pb::ExtendedBlock& extended = *made.mutable_base_header()->mutable_block();
  extended.set_pool_id(pool);
  extended.set_block_id(block);
  extended.set_generation_stamp(stamp);
  return made;
}

// ---- reading ----

// Until `has_ended`; the bytes that were read.
std::uint64_t read_block(std::uint16_t port, std::uint64_t length,
                         const std::atomic<bool>* has_ended = nullptr) {
  OpenSockets open;
  TransferSocket socket(test::raw_connection(port), open);
  TransferInput input(socket);
  input.reserve(buffer_bytes);
  pb::OpReadBlock read;
  *read.mutable_header() = header(block_id);
  read.set_offset(0);
  read.set_len(length);
  std::string operation;
  hdfs::append_operation(operation, read);
  check(socket.send(operation, timeout).has_value(), "sending");
  const auto reply = input.next_message<pb::BlockOpResponse>(1 << 16, Clock::now() + timeout);
  check(reply && reply->status() == pb::STATUS_SUCCESS, "reading");
  std::uint64_t received = 0;
  while (has_ended == nullptr || !*has_ended) {
    const auto packet = input.next<hdfs::Packet>(
        [](hdfs::Bytes unread) { return hdfs::parse_packet(unread); }, Clock::now() + timeout);
    check(packet.has_value(), "reading a packet");
    const hdfs::Packet& one = packet->value;
    check(!hdfs::first_bad_chunk(replica_checksums, one.data, one.checksums), "a checksum");
    received += one.data.size();
    const bool is_last = one.header.is_last_in_block;
    input.consume(packet->bytes);
    if (is_last) break;
  }
  return received;
}

Speed read_datanode(BenchDatanode& datanode, std::uint64_t length) {
  const SpeedWatch watch;
  return watch.speed_of(read_block((*datanode).transfer_port(), length));
}

// ---- writing ----

Speed write_datanodes(std::uint64_t length, std::uint64_t block) {
  BenchDatanode datanodes[3];
  pb::OpWriteBlock write;
  *write.mutable_header() = header(block);
  *write.add_targets() = datanodes[1].info();
  *write.add_targets() = datanodes[2].info();
  write.set_stage(pb::OpWriteBlock::PIPELINE_SETUP_CREATE);
  write.set_pipeline_size(3);
  write.set_min_bytes_rcvd(0);
  write.set_max_bytes_rcvd(0);
  write.set_latest_generation_stamp(stamp);
  write.mutable_requested_checksum()->set_type(pb::CHECKSUM_CRC32C);
  write.mutable_requested_checksum()->set_bytes_per_checksum(512);
  std::string operation;
  hdfs::append_operation(operation, write);
  OpenSockets open;
  const SpeedWatch watch;
  TransferSocket socket(test::raw_connection((*datanodes[0]).transfer_port()), open);
  TransferInput input(socket);
  check(socket.send(operation, timeout).has_value(), "sending");
  const auto reply = input.next_message<pb::BlockOpResponse>(1 << 16, Clock::now() + timeout);
  check(reply && reply->status() == pb::STATUS_SUCCESS, "opening the pipeline");
  const auto last = static_cast<std::int64_t>(length / packet_bytes);
  std::jthread acks([&] {
    for (std::int64_t number = 0; number <= last; ++number) {
      const auto ack = input.next_message<pb::PipelineAck>(1 << 16, Clock::now() + timeout);
      check(ack && ack->seqno() == number && ack->reply_size() == 3, "an ack");
    }
  });
  const BlockContent content(block);
  Buffer buffer(packet_bytes);
  Buffer sums(replica_checksums.bytes(packet_bytes));
  for (std::int64_t number = 0; number <= last; ++number) {
    const bool is_last = number == last;
    const auto offset = static_cast<std::uint64_t>(number) * packet_bytes;
    if (!is_last) {
      content.fill(offset, buffer);
      hdfs::write_checksums(replica_checksums, buffer, sums);
    }
    const hdfs::PacketPrefix prefix =
        hdfs::packet_prefix({.offset_in_block = static_cast<std::int64_t>(offset),
                             .sequence_number = number,
                             .is_last_in_block = is_last,
                             .data_bytes = is_last ? 0 : static_cast<std::int32_t>(packet_bytes)},
                            is_last ? 0 : sums.size());
    iovec parts[] = {{const_cast<std::byte*>(prefix.view().data()), prefix.size},
                     {sums.data(), sums.size()},
                     {buffer.data(), buffer.size()}};
    check(socket.send(std::span(parts).first(is_last ? 1 : 3), timeout).has_value(), "writing");
  }
  acks.join();
  return watch.speed_of(length);
}

// ---- rates ----

void measure_rate(BenchDatanode& datanode, std::uint64_t length, std::uint64_t bytes_per_second,
                  std::size_t readers, double seconds) {
  (*datanode).set_rates(bytes_per_second, std::nullopt, {});
  std::vector<std::uint64_t> bytes(readers);
  std::atomic<bool> has_ended = false;
  const Clock::time_point begin = Clock::now();
  std::vector<std::jthread> threads;
  for (std::uint64_t& read : bytes) {
    threads.emplace_back(
        [&] { read = read_block((*datanode).transfer_port(), length, &has_ended); });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  has_ended = true;
  const double taken = seconds_since(begin);
  threads.clear();
  double total = 0;
  for (const std::uint64_t read : bytes) total += static_cast<double>(read);
  const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  const double mean = total / static_cast<double>(readers);
  const auto apart = [&](std::uint64_t read) {
    return 100 * (static_cast<double>(read) / mean - 1);
  };
  fmt::print("{:>8} readers  {:>6.0f} MB/s  total {:+6.2f} %  readers {:+6.2f} … {:+6.2f} %\n",
             readers, static_cast<double>(bytes_per_second) / megabyte,
             100 * (total / taken / static_cast<double>(bytes_per_second) - 1), apart(*least),
             apart(*most));
  (*datanode).set_rates(std::nullopt, std::nullopt, {});
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Ratios of turns, of which each has both: what else the machine does changes between turns.
void print(const char* what, const std::vector<Speed>& ours, const std::vector<Speed>& bare) {
  const auto median_of = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t turn = 0; turn < ours.size(); ++turn) {
      values.push_back(value(ours[turn], bare[turn]));
    }
    return median(values);
  };
  fmt::print(
      "{:<44} {:>6.0f} MB/s  bare {:>6.0f} MB/s  {:.2f}  of CPU time {:.2f}\n", what,
      median_of([](const Speed& own, const Speed&) { return own.bytes_per_second; }) / megabyte,
      median_of([](const Speed&, const Speed& other) { return other.bytes_per_second; }) / megabyte,
      median_of([](const Speed& own, const Speed& other) {
        return own.bytes_per_second / other.bytes_per_second;
      }),
      median_of([](const Speed& own, const Speed& other) {
        return own.bytes_per_cpu_second / other.bytes_per_cpu_second;
      }));
}

int run(std::uint64_t length, double seconds, int turns) {
  BenchDatanode datanode;
  datanode.store(static_cast<std::int64_t>(length));
  std::vector<Speed> bare_reads;
  std::vector<Speed> reads;
  std::vector<Speed> relays;
  std::vector<Speed> kept_relays;
  std::vector<Speed> writes;
  for (int turn = 0; turn < turns; ++turn) {
    bare_reads.push_back(read_bare(length));
    reads.push_back(read_datanode(datanode, length));
  }
  print("one reader, checksums on", reads, bare_reads);
  for (int turn = 0; turn < turns; ++turn) {
    relays.push_back(write_bare(length, false));
    kept_relays.push_back(write_bare(length, true));
    writes.push_back(write_datanodes(length, block_id));
  }
  print("a pipeline of three; bare: a relay", writes, relays);
  print("a pipeline of three; bare: relay with files", writes, kept_relays);
  const double half = bare_reads[bare_reads.size() / 2].bytes_per_second / 2;
  // Readers must not reach the end of the block.
  BenchDatanode endless;
  const auto enough = static_cast<std::int64_t>(2 * half * (seconds + 5));
  endless.store(enough);
  for (const double rate : {100e6, half}) {
    for (const std::size_t readers : {1u, 4u, 16u}) {
      measure_rate(endless, static_cast<std::uint64_t>(enough), static_cast<std::uint64_t>(rate),
                   readers, seconds);
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  const double megabytes = count > 1 ? std::atof(words[1]) : 2'000;
  const double seconds = count > 2 ? std::atof(words[2]) : 10;
  const int turns = count > 3 ? std::atoi(words[3]) : 5;
  const auto packets =
      static_cast<std::uint64_t>(megabytes * 1e6) / tracebed::bench::packet_bytes + 4;
  // Whole buffers, so that all streams have the same bytes.
  return tracebed::run(packets / 4 * 4 * tracebed::bench::packet_bytes, seconds,
                       std::max(turns, 1));
}
