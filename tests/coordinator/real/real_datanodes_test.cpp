// Datanodes of a run: how they register, report and beat, as a RealFleet brings them to the run.
#include "coordinator/real/real_datanodes_harness.h"
#include "core/input_error.h"
#include "core/shuffle.h"

namespace tracebed::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(RealDatanodesTest, TheFirstRoundHasMachinesThenTheirDatanodesWithUsageAndReplicas) {
  open_with_datanodes(2);
  EXPECT_EQ(welcomes_[1].node, NodeId(1u));
  EXPECT_EQ(welcomes_[1].heartbeat_period, 500ms);
  EXPECT_EQ(welcomes_[1].namenode, "127.0.0.1:8020");
  EXPECT_THAT(welcomes_[1].machines,
              ElementsAre(wire::MachineAddress{"127.0.1.1", "/default-rack"},
                          wire::MachineAddress{"127.0.1.1", "/default-rack"}));
  wait();
  EXPECT_THAT(arrived<NodeJoined>(), SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<NodeJoined>(round_.arrivals[1]));
  std::vector<StorageInput> expected;
  for (std::size_t i = 0; i < 2; ++i) {
    expected.emplace_back(DatanodeRegistered{NodeId(i)});
    expected.emplace_back(DatanodeHeartbeat{NodeId(i), usage});
    expected.emplace_back(FullBlockReport{NodeId(i), {replica_5}});
  }
  EXPECT_EQ(round_.storage, expected);
  EXPECT_EQ(round_.now, trace_time(0));
}

TEST_F(RealDatanodesTest, WhatADatanodeHasLoggedIsPassedOnUnderANameOfItsOwn) {
  std::vector<std::string> heard;
  options_.take_log = [&](const std::string& daemon, const wire::LogLines& log) {
    for (const wire::LogLine& line : log.lines) heard.push_back(daemon + ": " + line.text);
  };
  start_with_datanodes(1);
  datanodes_[0].link().send(wire::LogLines{{{{}, {}, "a word"}}, 0});
  agents_[0].send(wire::LogLines{{{{}, {}, "another"}}, 0});
  // After the lines, in both sessions without a gap.
  datanodes_[0].send(wire::DatanodeBeat{usage, {}});
  EXPECT_THAT(wait_for_inputs(), SizeIs(1));
  for (int i = 0; i < 100 && heard.size() < 2; ++i) wait();
  EXPECT_THAT(heard, ::testing::UnorderedElementsAre("node-0.datanode: a word", "node-0: another"));
}

TEST_F(RealDatanodesTest, ARunDoesNotBeginWithoutADatanode) {
  open(2);
  for (std::size_t i = 0; i < 2; ++i) add_agent(i).send_hello();
  fleet_->wait_for_agents(timeout, look_at_nothing);
  add_datanode(0).send_hello();
  try {
    fleet_->wait_for_datanodes(50ms, look_at_nothing);
    FAIL() << "it began";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing: node-0, node-1"));
  }
}

