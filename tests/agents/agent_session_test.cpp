// The agent's side of the conversation, in made-up time.
#include "agents/agent/agent_session.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>

#include "protocol/shuffle/shuffle_token.h"

namespace tracebed::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class AgentSessionTest : public testing::Test {
 protected:
  AgentSessionTest()
      : session_({.run = "run",
                  .name = "node1",
                  .rack = "/r1",
                  .labels = {"ssd"},
                  .capacity = Resources(4'000, 8'192),
                  .address = "127.0.1.1"}) {}

  Now now() const { return {SteadyTime(time_), wire::WallTime(seconds(1'000'000) + time_)}; }
  void pass(std::chrono::nanoseconds duration) {
    time_ += duration;
    session_.tick(now());
  }
  // Passes time as the agent's loop would: from one due moment to the next.
  void pass_in_steps(std::chrono::nanoseconds duration) {
    const auto until = time_ + duration;
    while (session_.next_tick().time_since_epoch() <= until) {
      time_ = std::max(time_, std::chrono::nanoseconds(session_.next_tick().time_since_epoch()));
      session_.tick(now());
      collect();
    }
    time_ = until;
  }
  void collect() {
    for (auto& message : session_.take_messages()) sent_.push_back(std::move(message));
    for (auto& order : session_.take_orders()) orders_.push_back(std::move(order));
  }
  // Messages of one kind so far, with their envelopes.
  template <class Body>
  std::vector<Body> sent() {
    collect();
    std::vector<Body> bodies;
    for (const auto& message : sent_) {
      if (const auto* body = std::get_if<Body>(&message.body)) bodies.push_back(*body);
    }
    return bodies;
  }
  template <class Kind>
  std::vector<Kind> orders() {
    collect();
    std::vector<Kind> found;
    for (const auto& order : orders_) {
      if (const auto* one = std::get_if<Kind>(&order)) found.push_back(*one);
    }
    return found;
  }
  std::uint64_t session_number() {
    collect();
    return sent_.back().envelope.session;
  }
  void forget() {
    collect();
    sent_.clear();
    orders_.clear();
  }

