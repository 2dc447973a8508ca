#include "coordinator/real/agent_roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/real/real_fleet.h"
#include "coordinator/real/scripted_agent.h"
#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const auto go_on = [] {};

class AgentRosterTest : public ::testing::Test {
 protected:
  static wire::Hello hello_of(const ScriptedAgent& agent, const std::string& host) {
    wire::Hello hello = agent.hello();
    hello.host = host;
    return hello;
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;  // of the roster's thread, before it answers
  AgentRoster roster_{"ipc://" + folder_.file("agents"), std::nullopt,
                      [this](const std::string& message) { warnings_.push_back(message); }};
};

TEST_F(AgentRosterTest, RegistersAgentsAndAnswersTheirHeartbeats) {
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  agent.send_hello();
  const wire::WallTime sent = agent.expect<wire::Welcome>().sent;
  wire::Heartbeat heartbeat;
  heartbeat.wall_clock = std::chrono::system_clock::now() + 5s;
  heartbeat.echo = {sent, heartbeat.wall_clock};
  agent.send(heartbeat);
  EXPECT_EQ(agent.expect<wire::HeartbeatAck>().heartbeat, 2u);
  const auto machines = roster_.wait_for({1, timeout}, go_on);
  ASSERT_THAT(machines, SizeIs(1));
  EXPECT_EQ(machines[0].name, "lab1");
  EXPECT_EQ(machines[0].capacity, Resources(4'000, 4'096));
  const ClockOffset clock = roster_.state().members.at(0).clock;
  ASSERT_TRUE(clock.uncertainty());
  EXPECT_LE(std::chrono::abs(clock.ahead() - 5s), *clock.uncertainty());
  EXPECT_THAT(warnings_, testing::Contains(HasSubstr("the clock of agent lab1 is ")));
}

// Sessions are numbered by the agent's clock.
TEST_F(AgentRosterTest, TakesAnAgentBackWhoseClockWasSetBack) {
  ScriptedAgent before(roster_.endpoint(), wire::no_run, "lab1");
  before.start_sessions_at(500);
  before.send_hello();
  before.expect<wire::Welcome>();
  before.send(wire::Goodbye{"its machine restarts"});
  EXPECT_TRUE(eventually([&] { return !roster_.state().members.at(0).is_alive; }));
  ScriptedAgent after(roster_.endpoint(), wire::no_run, "lab1");
  after.start_sessions_at(100);
  after.send_hello();
  after.expect<wire::Welcome>();
}

TEST_F(AgentRosterTest, TellsHowManyAreMissing) {
  EXPECT_THAT(
      [&] {
        roster_.wait_for({2, 1ms}, go_on);
      },
      ::testing::ThrowsMessage<EnvironmentError>(
          HasSubstr("expected at least 2 agents to register")));
}

TEST_F(AgentRosterTest, RefusesAnotherVersionNamingBoth) {
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  wire::Hello hello = agent.hello();
  hello.protocol_version = 99;
  hello.software = "7.5.0";
  agent.send_hello(hello);
  const auto refuse = agent.expect<wire::Refuse>();
  EXPECT_THAT(refuse.reason, HasSubstr("runs Tracebed 7.5.0 with protocol version 99"));
  EXPECT_THAT(refuse.reason, HasSubstr(" with version " + std::to_string(wire::protocol_version)));
}

TEST_F(AgentRosterTest, RefusesASecondMachineOfOneNameButNotTheFirstAgain) {
  ScriptedAgent first(roster_.endpoint(), wire::no_run, "lab1");
  first.send_hello(hello_of(first, "machine-1"));
  first.expect<wire::Welcome>();
  ScriptedAgent second(roster_.endpoint(), wire::no_run, "lab1");
  second.start_sessions_at(500);
  second.send_hello(hello_of(second, "machine-2"));
  EXPECT_THAT(second.expect<wire::Refuse>().reason, HasSubstr("another machine, at 127.0.1.1"));
  ScriptedAgent again(roster_.endpoint(), wire::no_run, "lab1");
  again.start_sessions_at(600);
  again.send_hello(hello_of(again, "machine-1"));
  again.expect<wire::Welcome>();
  EXPECT_EQ(roster_.state().agents_refused, 1u);
}

TEST_F(AgentRosterTest, EndsTheRunOfAnAgentWhoseCoordinatorIsNoMore) {
  ScriptedAgent agent(roster_.endpoint(), "run-of-yesterday", "lab1");
  agent.send_hello();
  EXPECT_EQ(agent.expect<wire::Shutdown>().reason, "that run is over");
}

// What a run does: borrow, serve, end; then the next.
TEST_F(AgentRosterTest, LendsItsAgentsToOneRunAfterTheOther) {
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  agent.send_hello();
  agent.expect<wire::Welcome>();
  const auto machines = roster_.wait_for({1, timeout}, go_on);
  for (const std::string run : {"run-1", "run-2"}) {
    {
      AgentRoster::Loan loan(roster_);
      EXPECT_TRUE(roster_.state().is_lent);
      RealFleet fleet(
          {.run = run, .silence_max = timeout}, machines, [](const std::string&) {}, loan.socket());
      EXPECT_EQ(agent.expect<wire::Shutdown>().reason, "a run begins");
      agent.send_hello();
      fleet.wait_for_agents(timeout, go_on);
      agent.serve(run);
      agent.expect<wire::Welcome>();
      fleet.announce_end("done");
      agent.expect<wire::Shutdown>();
      agent.send(wire::Goodbye{"its run is over"});
      agent.serve(wire::no_run);
      agent.send_hello();  // while the fleet still has the socket, which keeps it for the roster
      EXPECT_TRUE(fleet.wait_for_goodbyes(timeout));
    }
    agent.expect<wire::Welcome>();
  }
  EXPECT_TRUE(roster_.state().members.at(0).is_alive);
}

AgentRecord connected(const std::string& agent, WallMoment contact_at) {
  AgentRecord record;
  record.machine.name = agent;
  record.is_connected = true;
  record.contact_at = contact_at;
  return record;
}

// Silence counts from an agent's last message, whoever had the socket then.
TEST_F(AgentRosterTest, AnAgentThatDiedInARunIsLostSoonAfterIt) {
  ScriptedAgent dead(roster_.endpoint(), wire::no_run, "dead");
  ScriptedAgent alive(roster_.endpoint(), wire::no_run, "alive");
  for (ScriptedAgent* agent : {&dead, &alive}) {
    agent->send_hello();
    agent->expect<wire::Welcome>();
  }
  const WallMoment now = std::chrono::steady_clock::now();
  const WallMoment died = now - 300s;
  {
    AgentRoster::Loan loan(roster_);
    roster_.note(std::vector{connected("dead", died), connected("alive", now)});
    EXPECT_EQ(roster_.state().members.at(1).last_contact, died);
    EXPECT_TRUE(roster_.state().members.at(1).is_alive) << "the run has not given it up";
  }
  const AgentRoster::State after = roster_.state();
  EXPECT_EQ(after.members.at(0).last_contact, now);
  EXPECT_EQ(after.members.at(1).last_contact, died) << "the run's end is no message";
  EXPECT_TRUE(eventually([&] { return !roster_.state().members.at(1).is_alive; }));
  EXPECT_EQ(roster_.state().members.at(1).last_contact, died);
}

TEST(LastContact, LeavesTimeToReturnAfterARunAndNoMore) {
  const WallMoment begin = std::chrono::steady_clock::now();
  ListeningClock listening(1h, begin);
  LastContact silent;
  silent.note_of_run(begin - 300s);
  LastContact there;
  there.note_of_run(begin);
  silent.begin_again(listening);
  there.begin_again(listening);
  const auto is_lost = [&](const LastContact& contact, WallDuration after) {
    ListeningClock later = listening;
    later.look(begin + after);
    return contact.is_silent_for(roster_silence_max, later);
  };
  EXPECT_FALSE(is_lost(silent, roster_return_time - 1ms));
  EXPECT_TRUE(is_lost(silent, roster_return_time));
  EXPECT_FALSE(is_lost(there, roster_silence_max - 100ms));
  EXPECT_TRUE(is_lost(there, roster_silence_max));
}

TEST_F(AgentRosterTest, SaysThatAnAgentIsAcceptedThatItRejected) {
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  wire::Hello other = agent.hello();
  other.protocol_version = 99;
  agent.send_hello(other);
  agent.expect<wire::Refuse>();
  agent.send_hello();
  agent.expect<wire::Welcome>();
  EXPECT_THAT(warnings_, testing::ElementsAre(HasSubstr("agent lab1 was rejected"),
                                              HasSubstr("agent lab1 is accepted")));
}

TEST(RouterKeys, LetInWhomTheyKnowAndNobodyElse) {
  const KeyPair own = make_key_pair();
  const KeyPair known = make_key_pair();
  const KeyPair unknown = make_key_pair();
  AgentRoster roster("tcp://127.0.0.1:*", RouterKeys{own, {{known.public_key, "lab1"}}},
                     [](const std::string&) {});
  ScriptedAgent stranger(roster.endpoint(), wire::no_run, "lab1", unknown, own.public_key);
  stranger.send_hello();
  ScriptedAgent liar(roster.endpoint(), wire::no_run, "lab2", known, own.public_key);
  liar.send_hello();
  EXPECT_THAT(liar.expect<wire::Refuse>().reason,
              HasSubstr("its name is lab2, but its key is that of lab1"));
  ScriptedAgent agent(roster.endpoint(), wire::no_run, "lab1", known, own.public_key);
  agent.send_hello();
  agent.expect<wire::Welcome>();
  EXPECT_TRUE(eventually([&] { return roster.state().keys_refused > 0; }));
  EXPECT_THAT(roster.state().members, SizeIs(1));
}

TEST(RouterKeys, KeepOneAgentFromSpeakingForAnother) {
  const KeyPair own = make_key_pair();
  const KeyPair first_keys = make_key_pair();
  const KeyPair second_keys = make_key_pair();
  AgentRoster roster(
      "tcp://127.0.0.1:*",
      RouterKeys{own, {{first_keys.public_key, "lab1"}, {second_keys.public_key, "lab2"}}},
      [](const std::string&) {});
  ScriptedAgent first(roster.endpoint(), wire::no_run, "lab1", first_keys, own.public_key);
  first.send_hello();
  first.expect<wire::Welcome>();
  ScriptedAgent second(roster.endpoint(), wire::no_run, "lab2", second_keys, own.public_key);
  // The session of the first, as if it had been guessed.
  second.send_as({wire::no_run, first.epoch(), first.session(), 50}, wire::Goodbye{"not mine"});
  second.start_sessions_at(700);
  second.send_hello();
  second.expect<wire::Welcome>();  // so that the forged one has come, too
  for (const RosterMember& member : roster.state().members) EXPECT_TRUE(member.is_alive);
}

TEST(RouterKeys, ThatAreWithdrawnAreNotHeardAnyMore) {
  const KeyPair own = make_key_pair();
  const KeyPair keys = make_key_pair();
  AgentRoster roster("tcp://127.0.0.1:*", RouterKeys{own, {{keys.public_key, "lab1"}}},
                     [](const std::string&) {});
  ScriptedAgent agent(roster.endpoint(), wire::no_run, "lab1", keys, own.public_key);
  agent.send_hello();
  agent.expect<wire::Welcome>();
  // Another pair of the same agent does not make the old one known.
  roster.know({{make_key_pair().public_key, "lab1"}});
  wire::Refuse refusal;
  ASSERT_TRUE(eventually([&] {
    agent.send_hello();
    const auto answer = agent.next();
    if (answer && std::holds_alternative<wire::Refuse>(*answer)) {
      refusal = std::get<wire::Refuse>(*answer);
    }
    return !refusal.reason.empty();
  }));
  EXPECT_EQ(refusal.reason, "its key is no longer known");
  AgentRoster::Loan loan(roster);
  roster.know({{keys.public_key, "lab1"}});
  roster.note({});  // whoever has the socket takes keys up
  agent.send_hello();
  ASSERT_EQ(loan.socket().wait_until(std::chrono::steady_clock::now() + timeout),
            RouterSocket::Wait::message);
  RouterSocket::Received received;
  ASSERT_TRUE(loan.socket().receive(received));
  EXPECT_EQ(received.user, "lab1");
}

TEST(RouterKeys, OfAMasterAreNoAgents) {
  const KeyPair own = make_key_pair();
  const KeyPair agent_keys = make_key_pair();
  const KeyPair master_keys = make_key_pair();
  AgentRoster roster("tcp://127.0.0.1:*", RouterKeys{own, {{agent_keys.public_key, "lab1"}}},
                     [](const std::string&) {});
  {
    AgentRoster::Loan loan(roster);
    loan.socket().admit(master_keys.public_key, master_user_of(7));
  }
  ScriptedAgent liar(roster.endpoint(), wire::no_run, master_user, master_keys, own.public_key);
  liar.send_hello();
  EXPECT_THAT(liar.expect<wire::Refuse>().reason, HasSubstr("its key is that of a master"));
  AgentRoster::Loan loan(roster);
  loan.socket().forget(master_keys.public_key);
}

TEST_F(AgentRosterTest, PassesOnWhatAgentsHaveLogged) {
  std::mutex mutex;
  std::vector<std::string> heard;
  roster_.log_to([&](const std::string& agent, const wire::LogLines& log) {
    const std::lock_guard lock(mutex);
    for (const wire::LogLine& line : log.lines) heard.push_back(agent + ": " + line.text);
  });
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  agent.send_as({wire::no_run, 1, 9, 1}, wire::LogLines{{{{}, {}, "nobody's"}}, 0});
  agent.send_hello();
  agent.expect<wire::Welcome>();
  agent.send(wire::LogLines{{{{}, {}, "a word"}}, 0});
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !heard.empty();
  }));
  const std::lock_guard lock(mutex);
  EXPECT_THAT(heard, ::testing::ElementsAre("lab1: a word"));
}

