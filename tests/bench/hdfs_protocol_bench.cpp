// What the codecs of HDFS's protocols cost: a look-up of block locations over RPC, and packets of
// 64 KiB with their checksums.
#include <benchmark/benchmark.h>
#include <vector>

#include "client_namenode.pb.h"
#include "core/check.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/rpc_client.h"
#include "protocol/hdfs/rpc_reply.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed {
namespace {

using namespace hdfs;

Bytes view(const std::string& text) {
  return std::as_bytes(std::span(text));
}

void add_block(pb::LocatedBlocks& blocks, std::uint64_t number) {
  pb::LocatedBlock& block = *blocks.add_blocks();
  block.mutable_b()->set_pool_id("BP-1");
  block.mutable_b()->set_block_id(1073741825 + number);
  block.mutable_b()->set_generation_stamp(1001);
  block.mutable_b()->set_num_bytes(134217728);
  block.set_offset(number * 134217728);
  block.set_corrupt(false);
  pb::Token& token = *block.mutable_block_token();
  token.set_identifier("");
  token.set_password("");
  token.set_kind("");
  token.set_service("");
  for (int replica = 0; replica < 3; ++replica) {
    pb::DatanodeInfo& node = *block.add_locs();
    node.mutable_id()->set_ip_addr("127.0.1.1");
    node.mutable_id()->set_host_name("node1");
    node.mutable_id()->set_datanode_uuid("5c1e6c1a-0000-4000-8000-000000000001");
    node.mutable_id()->set_xfer_port(9866);
    node.mutable_id()->set_info_port(9864);
    node.mutable_id()->set_ipc_port(9867);
    node.set_location("/rack1");
    block.add_storage_types(pb::STORAGE_DISK);
    block.add_storage_ids("DS-1");
  }
}

// Reads a call and writes its reply with `blocks` blocks of three replicas each.
void LookUpBlockLocations(benchmark::State& state) {
  RpcServerReader reader;
  RpcReplyWriter writer;
  std::string opening;
  append_connection(opening, "u", client_protocol, {});
  for (std::size_t at = 0; at < opening.size();) {
    at += std::get<Parsed<RpcInput>>(reader.next(view(opening).subspan(at))).bytes;
  }
  pb::GetBlockLocationsRequest sent;
  sent.set_src("/user/alice/input/part-00017");
  sent.set_offset(0);
  sent.set_length(1 << 30);
  std::string call_bytes;
  append_call(call_bytes, {7, -1, {}}, "getBlockLocations", client_protocol, sent);
  pb::GetBlockLocationsRequest request;
  pb::GetBlockLocationsResponse response;
  std::string out;
  for (auto _ : state) {
    const auto input = reader.next(view(call_bytes));
    const auto& call = std::get<RpcCall>(std::get<Parsed<RpcInput>>(input).value);
    TRACEBED_CHECK(namenode_method(call.method) == NamenodeMethod::get_block_locations &&
                       parse_message(call.request, request),
                   "the call is read");
    response.Clear();
    pb::LocatedBlocks& blocks = *response.mutable_locations();
    blocks.set_file_length(1 << 30);
    blocks.set_under_construction(false);
    blocks.set_is_last_block_complete(true);
    for (std::int64_t block = 0; block < state.range(0); ++block) {
      add_block(blocks, static_cast<std::uint64_t>(block));
    }
    out.clear();
    writer.success(out, call.key, response);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes"] = static_cast<double>(out.size());
}
BENCHMARK(LookUpBlockLocations)->Arg(1)->Arg(8)->ArgName("blocks");

constexpr std::size_t packet_bytes = 65536;

void WritePacket(benchmark::State& state) {
  const ChunkChecksums checksums;
  const std::vector<std::byte> data(packet_bytes, std::byte{7});
  std::vector<std::byte> sums(checksums.bytes(data.size()));
  for (auto _ : state) {
    write_checksums(checksums, data, sums);
    const PacketPrefix prefix = packet_prefix({0, 1, false, packet_bytes, false}, sums.size());
    benchmark::DoNotOptimize(prefix.bytes.data());
    benchmark::DoNotOptimize(sums.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(packet_bytes));
}
BENCHMARK(WritePacket);

void ReadAndVerifyPacket(benchmark::State& state) {
  const ChunkChecksums checksums;
  const std::vector<std::byte> data(packet_bytes, std::byte{7});
  std::vector<std::byte> sums(checksums.bytes(data.size()));
  write_checksums(checksums, data, sums);
  const PacketPrefix prefix = packet_prefix({0, 1, false, packet_bytes, false}, sums.size());
  const Bytes begin = prefix.view();
  std::vector<std::byte> bytes(begin.begin(), begin.end());
  bytes.insert(bytes.end(), sums.begin(), sums.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  for (auto _ : state) {
    const auto result = parse_packet(bytes);
    const Packet& packet = std::get<Parsed<Packet>>(result).value;
    TRACEBED_CHECK(!checksum_layout_error(packet, checksums) &&
                       !first_bad_chunk(checksums, packet.data, packet.checksums),
                   "the packet is as it was sent");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(packet_bytes));
}
BENCHMARK(ReadAndVerifyPacket);

}  // namespace
}  // namespace tracebed

BENCHMARK_MAIN();