  void give_launcher_state() {
    session_.take(launcher::StateRecord{launcher::Isolation::cgroup_v2}, now());
  }
  void say(std::uint64_t sequence, wire::Body body) {
    session_.take(wire::Message{{"run", 3, session_number_, sequence}, std::move(body)}, now());
  }
  wire::Welcome welcome_body() const {
    wire::Welcome welcome;
    welcome.node = NodeId(0u);
    welcome.heartbeat_period = seconds(1);
    welcome.silence_max = seconds(5);
    welcome.orphan_grace = seconds(20);
    return welcome;
  }
  void welcome() {
    give_launcher_state();
    session_number_ = session_number();
    say(1, welcome_body());
    forget();
  }
  static launcher::ExitedRecord exit_of(std::uint32_t container, std::uint64_t sequence) {
    launcher::ExitedRecord record;
    record.container = container;
    record.sequence = sequence;
    return record;
  }
  static wire::Launch launch_of(std::uint32_t container) {
    wire::Launch launch;
    launch.container = ContainerId(container);
    launch.limits = Resources(1'000, 256);
    launch.work = {Work{seconds(10), seconds(5), 100}};
    return launch;
  }

  AgentSession session_;
  std::chrono::nanoseconds time_ = seconds(100);
  std::uint64_t session_number_ = 0;
  std::vector<wire::Message> sent_;
  std::vector<Order> orders_;
};

TEST_F(AgentSessionTest, SaysNothingBeforeItsLauncherHasToldItsState) {
  pass_in_steps(seconds(60));
  EXPECT_THAT(sent<wire::Hello>(), IsEmpty());
  give_launcher_state();
  const auto hellos = sent<wire::Hello>();
  ASSERT_EQ(hellos.size(), 1);
  EXPECT_EQ(hellos[0].agent, "node1");
  EXPECT_EQ(hellos[0].capacity, Resources(4'000, 8'192));
  EXPECT_EQ(hellos[0].isolation, wire::Isolation::cgroup_v2);
  EXPECT_EQ(hellos[0].address, "127.0.1.1");
  EXPECT_EQ(sent_[0].envelope.sequence, 1);
}

TEST_F(AgentSessionTest, SaysHelloAgainEverLessOftenUnderNewSessions) {
  give_launcher_state();
  pass_in_steps(seconds(30));  // pauses of 1, 2, 4, 8, 8 s: Hello at 0, 1, 3, 7, 15, 23
  EXPECT_EQ(sent<wire::Hello>().size(), 6);
  for (std::size_t i = 1; i < sent_.size(); ++i) {
    EXPECT_GT(sent_[i].envelope.session, sent_[i - 1].envelope.session);
  }
}

TEST_F(AgentSessionTest, TellsItsLauncherHowTasksReachTheNamenode) {
  give_launcher_state();
  session_number_ = session_number();
  wire::Welcome welcome = welcome_body();
  welcome.namenode = "127.0.0.1:8020";
  say(1, welcome);
  const launcher::SettingsRecord record = orders<SettingsOrder>().back().record;
  EXPECT_STREQ(record.namenode.data(), "127.0.0.1:8020");
  EXPECT_STREQ(record.address.data(), "127.0.1.1");
  EXPECT_STREQ(record.rack.data(), "/r1");
  EXPECT_EQ(record.milli_vcores_of_all, 0) << "containers have quotas of their own alone";
  EXPECT_EQ(record.cpu_weights, 0);
}

TEST_F(AgentSessionTest, TellsItsLauncherHowContainersShareItsVcores) {
  give_launcher_state();
  session_number_ = session_number();
  wire::Welcome welcome = welcome_body();
  welcome.shares_vcores = true;
  welcome.cpu_enforcement = CpuEnforcement::weight;
  say(1, welcome);
  const launcher::SettingsRecord record = orders<SettingsOrder>().back().record;
  EXPECT_EQ(record.milli_vcores_of_all, 4'000);
  EXPECT_EQ(record.cpu_weights, 1);
}

// Its own job's alone; the run's key stays with the agent.
TEST_F(AgentSessionTest, GivesTasksThatShuffleTheTokenOfTheirJob) {
  give_launcher_state();
  session_number_ = session_number();
  EXPECT_EQ(session_.shuffle_key(), "");
  wire::Welcome welcome = welcome_body();
  welcome.shuffle_key = std::string(shuffle_key_bytes, 'k');
  say(1, welcome);
  EXPECT_EQ(session_.shuffle_key(), welcome.shuffle_key);
  wire::LaunchBatch batch;
  for (const std::uint32_t job : {3u, 4u}) {
    wire::Launch launch = launch_of(job);
    launch.work.shuffle_job = job;
    launch.work.map_output_length = 100;
    batch.launches.push_back(launch);
  }
  batch.launches.push_back(launch_of(9));
  say(2, batch);
  const std::vector<launcher::LaunchRecord> records = orders<LaunchOrder>().back().records;
  ASSERT_EQ(records.size(), 3u);
  const shuffle::RunKey key(
      std::as_bytes(std::span(welcome.shuffle_key)).first<shuffle::RunKey::size>());
  for (std::size_t i = 0; i < 2; ++i) {
    const shuffle::JobToken token = shuffle::job_token(key, static_cast<std::uint32_t>(3 + i));
    EXPECT_TRUE(
        std::equal(token.bytes().begin(), token.bytes().end(), records[i].shuffle_token.begin()));
  }
  EXPECT_EQ(records[2].shuffle_token, launcher::LaunchRecord().shuffle_token);
}

TEST_F(AgentSessionTest, TellsWhereItsShuffleServerListensAndHearsWhichJobsHaveEnded) {
  welcome();
  session_.set_shuffle_port(13'562);
  pass_in_steps(std::chrono::milliseconds(1));
  // At once, as the run may wait for it.
  session_.take(launcher::UsageRecord{1'000'000, 0, 0}, now());
  ASSERT_EQ(sent<wire::Heartbeat>().size(), 1u);
  EXPECT_EQ(sent<wire::Heartbeat>()[0].shuffle_port, 13'562);
  say(2, wire::HeartbeatAck{1, 0, {}, {JobId(3u), JobId(4u)}});
  say(3, wire::HeartbeatAck{1, 0, {}, {JobId(6u)}});
  EXPECT_EQ(session_.take_ended_jobs(), (std::vector<JobId>{JobId(3u), JobId(4u), JobId(6u)}));
  EXPECT_TRUE(session_.take_ended_jobs().empty());
}

TEST_F(AgentSessionTest, SendsHeartbeatsAtTheCoordinatorsPeriod) {
  welcome();
  for (int i = 0; i < 4; ++i) {
    pass(seconds(1));
    session_.take(
        launcher::UsageRecord{(i + 1) * std::int64_t{1'000'000'000}, (i + 1) * 500'000, 3 << 20},
        now());
    say(static_cast<std::uint64_t>(i) + 2, wire::HeartbeatAck{});
  }
  const auto heartbeats = sent<wire::Heartbeat>();
  ASSERT_EQ(heartbeats.size(), 4);
  EXPECT_EQ(heartbeats[0].used_memory_mib, 3);
  EXPECT_EQ(heartbeats[1].used_milli_vcores, 500);  // half a CPU second in each second
  EXPECT_EQ(sent_[0].envelope.sequence, 2) << "the Hello was the session's first";
  EXPECT_EQ(sent_[0].envelope.epoch, 3);
}

TEST_F(AgentSessionTest, TellsTheLatestProgressOfRunningTasksOnce) {
  welcome();
  session_.take(launcher::StartedRecord{7, 100, 0}, now());
  session_.take(launcher::StartedRecord{8, 101, 0}, now());
  const auto beat = [&](std::int64_t second) {
    pass(seconds(1));
    for (const std::uint32_t container : {7U, 8U, 9U}) {
      session_.take(launcher::ProgressRecord{container, container}, now());
    }
    session_.take(launcher::ProgressRecord{7, 70}, now());
    session_.take(launcher::UsageRecord{second * 1'000'000'000, 0, 0}, now());
    return sent<wire::Heartbeat>().back().progress;
  };
  EXPECT_EQ(beat(1), (std::vector<AttemptProgress>{{ContainerId(7u), 70}, {ContainerId(8u), 8}}))
      << "container 9 is none of its own";
  pass(seconds(1));
  session_.take(launcher::UsageRecord{2'000'000'000, 0, 0}, now());
  EXPECT_TRUE(sent<wire::Heartbeat>().back().progress.empty());
}

// Also when its launcher has begun anew.
TEST_F(AgentSessionTest, CountsItsContainersTimeAsItsOwn) {
  const auto usage = [](std::int64_t second, std::int64_t cpu_time_us) {
    return launcher::UsageRecord{second * 1'000'000'000, cpu_time_us, 0};
  };
  welcome();
  pass(seconds(1));
  session_.take(usage(1, 400), now());
  EXPECT_FALSE(sent<wire::Heartbeat>().at(0).processors) << "where the kernel does not tell";
  session_.set_processors({.busy_us = 50, .stolen_us = 2, .idle_us = 30, .own_us = 5});
  pass(seconds(1));
  session_.take(usage(2, 1'000), now());
  const wire::ProcessorSums sums{.busy_us = 50, .stolen_us = 2, .idle_us = 30, .own_us = 1'005};
  EXPECT_EQ(sent<wire::Heartbeat>().at(1).processors, sums);
  session_.lose_launcher(now());
  welcome();
  pass(seconds(1));
  session_.take(usage(1, 70), now());
  EXPECT_EQ(sent<wire::Heartbeat>().at(0).processors->own_us, 1'075);
}

// A launcher that is busy or stopped does not keep the agent from being heard of.
TEST_F(AgentSessionTest, SendsAHeartbeatWithoutTheLaunchersAnswerToo) {
  welcome();
  pass(seconds(1));
  EXPECT_THAT(sent<wire::Heartbeat>(), IsEmpty());
  pass(milliseconds(100));
  EXPECT_EQ(sent<wire::Heartbeat>().size(), 1);
}

TEST_F(AgentSessionTest, HandsLaunchesReleasesKillsAndCheckpointsOnInOrder) {
  welcome();
  say(2, wire::LaunchBatch{{launch_of(1), launch_of(2)}});
  say(3, wire::ContinueBatch{{ContainerId(2u)}});
  say(4, wire::KillBatch{{ContainerId(1u)}});
  say(5, wire::CheckpointBatch{{ContainerId(2u), ContainerId(9u)}});
  collect();
  ASSERT_EQ(orders_.size(), 4);
  EXPECT_EQ(std::get<LaunchOrder>(orders_[0]).records.size(), 2);
  EXPECT_THAT(std::get<ReleaseOrder>(orders_[1]).containers, ElementsAre(2));
  EXPECT_THAT(std::get<KillOrder>(orders_[2]).containers, ElementsAre(1));
  EXPECT_THAT(std::get<CheckpointOrder>(orders_[3]).containers, ElementsAre(2, 9));
}

TEST_F(AgentSessionTest, DropsRepeatsAndWhatIsNotMeantForIt) {
  welcome();
  say(2, wire::LaunchBatch{{launch_of(1)}});
  say(2, wire::LaunchBatch{{launch_of(1)}});
  session_.take(wire::Message{{"other", 3, session_number_, 3}, wire::KillBatch{}}, now());
  session_.take(wire::Message{{"run", 4, session_number_, 3}, wire::KillBatch{}}, now());
  session_.take(wire::Message{{"run", 3, session_number_ - 1, 3}, wire::KillBatch{}}, now());
  say(3, wire::Goodbye{"not the coordinator's to say"});
  EXPECT_EQ(orders<LaunchOrder>().size(), 1);
  EXPECT_THAT(orders<KillOrder>(), IsEmpty());
  EXPECT_EQ(session_.counters().repeats, 1);
  EXPECT_EQ(session_.counters().misplaced, 4);
  EXPECT_FALSE(session_.end());
}

TEST_F(AgentSessionTest, RepeatsExitsUntilTheyAreAcknowledged) {
  welcome();
  session_.take(exit_of(1, 10), now());
  session_.take(exit_of(2, 11), now());
  session_.take(exit_of(2, 11), now());  // told again by a launcher it connected to again
  pass_in_steps(milliseconds(1'100));
  ASSERT_EQ(sent<wire::Heartbeat>().size(), 1);
  EXPECT_EQ(sent<wire::Heartbeat>()[0].exits.size(), 2);
  say(2, wire::HeartbeatAck{2, 10});
  EXPECT_EQ(orders<AcknowledgeOrder>().at(0).exits_up_to, 10);
  pass_in_steps(seconds(1));
  const auto heartbeats = sent<wire::Heartbeat>();
  ASSERT_EQ(heartbeats.size(), 2);
  ASSERT_EQ(heartbeats[1].exits.size(), 1);
  EXPECT_EQ(heartbeats[1].exits[0].sequence, 11);
  say(3, wire::HeartbeatAck{3, 9});  // an old one
  EXPECT_EQ(orders<AcknowledgeOrder>().size(), 1);
}

TEST_F(AgentSessionTest, TellsAnExitAtOnceIfTheCoordinatorWantsThat) {
  give_launcher_state();
  session_number_ = session_number();
  wire::Welcome body = welcome_body();
  body.out_of_band_heartbeat = true;
  say(1, body);
  session_.take(exit_of(1, 10), now());
  EXPECT_LE(session_.next_tick(), now().steady);
  session_.tick(now());
  const auto heartbeats = sent<wire::Heartbeat>();
  ASSERT_EQ(heartbeats.size(), 1);
  EXPECT_EQ(heartbeats[0].exits.size(), 1);
}

TEST_F(AgentSessionTest, SaysHelloWithAllItKnowsWhenAMessageIsMissing) {
  welcome();
  say(2, wire::LaunchBatch{{launch_of(1), launch_of(2)}});
  session_.take(exit_of(2, 10), now());
  say(4, wire::HeartbeatAck{});  // 3 is lost
  const auto hellos = sent<wire::Hello>();
  ASSERT_EQ(hellos.size(), 1);
  EXPECT_THAT(hellos[0].running, ElementsAre(ContainerId(1u)));
  ASSERT_EQ(hellos[0].exits.size(), 1);
  EXPECT_GT(session_number(), session_number_);
  EXPECT_FALSE(session_.is_welcome());
}

TEST_F(AgentSessionTest, EndsItsContainersOnlyWhenTheCoordinatorIsGoneForTheGrace) {
  welcome();
  say(2, wire::LaunchBatch{{launch_of(7)}});
  forget();
  pass_in_steps(milliseconds(4'999));
  EXPECT_TRUE(session_.is_welcome());
  pass_in_steps(milliseconds(2));  // 5 s of silence
  EXPECT_EQ(sent<wire::Hello>().size(), 1);
  pass_in_steps(milliseconds(19'990));
  EXPECT_THAT(orders<KillOrder>(), IsEmpty());
  pass_in_steps(milliseconds(20));  // and 20 s of grace
  ASSERT_EQ(orders<KillOrder>().size(), 1);
  EXPECT_THAT(orders<KillOrder>()[0].containers, ElementsAre(7));
  EXPECT_GT(sent<wire::Hello>().size(), 3) << "it goes on calling";
  pass_in_steps(seconds(60));
  EXPECT_EQ(orders<KillOrder>().size(), 1);
}

TEST_F(AgentSessionTest, AfterItsLauncherDiedTellsThatNothingRuns) {
  welcome();
  say(2, wire::LaunchBatch{{launch_of(7)}});
  session_.lose_launcher(now());
  forget();
  pass_in_steps(seconds(60));
  EXPECT_THAT(sent<wire::Hello>(), IsEmpty());
  give_launcher_state();
  ASSERT_EQ(sent<wire::Hello>().size(), 1);
  EXPECT_THAT(sent<wire::Hello>()[0].running, IsEmpty());
}

TEST_F(AgentSessionTest, EndsOnShutdownAndOnRefusal) {
  give_launcher_state();
  session_number_ = session_number();
  say(1, wire::Refuse{1, 1, "no such machine"});
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->kind, End::Kind::refused);
  EXPECT_EQ(session_.end()->reason, "no such machine");

  AgentSession other(
      {.run = "run", .name = "n", .rack = "/r", .labels = {}, .capacity = {}, .address = ""});
  other.take(launcher::StateRecord{launcher::Isolation::none}, now());
  const std::uint64_t number = other.take_messages().at(0).envelope.session;
  other.take(wire::Message{{"run", 1, number, 1}, welcome_body()}, now());
  other.take(wire::Message{{"run", 1, number, 2}, wire::Shutdown{"done"}}, now());
  EXPECT_EQ(other.end()->kind, End::Kind::run_over);
}

}  // namespace
}  // namespace tracebed::agent
