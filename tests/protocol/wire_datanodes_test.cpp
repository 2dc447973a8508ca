// What datanodes and the coordinator say to each other, at its bounds.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "protocol/wire_datanode_samples.h"
#include "protocol/wire_samples.h"

namespace tracebed::wire {
namespace {

using ::testing::HasSubstr;

template <class Part>
Result<Part> pass_from(const Part& part) {
  const Result<Message> received = pass(Body(FromDatanode(part)));
  if (!received) return received.error();
  return std::get<Part>(std::get<FromDatanode>(received->body));
}
template <class Part>
Result<Part> pass_to(const Part& part) {
  const Result<Message> received = pass(Body(ToDatanode(part)));
  if (!received) return received.error();
  return std::get<Part>(std::get<ToDatanode>(received->body));
}

TEST(WireDatanodes, EveryMessageComesBackAsItWasSent) {
  std::set<std::size_t> from;
  for (const FromDatanode& part : samples_from_datanodes()) {
    const Result<Message> received = pass(part);
    ASSERT_TRUE(received) << part.index() << ": " << received.error().message;
    EXPECT_EQ(std::get<FromDatanode>(received->body), part) << part.index();
    from.insert(part.index());
  }
  EXPECT_EQ(from.size(), std::variant_size_v<FromDatanode>);
  std::set<std::size_t> to;
  for (const ToDatanode& part : samples_to_datanodes()) {
    const Result<Message> received = pass(part);
    ASSERT_TRUE(received) << part.index() << ": " << received.error().message;
    EXPECT_EQ(std::get<ToDatanode>(received->body), part) << part.index();
    to.insert(part.index());
  }
  EXPECT_EQ(to.size(), std::variant_size_v<ToDatanode>);
}

TEST(WireDatanodes, AReportOfManyReplicasIsAFewBytesEach) {
  BlockReportPart report;
  for (std::uint64_t i = 0; i < replicas_max; ++i) {
    report.replicas.push_back({1'073'741'825 + 3 * i, static_cast<std::uint32_t>(1'001 + i),
                               std::int64_t{128} << 20, ReportedState::finalized});
  }
  Encoder encoder;
  EXPECT_LT(encoder.encode(message(FromDatanode(report))).size(), 5 * replicas_max);
  const Result<BlockReportPart> received = pass_from(report);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(*received, report);
}

// Of the ids of blocks every one is possible, as a datanode may have a folder of another's.
TEST(WireDatanodes, ReplicasInAnyOrderWithAnyIdsComeBack) {
  IncrementalReport report;
  for (const std::uint64_t id : {std::uint64_t{5}, UINT64_MAX, std::uint64_t{0},
                                 std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1}) {
    report.changes.push_back({{id, UINT32_MAX, replica_bytes_max, ReportedState::being_written}});
    report.changes.push_back({{id, 0, 0}, true});
  }
  const Result<IncrementalReport> received = pass_from(report);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(*received, report);
}

TEST(WireDatanodes, WhatADatanodeMayNotSayIsRefusedByName) {
  struct Case {
    const char* field;
    FromDatanode part;
  };
  const BlockName block = sample_block(5);
  const BlockName negative{5, 1, -1};
  const ReportedReplica too_long{5, 1, replica_bytes_max + 1};
  DatanodeHello without_port;
  without_port.agent = "node-3";
  const TransferReport long_name{{}, {{std::string(client_name_bytes_max + 1, 'c'), {}}}};
  const std::vector<Case> cases = {
      {"transfer_port", without_port},
      {"capacity", DatanodeBeat{{-1, 0, 0, 0}, {}}},
      {"used", DatanodeBeat{{0, amount_max + 1, 0, 0}, {}}},
      {"remaining", DatanodeBeat{{0, 0, -1, 0}, {}}},
      {"transfers.client", DatanodeBeat{{}, long_name}},
      {"replica.length", BlockReportPart{0, true, {{5, 1, -1}}}},
      {"replica.length", IncrementalReport{{{too_long, false}}}},
      {"replica.state", BlockReportPart{0, true, {{5, 1, 1, ReportedState{3}}}}},
      {"number", DatanodeCall{0, ReportBadBlocks{}}},
      {"block.length", DatanodeCall{1, ReportBadBlocks{{{negative, {}}}}}},
      {"block.nodes", DatanodeCall{1, ReportBadBlocks{{{block, {NodeId()}}}}}},
      {"new_length", DatanodeCall{1, CommitBlockSynchronization{block, 1, -1, true, false, {}}}},
      {"nodes", DatanodeCall{1, CommitBlockSynchronization{block, 1, 1, true, false, {NodeId()}}}},
      {"number", StoreAnswer{0, {}}},
      {"number", AdministrationAnswer{0, {}}},
  };
  for (const Case& c : cases) {
    const Result<Message> received = pass(c.part);
    ASSERT_FALSE(received) << c.field;
    EXPECT_THAT(received.error().message, HasSubstr(c.field));
  }
}

TEST(WireDatanodes, WhatACoordinatorMayNotSayIsRefusedByName) {
  DatanodeWelcome welcome = std::get<DatanodeWelcome>(samples_to_datanodes()[0]);
  const auto spoilt = [&](const std::function<void(DatanodeWelcome&)>& spoil) {
    DatanodeWelcome other = welcome;
    spoil(other);
    return ToDatanode(other);
  };
  const auto rates = [](SetDatanodeRates what) { return AdministrationOrder{1, what}; };
  struct Case {
    const char* field;
    ToDatanode part;
  };
  const HeartbeatReply to_nobody{false, {{sample_block(1), {NodeId()}}}, {}, {}};
  const HeartbeatReply to_less{false, {}, {}, {{sample_block(1), 2, {}, -2}}};
  const DatanodeAddress nowhere{NodeId(1u), "a", "127.0.1.1", "/r", 0, 1};
  const std::vector<Case> cases = {
      {"heartbeat_period", spoilt([](auto& w) { w.heartbeat_period = {}; })},
      {"report_period", spoilt([](auto& w) { w.report_period = -std::chrono::seconds(1); })},
      {"silence_max", spoilt([](auto& w) { w.silence_max = {}; })},
      {"namenode", spoilt([](auto& w) { w.namenode.assign(name_bytes_max + 1, 'n'); })},
      {"store", spoilt([](auto& w) { w.store = ReplicaStoreKind{2}; })},
      {"capacity", spoilt([](auto& w) { w.capacity = -1; })},
      {"socket_timeout", spoilt([](auto& w) { w.socket_timeout = {}; })},
      {"socket_timeout", spoilt([](auto& w) { w.socket_timeout = std::chrono::hours(25); })},
      {"rates.disk", spoilt([](auto& w) { w.rates.disk_bytes_per_second = 0; })},
      {"machine.rack", MachineNews{{{"10.0.0.1", std::string(name_bytes_max + 1, 'r')}}}},
      {"transfer.targets", DatanodeOrders{1, to_nobody, {}}},
      {"truncated_length", DatanodeOrders{1, to_less, {}}},
      {"transfer_port", DatanodeOrders{1, {}, {nowhere}}},
      {"number", DatanodeCallAnswer{0, {}}},
      {"kind", DatanodeCallAnswer{1, StorageFailure{StorageFailureKind{200}, "?"}}},
      {"number", StoreOrder{0, {}}},
      {"replica.length", StoreOrder{1, {{5, 1, -1}}}},
      {"datasets", StoreOrder{1, {{5, 1, 1}, {6, 1, 1}}, {{1, 1, 1}}}},
      {"a dataset", StoreOrder{1, {{5, 1, 1}}, {{7, 1, 1}}}},
      {"a dataset", StoreOrder{1, {{5, 1, 1}}, {{5, 1, std::int64_t{1} << 37}}}},
      {"a dataset", StoreOrder{1, {{5, 1, 1}}, {{6, 1, std::int64_t{1} << 34}}}},
      {"a dataset", StoreOrder{1, {{5, 1, 1}}, {{1, UINT64_MAX, 1}}}},
      {"a dataset", StoreOrder{1, {{5, 1, 1}}, {{1, 1, UINT64_MAX}}}},
      {"a dataset", StoreOrder{1, {{5, 1, std::int64_t{1} << 53}}, {{1, 1, 0}}}},
      {"rates.disk", rates({0, {}, {}})},
      {"rates.network", rates({{}, std::uint64_t{1} << 60, {}})},
      {"rates.seek_latency", rates({{}, {}, std::chrono::microseconds(-1)})},
      {"rates.seek_latency", rates({{}, {}, std::chrono::microseconds::max()})},
      {"damage", AdministrationOrder{1, CorruptReplica{1, UINT64_MAX, 1}}},
  };
  for (const Case& c : cases) {
    const Result<Message> received = pass(c.part);
    ASSERT_FALSE(received) << c.field;
    EXPECT_THAT(received.error().message, HasSubstr(c.field));
  }
}

// FlatBuffers leaves out a field with its default, as those do that did not know it.
TEST(WireDatanodes, AWelcomeWithoutATimeoutHasTheDefault) {
  DatanodeWelcome welcome = std::get<DatanodeWelcome>(samples_to_datanodes()[0]);
  welcome.socket_timeout = default_datanode_socket_timeout;
  const auto bytes_of = [](const DatanodeWelcome& one) {
    Encoder encoder;
    return encoder.encode(Message{{"run", 1, 1, 1}, ToDatanode(one)}).size();
  };
  DatanodeWelcome other = welcome;
  other.socket_timeout = std::chrono::seconds(7);
  EXPECT_LT(bytes_of(welcome), bytes_of(other)) << "it is not sent";
  const Result<Message> received = pass(Body(ToDatanode(welcome)));
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(std::get<DatanodeWelcome>(std::get<ToDatanode>(received->body)), welcome);
}

// Of another version only what is needed to refuse it in words counts.
TEST(WireDatanodes, AHelloOfAnotherVersionIsReadAsFarAsItsName) {
  DatanodeHello hello;
  hello.protocol_version = protocol_version + 1;
  hello.agent = "node-3";
  hello.software = "9.9";
  const Result<DatanodeHello> received = pass_from(hello);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(received->protocol_version, protocol_version + 1);
  EXPECT_EQ(received->agent, "node-3");
  EXPECT_EQ(received->software, "9.9");
}

TEST(WireDatanodes, AnAnswerWithTheMostOrdersFits) {
  DatanodeOrders message;
  message.orders.transfers.assign(orders_max, {sample_block(1), {NodeId(1u), NodeId(2u)}});
  message.orders.deletions.assign(orders_max, {1, 2});
  message.orders.recoveries.assign(orders_max, {sample_block(2), 3, {NodeId(1u)}, 4});
  message.addresses.assign(addresses_max, {NodeId(1u), "a", "127.0.1.1", "/rack", 1, 2});
  const Result<DatanodeOrders> received = pass_to(message);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(*received, message);
}

}  // namespace
}  // namespace tracebed::wire