TEST_F(AgentRosterTest, KnowsDuringARunWhatTheRunKnows) {
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  agent.send_hello();
  agent.expect<wire::Welcome>();
  {
    AgentRoster::Loan loan(roster_);
    std::vector<AgentRecord> agents(2);
    agents[0].machine.name = "lab1";
    agents[0].is_connected = true;
    agents[0].address = "10.0.0.9";
    agents[0].containers[ContainerId(4u)] = {};
    agents[1].machine.name = "stranger";
    roster_.note(agents);
    const auto members = roster_.state().members;
    ASSERT_THAT(members, SizeIs(1));
    EXPECT_TRUE(members[0].is_alive);
    EXPECT_EQ(members[0].containers, 1u);
    EXPECT_EQ(members[0].address, "10.0.0.9");
    agents[0].is_connected = false;
    roster_.note(agents);
    EXPECT_FALSE(roster_.state().members[0].is_alive);
  }
  EXPECT_EQ(roster_.state().members[0].containers, 0u);
}

TEST(RouterKeys, AreNeededWhereOthersCanConnect) {
  EXPECT_THROW(RouterSocket("tcp://0.0.0.0:*"), InputError);
  EXPECT_THROW(RouterSocket("tcp://127.0.0.1:*"), InputError);
  EXPECT_NO_THROW(RouterSocket("tcp://0.0.0.0:*", RouterKeys{make_key_pair(), {}}));
}

