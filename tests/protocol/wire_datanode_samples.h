// Messages of datanodes, in both directions, with something in every field.
#pragma once

#include <chrono>
#include <vector>

#include "protocol/wire_messages.h"

namespace tracebed::wire {

inline BlockName sample_block(std::uint64_t id) {
  return {id, 1'001, 134'217'728 - static_cast<std::int64_t>(id % 7)};
}

inline TransferReport sample_transfers() {
  return {{9, 1, {1, 2, 3}, {4, 5, 6}},
          {{"", {1, 0, {1, 0, 0}, {}}}, {"DFSClient_7", {8, 1, {0, 2, 3}, {4, 5, 6}}}}};
}

inline std::vector<FromDatanode> samples_from_datanodes() {
  const ReportedReplica finalized{1'073'741'825, 1'001, 134'217'728, ReportedState::finalized};
  const ReportedReplica written{1'073'741'826, 1'004, 77, ReportedState::being_written};
  const ReportedReplica waiting{UINT64_MAX, UINT32_MAX, 0, ReportedState::waiting_to_be_recovered};
  DatanodeHello hello;
  hello.agent = "node-3";
  hello.address = "127.0.1.3";
  hello.transfer_port = 40'001;
  hello.http_port = 40'002;
  hello.software = "1.2";
  hello.host = "abcd";
  const CommitBlockSynchronization synchronization{
      sample_block(5), 1'009, 4'096, false, true, {NodeId(1u), NodeId(4u)}};
  return {hello,
          DatanodeBeat{{1'000, 400, 600, 3}, sample_transfers()},
          DatanodeBeat{{1'000, 400, 600, 0}, {}},
          BlockReportPart{2, false, {finalized, written, waiting}},
          BlockReportPart{},
          IncrementalReport{{{finalized, false}, {{waiting.block_id, 9, 8}, true}}},
          DatanodeCall{7, ReportBadBlocks{{{sample_block(5), {NodeId(2u)}}}}},
          DatanodeCall{8, synchronization},
          StoreAnswer{3, "the disk is full"},
          AdministrationAnswer{4, {}},
          DatanodeGoodbye{"told to stop", sample_transfers()}};
}

inline std::vector<ToDatanode> samples_to_datanodes() {
  using namespace std::chrono_literals;
  DatanodeWelcome welcome;
  welcome.node = NodeId(2u);
  welcome.heartbeat_period = 30ms;
  welcome.report_period = 216s;
  welcome.silence_max = 5s;
  welcome.namenode = "127.0.0.1:8020";
  welcome.machines = {{"127.0.1.1", "/rack-a"}, {"127.0.1.2", "/rack-b"}};
  welcome.store = ReplicaStoreKind::disk;
  welcome.capacity = 1'000'000;
  welcome.socket_timeout = 7s;
  welcome.rates = {1'000, 2'000, 8ms};
  const HeartbeatReply orders{
      true,
      {{sample_block(9), {NodeId(1u), NodeId(3u)}}},
      {{5, 1'002}, {6, 1'003}},
      {{sample_block(11), 1'012, {NodeId(3u)}, {}}, {sample_block(12), 1'013, {NodeId(1u)}, 512}}};
  return {welcome,
          MachineNews{{{"10.0.0.7", "/rack-c"}}},
          DatanodeOrders{6, orders, {{NodeId(1u), "node-1", "127.0.1.1", "/rack-a", 9'866, 9'864}}},
          ReportAnswer{{true, {4, UINT64_MAX}}},
          TriggerBlockReport{},
          DatanodeCallAnswer{7, StorageFailure{StorageFailureKind::lease_expired, "no lease"}},
          DatanodeCallAnswer{8, {}},
          StoreOrder{3, {sample_block(1'073'741'825), sample_block(1'073'741'826)}},
          StoreOrder{4, {sample_block(5), sample_block(6)}, {{}, {4, 12, 1'048'576}}},
          AdministrationOrder{4, SetDatanodeRates{100'000'000, {}, 8ms}},
          AdministrationOrder{5, SetDatanodeRates{{}, 1, 0ms}},
          AdministrationOrder{6, CorruptReplica{5, 512, 3}},
          AdministrationOrder{7, StopDatanode{}}};
}

}  // namespace tracebed::wire
