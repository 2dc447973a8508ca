// A datanode's conversation with its coordinator, in made-up time.
#include "agents/datanode_link/coordinator_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const ReportedReplica replica_5{5, 1'001, 100, ReportedState::finalized};
const ReportedReplica replica_6{6, 1'002, 200, ReportedState::being_written};

class CoordinatorSessionTest : public ::testing::Test {
 protected:
  explicit CoordinatorSessionTest(const std::string& run = "run-1")
      : session_({.run = run, .agent = "node-1", .address = "127.0.1.1", .transfer_port = 9'866},
                 {[this] { return usage_; }, [this] { return replicas_; },
                  [this] { return transfers_; }}) {}

  CoordinatorSession::Now now() const {
    return {CoordinatorSession::SteadyTime(time_), wire::WallTime(1'000'000s + time_)};
  }
  void advance(std::chrono::nanoseconds by) {
    time_ += by;
    tick();
  }
  void tick() {
    session_.tick(now());
    for (wire::Message& message : session_.take_messages()) sent_.push_back(std::move(message));
  }
  void say(wire::Body body, std::uint64_t skipped = 0) {
    answered_ += 1 + skipped;
    say_as({run_, 1, sent_.back().envelope.session, answered_}, std::move(body));
  }
  void say_as(const wire::Envelope& envelope, wire::Body body) {
    session_.take({envelope, std::move(body)}, now());
    for (auto& order : session_.take_orders()) orders_.push_back(std::move(order));
    for (wire::Message& message : session_.take_messages()) sent_.push_back(std::move(message));
  }
  void tell(wire::ToDatanode message) { say(std::move(message)); }
  static wire::DatanodeWelcome welcome() {
    wire::DatanodeWelcome welcome;
    welcome.node = NodeId(3u);
    welcome.heartbeat_period = 1s;
    welcome.report_period = 60s;
    welcome.silence_max = 5s;
    return welcome;
  }
  // Says Hello, is welcomed, and has sent its first report and heartbeat.
  void join() {
    tick();
    answered_ = 0;
    tell(welcome());
    tick();
    sent_.erase(sent_.begin(), sent_.end() - 2);
  }
  void answer_heartbeat() { tell(wire::DatanodeOrders{sent_.back().envelope.sequence, {}, {}}); }

  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> kinds;
    for (const wire::Message& message : sent_) {
      const auto& from = std::get<wire::FromDatanode>(message.body);
      if (const auto* kind = std::get_if<Kind>(&from)) kinds.push_back(*kind);
    }
    return kinds;
  }

  DatanodeUsage usage_{1'000, 300, 700, 2};
  std::vector<ReportedReplica> replicas_{replica_5};
  wire::TransferReport transfers_;
  CoordinatorSession session_;
  std::chrono::nanoseconds time_{1h};
  std::string run_ = "run-1";
  std::uint64_t answered_ = 0;
  std::vector<wire::Message> sent_;
  std::vector<CoordinatorSession::Order> orders_;
};

TEST_F(CoordinatorSessionTest, RegistersThenReportsAllReplicasAndItsUsage) {
  tick();
  const auto hellos = sent<wire::DatanodeHello>();
  ASSERT_THAT(hellos, SizeIs(1));
  EXPECT_EQ(hellos[0].agent, "node-1");
  EXPECT_EQ(hellos[0].transfer_port, 9'866);
  EXPECT_EQ(sent_[0].envelope.epoch, 0u);
  tell(welcome());
  ASSERT_THAT(orders_, SizeIs(1));
  EXPECT_EQ(std::get<wire::DatanodeWelcome>(orders_[0]), welcome());
  tick();
  EXPECT_THAT(sent<wire::BlockReportPart>(),
              ElementsAre(wire::BlockReportPart{0, true, {replica_5}}));
  EXPECT_THAT(sent<wire::DatanodeBeat>(), ElementsAre(wire::DatanodeBeat{usage_, {}}));
  EXPECT_EQ(sent_.back().envelope.sequence, 3u);
}

TEST_F(CoordinatorSessionTest, RepeatsItsHelloLessAndLessOftenUntilItIsAnswered) {
  tick();
  for (int i = 0; i < 60; ++i) advance(1s);
  // After 1, 2, 4, 8, 8, … seconds.
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(10));
  EXPECT_LT(sent_[0].envelope.session, sent_[1].envelope.session);
}

TEST_F(CoordinatorSessionTest, ALargeReportComesInParts) {
  replicas_.assign(wire::replicas_max + 1, replica_5);
  tick();
  tell(welcome());
  tick();
  const auto parts = sent<wire::BlockReportPart>();
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_FALSE(parts[0].is_last);
  EXPECT_THAT(parts[0].replicas, SizeIs(wire::replicas_max));
  EXPECT_EQ(parts[1], (wire::BlockReportPart{1, true, {replica_5}}));
}

TEST_F(CoordinatorSessionTest, ReportsInFullAgainAfterTheIntervalAndWhenAsked) {
  join();
  sent_.erase(sent_.begin());
  advance(1s);
  answer_heartbeat();
  tell(wire::TriggerBlockReport{});
  EXPECT_THAT(sent<wire::BlockReportPart>(), SizeIs(1));
  for (int i = 0; i < 59; ++i) {
    advance(1s);
    answer_heartbeat();
  }
  EXPECT_THAT(sent<wire::BlockReportPart>(), SizeIs(1));
  advance(1s);
  EXPECT_THAT(sent<wire::BlockReportPart>(), SizeIs(2));
}

TEST_F(CoordinatorSessionTest, ChangesAreReportedAtOnceInTheirOrder) {
  join();
  session_.report({replica_6, false});
  session_.report({replica_6, true});
  EXPECT_LE(session_.next_tick(), now().steady);
  tick();
  EXPECT_THAT(sent<wire::IncrementalReport>(),
              ElementsAre(wire::IncrementalReport{{{replica_6, false}, {replica_6, true}}}));
}

TEST_F(CoordinatorSessionTest, ChangesBeforeAFullReportAreInIt) {
  tick();
  session_.report({replica_6, false});
  tell(welcome());
  session_.report({replica_6, false});
  replicas_.push_back(replica_6);
  tick();
  EXPECT_THAT(sent<wire::IncrementalReport>(), IsEmpty());
  EXPECT_THAT(sent<wire::BlockReportPart>(),
              ElementsAre(wire::BlockReportPart{0, true, {replica_5, replica_6}}));
}

TEST_F(CoordinatorSessionTest, WaitsForTheAnswerToAHeartbeatBeforeTheNext) {
  join();
  advance(1s);
  advance(1s);
  EXPECT_THAT(sent<wire::DatanodeBeat>(), SizeIs(1));
  answer_heartbeat();
  advance(1s);
  EXPECT_THAT(sent<wire::DatanodeBeat>(), SizeIs(2));
}

TEST_F(CoordinatorSessionTest, RegistersAgainUnderANewSessionAfterAGap) {
  join();
  const std::uint64_t session = sent_.back().envelope.session;
  wire::DatanodeOrders orders;
  orders.orders.deletions = {{5, 1'001}};
  say(wire::ToDatanode(orders), 1);
  EXPECT_THAT(orders_, SizeIs(1)) << "only the Welcome: a lost message may be what it builds on";
  ASSERT_THAT(sent<wire::DatanodeHello>(), SizeIs(1));
  EXPECT_GT(sent_.back().envelope.session, session);
  EXPECT_EQ(session_.counters().gaps, 1u);
}

TEST_F(CoordinatorSessionTest, ARepeatedMessageChangesNothing) {
  join();
  wire::DatanodeOrders orders;
  orders.orders.deletions = {{5, 1'001}};
  tell(orders);
  say_as({run_, 1, sent_.back().envelope.session, answered_}, wire::ToDatanode(orders));
  EXPECT_THAT(orders_, SizeIs(2));
  EXPECT_EQ(session_.counters().repeats, 1u);
}

TEST_F(CoordinatorSessionTest, RegistersAgainWhenItIsOrderedTo) {
  join();
  tell(wire::DatanodeOrders{0, {.must_register = true}, {}});
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(1));
  answered_ = 0;
  tell(welcome());
  tick();
  EXPECT_THAT(sent<wire::BlockReportPart>(), SizeIs(2));
  tell(wire::ReportAnswer{{.must_register = true, .unknown = {}}});
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(2));
}

TEST_F(CoordinatorSessionTest, RegistersAgainAfterSilence) {
  join();
  advance(4'999ms);
  EXPECT_THAT(sent<wire::DatanodeHello>(), IsEmpty());
  advance(1ms);
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(1));
}

TEST_F(CoordinatorSessionTest, ACallIsMadeAgainUntilItIsAnswered) {
  join();
  session_.call(ReportBadBlocks{{{{5, 1'001, 100}, {NodeId(3u)}}}}, now());
  tick();
  EXPECT_THAT(sent<wire::DatanodeCall>(), SizeIs(1));
  advance(1s);
  EXPECT_THAT(sent<wire::DatanodeCall>(), SizeIs(1)) << "not in the same session";
  tell(wire::DatanodeCallAnswer{1, StorageFailure{StorageFailureKind::retriable, "not now"}});
  advance(1s);
  EXPECT_THAT(sent<wire::DatanodeCall>(), SizeIs(2));
  tell(wire::DatanodeOrders{0, {.must_register = true}, {}});
  answered_ = 0;
  tell(welcome());
  tick();
  ASSERT_THAT(sent<wire::DatanodeCall>(), SizeIs(3));
  EXPECT_EQ(sent<wire::DatanodeCall>()[2], sent<wire::DatanodeCall>()[0]);
  tell(wire::DatanodeCallAnswer{1, StorageFailure{StorageFailureKind::io, "no such block"}});
  tell(wire::DatanodeOrders{0, {.must_register = true}, {}});
  answered_ = 0;
  tell(welcome());
  tick();
  EXPECT_THAT(sent<wire::DatanodeCall>(), SizeIs(3));
}

TEST_F(CoordinatorSessionTest, TransfersAreToldNowAndThenIfTheyChanged) {
  join();
  transfers_.total.transfers = 1;
  const auto beat = [&] {
    answer_heartbeat();
    advance(1s);
    return sent<wire::DatanodeBeat>().back().transfers;
  };
  EXPECT_EQ(beat(), transfers_);
  EXPECT_FALSE(beat());
  transfers_.total.transfers = 2;
  EXPECT_EQ(beat(), transfers_);
  session_.send_goodbye("done");
  sent_.clear();
  tick();
  EXPECT_THAT(sent<wire::DatanodeGoodbye>(),
              ElementsAre(wire::DatanodeGoodbye{"done", transfers_}));
}

TEST_F(CoordinatorSessionTest, WhatItHasLoggedIsAMessageOfItsSession) {
  const wire::LogLines log{{{{}, wire::Severity::warning, "a word"}}, 2};
  session_.send_log(log);
  EXPECT_THAT(session_.take_messages(), IsEmpty()) << "there is no session";
  join();
  const wire::Envelope last = sent_.back().envelope;
  session_.send_log(log);
  const auto messages = session_.take_messages();
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_EQ(messages[0].body, wire::Body(log));
  EXPECT_EQ(messages[0].envelope.session, last.session);
  EXPECT_EQ(messages[0].envelope.sequence, last.sequence + 1);
}

TEST_F(CoordinatorSessionTest, EndsWithItsRunAndWhenItIsRefused) {
  join();
  say(wire::Shutdown{"all jobs have ended"});
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->kind, CoordinatorSession::End::Kind::run_over);
  EXPECT_EQ(session_.next_tick(), CoordinatorSession::SteadyTime::max());
}

TEST_F(CoordinatorSessionTest, EndsWhenItIsRefused) {
  tick();
  say(wire::Refuse{1, 2, "another version"});
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->kind, CoordinatorSession::End::Kind::refused);
  EXPECT_EQ(session_.end()->reason, "another version");
}

// What is not an answer to its own Hello does not count.
TEST_F(CoordinatorSessionTest, MessagesOfOthersAreIgnored) {
  tick();
  const std::uint64_t session = sent_.back().envelope.session;
  say_as({"run-2", 1, session, 1}, wire::ToDatanode(welcome()));
  say_as({"run-1", 1, session + 1, 1}, wire::ToDatanode(welcome()));
  say_as({"run-1", 1, session, 1}, wire::ToDatanode(wire::TriggerBlockReport{}));
  EXPECT_FALSE(session_.is_welcome());
  join();
  say_as({"run-1", 2, sent_.back().envelope.session, 2},
         wire::ToDatanode(wire::TriggerBlockReport{}));
  say(wire::Goodbye{"?"});
  EXPECT_EQ(session_.counters().misplaced, 5u);
  EXPECT_TRUE(session_.is_welcome());
}

class LongRunningDatanodeTest : public CoordinatorSessionTest {
 protected:
  LongRunningDatanodeTest() : CoordinatorSessionTest(wire::no_run) {}
};

TEST_F(LongRunningDatanodeTest, ServesRunAfterRun) {
  for (const std::string run : {"run-1", "run-2"}) {
    run_ = run;
    join();
    EXPECT_EQ(session_.run(), run);
    EXPECT_EQ(sent_.back().envelope.run, run);
    say(wire::Shutdown{"over"});
    ASSERT_TRUE(session_.end());
    session_.send_goodbye(session_.end()->reason);
    session_.leave_run(now());
    EXPECT_FALSE(session_.end());
    EXPECT_EQ(session_.run(), wire::no_run);
  }
  tick();
  EXPECT_EQ(sent_.back().envelope.run, wire::no_run);
}

// Between runs the roster welcomes it to none: it has no replicas to report.
TEST_F(LongRunningDatanodeTest, BeatsBetweenRunsWithoutReports) {
  run_ = wire::no_run;
  tick();
  tell(welcome());
  tick();
  EXPECT_THAT(sent<wire::BlockReportPart>(), IsEmpty());
  EXPECT_THAT(sent<wire::DatanodeBeat>(), SizeIs(1));
  say(wire::Shutdown{"a run begins"});
  EXPECT_FALSE(session_.end());
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(2));
}

TEST_F(LongRunningDatanodeTest, GoesOnAskingWhenItIsRefused) {
  tick();
  run_ = wire::no_run;
  say(wire::Refuse{1, 2, "its key is unknown"});
  EXPECT_FALSE(session_.end());
  EXPECT_EQ(session_.refusal(), "its key is unknown");
  advance(8s);
  EXPECT_THAT(sent<wire::DatanodeHello>(), SizeIs(2));
}

}  // namespace
}  // namespace tracebed