TEST_F(AgentRosterTest, AnAgentWithoutItsLauncherCountsForNoRunAndIsNamed) {
  ScriptedAgent whole(roster_.endpoint(), wire::no_run, "lab1");
  whole.send_hello();
  whole.expect<wire::Welcome>();
  ScriptedAgent lacking(roster_.endpoint(), wire::no_run, "lab2");
  wire::Hello hello = lacking.hello();
  hello.has_launcher = false;
  lacking.send_hello(hello);
  lacking.expect<wire::Welcome>();
  EXPECT_THAT(roster_.wait_for({1, timeout}, go_on), SizeIs(1));
  EXPECT_THAT(
      [&] {
        roster_.wait_for({2, 1ms}, go_on);
      },
      testing::ThrowsMessage<EnvironmentError>(HasSubstr("agent lab2 has no launcher")));
  EXPECT_TRUE(roster_.state().members.at(1).is_alive);
  EXPECT_FALSE(roster_.state().members.at(1).has_launcher);
  lacking.send_hello();
  lacking.expect<wire::Welcome>();
  EXPECT_THAT(roster_.wait_for({2, timeout}, go_on), SizeIs(2));
  EXPECT_THAT(warnings_, testing::ElementsAre("agent lab2 has no launcher",
                                              "agent lab2 is connected to its launcher again"));
}

