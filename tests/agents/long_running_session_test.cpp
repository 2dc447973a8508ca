// An agent that serves run after run, in made-up time.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/agent/agent_session.h"
#include "core/shuffle.h"

namespace tracebed::agent {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class LongRunningSessionTest : public testing::Test {
 protected:
  static Identity identity() {
    Identity identity;
    identity.run = wire::no_run;
    identity.name = "node1";
    identity.rack = "/r1";
    identity.capacity = Resources(4'000, 8'192);
    identity.host = "machine-1";
    identity.keeps_outputs = true;
    return identity;
  }
  Now now() const { return {SteadyTime(time_), wire::WallTime(seconds(1'000'000) + time_)}; }
  void take_state(const std::string& run = "") {
    launcher::StateRecord state{launcher::Isolation::cgroup_v2, {}};
    run.copy(state.run.data(), run.size());
    session_.take(state, now());
    collect();
  }
  void collect() {
    for (auto& message : session_.take_messages()) sent_.push_back(std::move(message));
    for (auto& order : session_.take_orders()) orders_.push_back(std::move(order));
  }
  void say(const std::string& run, std::uint64_t sequence, wire::Body body) {
    session_.take(wire::Message{{run, 1, sent_.back().envelope.session, sequence}, std::move(body)},
                  now());
    collect();
  }
  static wire::Welcome welcome() {
    wire::Welcome welcome;
    welcome.heartbeat_period = seconds(1);
    welcome.silence_max = seconds(5);
    welcome.orphan_grace = seconds(20);
    return welcome;
  }
  void join(const std::string& run) {
    take_state();
    say(run, 1, welcome());
  }
  void launch(std::uint64_t sequence, std::uint32_t container) {
    wire::Launch launch;
    launch.container = ContainerId(container);
    launch.limits = Resources(1'000, 256);
    say(session_.run(), sequence, wire::LaunchBatch{{launch}});
  }
  void exit(std::uint32_t container, std::uint64_t sequence) {
    launcher::ExitedRecord record;
    record.container = container;
    record.sequence = sequence;
    session_.take(record, now());
    collect();
  }
  template <class Kind>
  std::vector<Kind> orders() const {
    std::vector<Kind> found;
    for (const Order& order : orders_) {
      if (const auto* one = std::get_if<Kind>(&order)) found.push_back(*one);
    }
    return found;
  }

  AgentSession session_{identity()};
  std::chrono::nanoseconds time_ = seconds(100);
  std::vector<wire::Message> sent_;
  std::vector<Order> orders_;
  std::uint64_t acknowledged_ = 1;  // the coordinator's last message
};

TEST_F(LongRunningSessionTest, IsOfTheRunThatItsWelcomeNames) {
  take_state();
  EXPECT_EQ(sent_.back().envelope.run, wire::no_run);
  EXPECT_EQ(std::get<wire::Hello>(sent_.back().body).host, "machine-1");
  say("run-1", 1, welcome());
  EXPECT_EQ(session_.run(), "run-1");
  ASSERT_THAT(orders<SettingsOrder>(), testing::SizeIs(1));
  EXPECT_STREQ(orders<SettingsOrder>()[0].record.run.data(), "run-1");
}

// So that the coordinator knows the clock's offset before anything is told in its terms.
TEST_F(LongRunningSessionTest, AnswersAWelcomeWithAHeartbeatThatGivesItsStampBack) {
  take_state();
  wire::Welcome stamped = welcome();
  stamped.sent = wire::WallTime(seconds(77));
  const wire::WallTime received = now().wall;
  say("run-1", 1, stamped);
  time_ += std::chrono::milliseconds(3);
  EXPECT_EQ(session_.next_tick(), SteadyTime::min());
  session_.tick(now());
  collect();
  const auto first = std::get<wire::Heartbeat>(sent_.back().body);
  EXPECT_EQ(first.wall_clock, now().wall);
  EXPECT_EQ(first.echo, (wire::ClockEcho{stamped.sent, received}));
  say("run-1", 2, wire::HeartbeatAck{2, 0, wire::WallTime(seconds(78))});
  time_ += seconds(1);
  session_.tick(now());  // asks the launcher for what is used
  time_ += seconds(1);
  session_.tick(now());
  collect();
  const auto second = std::get<wire::Heartbeat>(sent_.back().body);
  ASSERT_TRUE(second.echo);
  EXPECT_EQ(second.echo->sent, wire::WallTime(seconds(78)));
}

TEST_F(LongRunningSessionTest, ARunsEndEndsItsContainersAndThenAsksForTheNext) {
  join("run-1");
  launch(2, 7);
  exit(3, 20);  // not acknowledged
  say("run-1", 3, wire::Shutdown{"done"});
  ASSERT_THAT(orders<KillOrder>(), testing::SizeIs(1));
  EXPECT_THAT(orders<KillOrder>()[0].containers, ElementsAre(7));
  EXPECT_EQ(session_.run(), "run-1") << "until its containers are gone";
  exit(7, 21);
  EXPECT_FALSE(session_.end());
  EXPECT_EQ(session_.run(), wire::no_run);
  EXPECT_EQ(orders<AcknowledgeOrder>().at(0).exits_up_to, 21);
  EXPECT_STREQ(orders<SettingsOrder>().back().record.run.data(), "");
  ASSERT_GE(sent_.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<wire::Goodbye>(sent_[sent_.size() - 2].body));
  EXPECT_EQ(sent_[sent_.size() - 2].envelope.run, "run-1");
  const auto& hello = std::get<wire::Hello>(sent_.back().body);
  EXPECT_THAT(hello.running, IsEmpty());
  EXPECT_THAT(hello.exits, IsEmpty());
  say("run-2", 1, welcome());
  EXPECT_EQ(session_.run(), "run-2");
}

// What its agent starts and ends the shuffle server by.
TEST_F(LongRunningSessionTest, SaysThatItKeepsOutputsAndHasTheKeyOfItsRunAlone) {
  take_state();
  EXPECT_TRUE(std::get<wire::Hello>(sent_.back().body).keeps_outputs);
  wire::Welcome with_shuffle = welcome();
  with_shuffle.shuffle_key = std::string(shuffle_key_bytes, 'k');
  with_shuffle.shuffle_rates.network_bytes_per_second = 5'000;
  say("run-1", 1, with_shuffle);
  EXPECT_EQ(session_.shuffle_key(), with_shuffle.shuffle_key);
  EXPECT_EQ(session_.shuffle_rates(), with_shuffle.shuffle_rates);
  launch(2, 7);
  say("run-1", 3, wire::Shutdown{"done"});
  EXPECT_EQ(session_.shuffle_key(), with_shuffle.shuffle_key) << "until its containers are gone";
  exit(7, 21);
  EXPECT_EQ(session_.shuffle_key(), "");
  say("run-2", 1, welcome());
  EXPECT_EQ(session_.shuffle_key(), "");
}

TEST_F(LongRunningSessionTest, BetweenRunsAShutdownMeansAnotherHello) {
  join(wire::no_run);
  const std::size_t before = sent_.size();
  say(wire::no_run, 2, wire::Shutdown{"a run begins"});
  ASSERT_EQ(sent_.size(), before + 1);
  EXPECT_TRUE(std::holds_alternative<wire::Hello>(sent_.back().body));
}

TEST_F(LongRunningSessionTest, ASuccessorLearnsTheRunOfItsContainersFromTheLauncher) {
  launcher::StartedRecord started;
  started.container = 9;
  session_.take(started, now());
  take_state("run-1");
  EXPECT_EQ(sent_.back().envelope.run, "run-1");
  EXPECT_THAT(std::get<wire::Hello>(sent_.back().body).running, ElementsAre(ContainerId(9u)));
  // The coordinator does not know that run any more.
  say("run-1", 1, wire::Shutdown{"that run is over"});
  EXPECT_THAT(orders<KillOrder>().at(0).containers, ElementsAre(9));
  exit(9, 30);
  EXPECT_EQ(sent_.back().envelope.run, wire::no_run);
}

TEST_F(LongRunningSessionTest, DoesNotTakeTheWelcomeOfAnotherRunForItsContainers) {
  take_state("run-1");
  say("run-2", 1, welcome());
  EXPECT_FALSE(session_.is_welcome());
  EXPECT_EQ(session_.counters().misplaced, 1);
}

TEST_F(LongRunningSessionTest, ARefusedOneGoesOnAskingAndKeepsTheReason) {
  take_state();
  say(wire::no_run, 1, wire::Refuse{3, 3, "another machine has that name"});
  EXPECT_FALSE(session_.end());
  EXPECT_EQ(session_.refusal(), "another machine has that name");
  const std::size_t before = sent_.size();
  time_ += seconds(8);
  session_.tick(now());
  collect();
  ASSERT_EQ(sent_.size(), before + 1);
  say("run-1", 1, welcome());
  EXPECT_EQ(session_.refusal(), "");
}

TEST_F(LongRunningSessionTest, ARunNameThatItsLauncherCouldNotKeepIsPassedOver) {
  take_state();
  say(std::string(200, 'r'), 1, welcome());
  EXPECT_FALSE(session_.is_welcome());
  say("run-1", 1, welcome());
  EXPECT_TRUE(session_.is_welcome());
}

TEST_F(LongRunningSessionTest, TellsWhatWasLoggedToWhoHasTakenIt) {
  take_state();
  session_.send_log({{{}, wire::Severity::error, "nobody there"}}, 0);
  collect();
  EXPECT_TRUE(std::holds_alternative<wire::Hello>(sent_.back().body));
  say(wire::no_run, 1, welcome());
  session_.send_log({{{}, wire::Severity::warning, "a word"}}, 3);
  collect();
  const auto* log = std::get_if<wire::LogLines>(&sent_.back().body);
  ASSERT_NE(log, nullptr);
  EXPECT_EQ(log->lost, 3u);
  EXPECT_EQ(log->lines.at(0).text, "a word");
}

TEST_F(LongRunningSessionTest, SaysHowItStands) {
  EXPECT_FALSE(session_.figures().is_welcome);
  join("run-1");
  launch(2, 7);
  launcher::StartedRecord started;
  started.container = 7;
  started.process = 99;
  session_.take(started, now());
  const SessionFigures during = session_.figures();
  EXPECT_TRUE(during.is_welcome);
  EXPECT_TRUE(during.has_run);
  EXPECT_EQ(during.running, 1u);
  EXPECT_EQ(during.counters.started, 1u);
  exit(7, 1);
  const SessionFigures after = session_.figures();
  EXPECT_EQ(after.running, 0u);
  EXPECT_EQ(after.exits, 1u);
  EXPECT_EQ(after.counters.ended, 1u);
}

TEST_F(LongRunningSessionTest, SaysThatItHasNoLauncherAndThatItHasOneAgain) {
  session_.tick(now());
  collect();
  EXPECT_THAT(sent_, IsEmpty());  // it may be there in a moment
  time_ += seconds(3);
  session_.tick(now());
  collect();
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_FALSE(std::get<wire::Hello>(sent_.back().body).has_launcher);
  say(wire::no_run, 1, welcome());
  EXPECT_TRUE(session_.is_welcome());
  time_ += seconds(1);
  session_.tick(now());
  time_ += seconds(1);
  session_.tick(now());
  collect();
  EXPECT_TRUE(std::holds_alternative<wire::Heartbeat>(sent_.back().body));
  take_state();
  EXPECT_TRUE(std::get<wire::Hello>(sent_.back().body).has_launcher);
}

// A launcher that hangs keeps its connection: it is asked, and its silence counts from the first
// question without an answer. Heartbeats go on meanwhile.
TEST_F(LongRunningSessionTest, ALauncherThatDoesNotAnswerIsOfNoUse) {
  join("run-1");
  session_.take(launcher::UsageRecord{}, now());
  const auto pass = [&](int count, bool answers) {
    for (int i = 0; i < count; ++i) {
      time_ += seconds(1);
      say("run-1", ++acknowledged_, wire::HeartbeatAck{});
      session_.tick(now());
      collect();
      if (answers) session_.take(launcher::UsageRecord{}, now());
    }
  };
  pass(30, true);
  EXPECT_FALSE(session_.is_launcher_silent(now()));
  sent_.erase(sent_.begin(), sent_.end() - 1);
  pass(10, false);  // asked after the first of these seconds
  EXPECT_FALSE(session_.is_launcher_silent(now()));
  pass(1, false);
  EXPECT_TRUE(session_.is_launcher_silent(now()));
  EXPECT_GE(std::count_if(sent_.begin(), sent_.end(),
                          [](const wire::Message& message) {
                            return std::holds_alternative<wire::Heartbeat>(message.body);
                          }),
            9);
  session_.lose_launcher(now());
  collect();
  EXPECT_FALSE(std::get<wire::Hello>(sent_.back().body).has_launcher);
  EXPECT_FALSE(session_.has_launcher());
  say("run-1", 1, welcome());
  acknowledged_ = 1;
  pass(60, false);
  EXPECT_FALSE(session_.is_launcher_silent(now())) << "one that never answered is not given up";
  take_state("run-1");
  EXPECT_TRUE(session_.has_launcher());
  EXPECT_TRUE(std::get<wire::Hello>(sent_.back().body).has_launcher);
}

TEST_F(LongRunningSessionTest, WhateverALauncherSaysItIsAtWork) {
  join("run-1");
  launch(2, 7);
  time_ += seconds(9);
  session_.take(launcher::StartedRecord{7, 1'234, 5}, now());
  time_ += seconds(9);
  EXPECT_FALSE(session_.is_launcher_silent(now()));
}

TEST_F(LongRunningSessionTest, LeavesARunThatEndsWhileItHasNoLauncher) {
  join("run-1");
  launch(2, 7);
  session_.lose_launcher(now());
  collect();
  const auto& hello = std::get<wire::Hello>(sent_.back().body);
  EXPECT_FALSE(hello.has_launcher);
  EXPECT_THAT(hello.running, IsEmpty());
  EXPECT_EQ(sent_.back().envelope.run, "run-1");
  say("run-1", 1, wire::Shutdown{"the run has ended"});
  EXPECT_EQ(session_.run(), wire::no_run);
  EXPECT_EQ(sent_.back().envelope.run, wire::no_run);
}

// It stood still; meanwhile the coordinator may have given it up.
TEST_F(LongRunningSessionTest, SaysHelloAtOnceAfterAPauseThatWasLongerThanItsSilenceMayBe) {
  join("run-1");
  sent_.clear();
  session_.resume(seconds(4), now());
  collect();
  EXPECT_THAT(sent_, IsEmpty());
  session_.resume(seconds(6), now());
  collect();
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<wire::Hello>(sent_[0].body));
}

}  // namespace
}  // namespace tracebed::agent