TEST_F(RealDatanodesTest, ARunWithAShuffleBeginsWhenItsServersListen) {
  options_.storage->shuffle_key = std::string(shuffle_key_bytes, 'k');
  options_.storage->datanodes.network_rate = 1'000;
  open(1);
  wire::Hello hello = add_agent(0).hello();
  hello.keeps_outputs = true;
  agents_[0].send_hello(hello);
  fleet_->wait_for_agents(timeout, look_at_nothing);
  const auto welcome = agents_[0].expect<wire::Welcome>();
  EXPECT_EQ(welcome.shuffle_key, options_.storage->shuffle_key);
  EXPECT_EQ(welcome.shuffle_rates.network_bytes_per_second, 60'000u) << "a minute in a second";
  ScriptedDatanode& datanode = add_datanode(0);
  datanode.send_hello();
  datanode.send(wire::BlockReportPart{0, true, {replica_5}});
  datanode.send(wire::DatanodeBeat{usage, {}});
  bool was_waited_for = false;
  fleet_->wait_for_datanodes(timeout, [&] {
    const bool is_only_one =
        fleet_->datanodes()->missing() == std::vector<std::string>{"node-0 (its shuffle server)"};
    if (!is_only_one || std::exchange(was_waited_for, true)) return;
    wire::Heartbeat with_server = heartbeat();
    with_server.shuffle_port = 13'562;
    agents_[0].send(with_server);
  });
  EXPECT_TRUE(was_waited_for);
}

TEST_F(RealDatanodesTest, AnAgentThatKeepsNoOutputsIsRefusedByARunWithAShuffle) {
  options_.storage->shuffle_key = std::string(shuffle_key_bytes, 'k');
  open(1);
  add_agent(0).send_hello();
  EXPECT_THAT([&] { fleet_->wait_for_agents(timeout, look_at_nothing); },
              testing::ThrowsMessage<EnvironmentError>(HasSubstr("node-0")));
  EXPECT_THAT(agents_[0].expect<wire::Refuse>().reason, HasSubstr("it has no [shuffle]"));
}

TEST_F(RealDatanodesTest, TimeStandsStillUntilWhatIsPreloadedIsStored) {
  open_with_datanodes(1);
  wait();
  std::vector<BlockName> blocks(wire::replicas_max + 1, BlockName{7, 1'001, 10});
  blocks.back().id = 9;
  execute({AnswerDatanode{NodeId(0u), HeartbeatReply{}}, AnswerDatanode{NodeId(0u), ReportReply{}},
           StoreReplicas{NodeId(0u), blocks}});
  wait();
  EXPECT_THAT(round_.arrivals, IsEmpty());
  EXPECT_FALSE(fleet_->clock().is_started());
  ScriptedDatanode& datanode = datanodes_[0];
  datanode.expect<wire::DatanodeOrders>();
  datanode.expect<wire::ReportAnswer>();
  const auto first = datanode.expect<wire::StoreOrder>();
  EXPECT_THAT(first.blocks, SizeIs(wire::replicas_max));
  EXPECT_EQ(datanode.expect<wire::StoreOrder>(), (wire::StoreOrder{2, {blocks.back()}}));
  datanode.send(wire::StoreAnswer{1, {}});
  // It registers again in the middle, and reports before it has stored everything: what is not
  // acknowledged is ordered again, and the report, in which that is missing, does not count.
  datanode.send_hello();
  datanode.send(wire::BlockReportPart{0, true, {}});
  datanode.send(wire::StoreAnswer{2, {}});
  fleet_->begin_jobs();
  EXPECT_TRUE(fleet_->clock().is_started());
  datanode.expect<wire::DatanodeWelcome>();
  EXPECT_EQ(datanode.expect<wire::StoreOrder>(), (wire::StoreOrder{2, {blocks.back()}}));
  datanode.expect<wire::ReportAnswer>();
  datanode.expect<wire::TriggerBlockReport>();
  EXPECT_EQ(wait_for_inputs(), std::vector<StorageInput>{DatanodeRegistered{NodeId(0u)}});
  datanode.send(wire::BlockReportPart{0, true, {replica_5}});
  EXPECT_EQ(wait_for_inputs(),
            (std::vector<StorageInput>{FullBlockReport{NodeId(0u), {replica_5}}}));
}

TEST_F(RealDatanodesTest, ARunDoesNotBeginIfADatanodeCannotStoreItsPart) {
  open_with_datanodes(1);
  wait();
  execute({StoreReplicas{NodeId(0u), {{7, 1'001, 10}}}});
  datanodes_[0].expect<wire::StoreOrder>();
  datanodes_[0].send(wire::StoreAnswer{1, "no space left on device"});
  try {
    fleet_->begin_jobs();
    FAIL() << "it began";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("node-0"));
    EXPECT_THAT(error.what(), HasSubstr("no space left on device"));
  }
}

TEST_F(RealDatanodesTest, HeartbeatsAreAnsweredWithOrdersAndTheAddressesInThem) {
  start_with_datanodes(3);
  datanodes_[1].send(wire::DatanodeBeat{{1'000, 400, 600, 5}, {}});
  EXPECT_EQ(wait_for_inputs(),
            (std::vector<StorageInput>{DatanodeHeartbeat{NodeId(1u), {1'000, 400, 600, 5}}}));
  HeartbeatReply reply;
  reply.transfers = {{{5, 1'001, 100}, {NodeId(2u)}}};
  reply.recoveries = {{{6, 1'002, 50}, 1'003, {NodeId(0u), NodeId(1u)}, {}}};
  reply.deletions.assign(wire::orders_max + 1, {8, 1'004});
  execute({AnswerDatanode{NodeId(1u), reply}});
  const auto orders = datanodes_[1].expect<wire::DatanodeOrders>();
  EXPECT_EQ(orders.heartbeat, datanodes_[1].link().sequence());
  EXPECT_EQ(orders.orders.transfers, reply.transfers);
  EXPECT_EQ(orders.orders.recoveries, reply.recoveries);
  EXPECT_THAT(orders.orders.deletions, SizeIs(wire::orders_max));
  ASSERT_THAT(orders.addresses, SizeIs(3));
  EXPECT_EQ(orders.addresses[2], (wire::DatanodeAddress{NodeId(2u), "node-2", "127.0.1.1",
                                                        "/default-rack", 9'866, 9'864}));
  const auto rest = datanodes_[1].expect<wire::DatanodeOrders>();
  EXPECT_THAT(rest.orders.deletions, SizeIs(1));
  EXPECT_THAT(rest.orders.transfers, IsEmpty());
}

TEST_F(RealDatanodesTest, AReportInPartsIsOneInput) {
  start_with_datanodes(1);
  datanodes_[0].send(wire::BlockReportPart{0, false, {replica_5}});
  datanodes_[0].send(wire::BlockReportPart{1, true, {{6, 1'002, 1}}});
  EXPECT_EQ(wait_for_inputs(),
            (std::vector<StorageInput>{FullBlockReport{NodeId(0u), {replica_5, {6, 1'002, 1}}}}));
  execute({AnswerDatanode{NodeId(0u), ReportReply{false, {6}}}});
  EXPECT_THAT(datanodes_[0].expect<wire::ReportAnswer>().reply.unknown, ElementsAre(6u));
  datanodes_[0].send(wire::IncrementalReport{{{replica_5, true}}});
  EXPECT_EQ(wait_for_inputs(),
            (std::vector<StorageInput>{IncrementalBlockReport{NodeId(0u), {{replica_5, true}}}}));
}

TEST_F(RealDatanodesTest, PartsThatDoNotFollowEachOtherAreRefused) {
  start_with_datanodes(1);
  datanodes_[0].send(wire::BlockReportPart{0, false, {replica_5}});
  datanodes_[0].send(wire::BlockReportPart{2, true, {replica_5}});
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(round_.storage, IsEmpty());
  EXPECT_TRUE(datanodes_[0].expect<wire::DatanodeOrders>().orders.must_register);
}

// Something between may be a report whose loss nobody would notice.
TEST_F(RealDatanodesTest, ADatanodeWhoseMessageIsLostHasToRegisterAgain) {
  start_with_datanodes(1);
  ScriptedAgent& link = datanodes_[0].link();
  const auto skip = [&](std::uint64_t sequence) {
    link.send_as({"run-1", link.epoch(), link.session(), sequence},
                 wire::FromDatanode(wire::IncrementalReport{{{replica_5, false}}}));
  };
  skip(link.sequence() + 2);
  skip(link.sequence() + 3);
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(round_.storage, IsEmpty());
  EXPECT_TRUE(datanodes_[0].expect<wire::DatanodeOrders>().orders.must_register);
  EXPECT_EQ(fleet_->datanodes()->counters().gaps, 1u);
  EXPECT_FALSE(fleet_->datanodes()->is_connected(NodeId(0u)));
  datanodes_[0].send_hello();
  EXPECT_EQ(wait_for_inputs(), std::vector<StorageInput>{DatanodeRegistered{NodeId(0u)}});
}

TEST_F(RealDatanodesTest, ARepeatChangesNothing) {
  start_with_datanodes(1);
  ScriptedAgent& link = datanodes_[0].link();
  datanodes_[0].send(wire::IncrementalReport{{{replica_5, false}}});
  link.send_as({"run-1", link.epoch(), link.session(), link.sequence()},
               wire::FromDatanode(wire::IncrementalReport{{{replica_5, true}}}));
  EXPECT_THAT(wait_for_inputs(), SizeIs(1));
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(round_.storage, IsEmpty());
  EXPECT_EQ(fleet_->datanodes()->counters().repeats, 1u);
}

// The namenode finds it dead; whoever has registered since is not told to register once more.
TEST_F(RealDatanodesTest, AnAnswerToAnEarlierSessionDoesNotEndTheNext) {
  start_with_datanodes(1);
  datanodes_[0].send(wire::DatanodeBeat{usage, {}});
  wait_for_inputs();
  datanodes_[0].send_hello();
  wait_for_inputs();
  datanodes_[0].expect<wire::DatanodeWelcome>();
  execute({AnswerDatanode{NodeId(0u), HeartbeatReply{.must_register = true}}});
  EXPECT_TRUE(fleet_->datanodes()->is_connected(NodeId(0u)));
  datanodes_[0].send(wire::DatanodeBeat{usage, {}});
  wait_for_inputs();
  execute({AnswerDatanode{NodeId(0u), HeartbeatReply{.must_register = true}}});
  EXPECT_TRUE(datanodes_[0].expect<wire::DatanodeOrders>().orders.must_register);
  EXPECT_FALSE(fleet_->datanodes()->is_connected(NodeId(0u)));
}

TEST_F(RealDatanodesTest, ADatanodeOfAnotherVersionKeyOrRunIsRefusedWithBothValues) {
  // The reason that it gets, which is also why the run does not begin.
  const auto refused = [&](const std::string& run, const auto& change) {
    open(2);
    ScriptedDatanode datanode(fleet_->endpoint(), run, "node-0", fleet_->links()[0]);
    wire::DatanodeHello hello = datanode.hello();
    change(hello);
    datanode.send_hello(hello);
    std::string error_text;
    try {
      fleet_->wait_for_datanodes(timeout, look_at_nothing);
    } catch (const EnvironmentError& error) {
      error_text = error.what();
    }
    const std::string reason = datanode.link().expect<wire::Refuse>().reason;
    EXPECT_THAT(error_text, HasSubstr(reason));
    return reason;
  };
  const auto of_another_version = [](wire::DatanodeHello& hello) {
    hello.protocol_version += 1;
    hello.software = "9.9";
  };
  EXPECT_THAT(refused("run-1", of_another_version),
              AllOf(HasSubstr("9.9"), HasSubstr(TRACEBED_VERSION),
                    HasSubstr(std::to_string(wire::protocol_version + 1)),
                    HasSubstr("version " + std::to_string(wire::protocol_version))));
  EXPECT_THAT(refused("run-2", [](auto&) {}), AllOf(HasSubstr("run-2"), HasSubstr("run-1")));
  // Of one that takes another's name only the datanode itself is told.
  open(2);
  ScriptedDatanode datanode(fleet_->endpoint(), "run-1", "node-0", fleet_->links()[0]);
  wire::DatanodeHello hello = datanode.hello();
  hello.agent = "node-1";
  datanode.send_hello(hello);
  EXPECT_THROW(fleet_->wait_for_datanodes(200ms, look_at_nothing), EnvironmentError);
  EXPECT_THAT(datanode.link().expect<wire::Refuse>().reason,
              AllOf(HasSubstr("node-1"), HasSubstr("node-0")));
}

TEST_F(RealDatanodesTest, ASecondMachineUnderTheSameNameIsRefusedWhileTheFirstIsThere) {
  start_with_datanodes(1);
  ScriptedDatanode other(fleet_->endpoint(), "run-1", "node-0", fleet_->links()[0]);
  other.link().start_sessions_at(900'000);
  wire::DatanodeHello hello = other.hello();
  hello.host = "elsewhere";
  other.send_hello(hello);
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(other.link().expect<wire::Refuse>().reason, HasSubstr("127.0.1.1"));
  EXPECT_THAT(round_.storage, IsEmpty());
}

// HDFS finds dead datanodes by their heartbeats alone.
TEST_F(RealDatanodesTest, NeitherSilenceNorALostAgentIsTheEndOfADatanode) {
  options_.silence_max = 100ms;
  start_with_datanodes(1);
  while (arrived<NodeLost>().empty()) wait();
  while (fleet_->datanodes()->is_connected(NodeId(0u))) {
    EXPECT_THAT(round_.storage, IsEmpty());
    wait(fleet_->clock().now() + seconds(1));
  }
  datanodes_[0].send(wire::DatanodeBeat{usage, {}});
  EXPECT_EQ(wait_for_inputs(), (std::vector<StorageInput>{DatanodeHeartbeat{NodeId(0u), usage}}));
}

TEST_F(RealDatanodesTest, AMachineThatComesLaterIsToldToTheOthers) {
  start_with_datanodes(2);
  wire::Hello hello = agents_[1].hello();
  hello.address = "127.0.1.9";
  agents_[1].send_hello(hello);
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(datanodes_[0].expect<wire::MachineNews>().machines,
              ElementsAre(wire::MachineAddress{"127.0.1.9", "/default-rack"}));
}

}  // namespace
}  // namespace tracebed::test