TEST_F(AgentRosterTest, AnAgentThatKeepsNoOutputsCountsForNoRunWithAShuffleAndIsNamed) {
  ScriptedAgent keeper(roster_.endpoint(), wire::no_run, "lab1");
  wire::Hello hello = keeper.hello();
  hello.keeps_outputs = true;
  keeper.send_hello(hello);
  keeper.expect<wire::Welcome>();
  ScriptedAgent other(roster_.endpoint(), wire::no_run, "lab2");
  other.send_hello();
  other.expect<wire::Welcome>();
  EXPECT_THAT(roster_.wait_for({2, timeout}, go_on), SizeIs(2));
  const auto machines = roster_.wait_for({1, timeout, /*keep_outputs=*/true}, go_on);
  ASSERT_THAT(machines, SizeIs(1));
  EXPECT_EQ(machines[0].name, "lab1");
  EXPECT_THAT(roster_.without_outputs(), testing::ElementsAre("lab2"));
  EXPECT_THAT(
      [&] {
        roster_.wait_for({2, 1ms, /*keep_outputs=*/true}, go_on);
      },
      testing::ThrowsMessage<EnvironmentError>(
          HasSubstr("got 1: lab1; agent lab2 has no [shuffle] in its agent.toml")));
  ASSERT_TRUE(roster_.set_drained("lab2", true));
  EXPECT_THAT(roster_.without_outputs(), IsEmpty()) << "it is left out anyway";
}

TEST_F(AgentRosterTest, ADrainedAgentStaysSoOverARestartUntilItIsBroughtBack) {
  const std::filesystem::path file = folder_.file("drained");
  roster_.keep_drained_in(file);
  EXPECT_FALSE(roster_.set_drained("lab1", true));  // nobody of that name has registered
  ScriptedAgent agent(roster_.endpoint(), wire::no_run, "lab1");
  agent.send_hello();
  agent.expect<wire::Welcome>();
  ASSERT_TRUE(roster_.set_drained("lab1", true));
  EXPECT_THAT(
      [&] {
        roster_.wait_for({1, 1ms}, go_on);
      },
      testing::ThrowsMessage<EnvironmentError>(HasSubstr("agent lab1 is drained")));

  AgentRoster later("ipc://" + folder_.file("later"), std::nullopt, [](const std::string&) {});
  later.keep_drained_in(file);
  ScriptedAgent again(later.endpoint(), wire::no_run, "lab1");
  again.send_hello();
  again.expect<wire::Welcome>();
  EXPECT_TRUE(later.state().members.at(0).is_drained);
  EXPECT_TRUE(later.set_drained("lab1", false));
  EXPECT_THAT(later.wait_for({1, timeout}, go_on), SizeIs(1));

  folder_.write("drained", "lab1\na name\n");
  EXPECT_THAT([&] { later.keep_drained_in(file); },
              testing::ThrowsMessage<InputError>(HasSubstr("drained:2: expected")));
}

TEST_F(AgentRosterTest, WhoHasNoKeyAnyMoreIsNoAgentAnyMore) {
  const KeyPair own = make_key_pair();
  const KeyPair agent_keys = make_key_pair();
  AgentRoster roster("tcp://127.0.0.1:*", RouterKeys{own, {{agent_keys.public_key, "lab1"}}},
                     [](const std::string&) {});
  ScriptedAgent agent(roster.endpoint(), wire::no_run, "lab1", agent_keys, own.public_key);
  agent.send_hello();
  agent.expect<wire::Welcome>();
  roster.know({{agent_keys.public_key, "lab2"}});
  EXPECT_TRUE(eventually([&] { return roster.state().members.empty(); }));
}

}  // namespace
}  // namespace tracebed::test
