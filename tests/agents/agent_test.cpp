// tracebed-agent with its launcher and tasks as real processes, and this test as the coordinator.
#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <zmq.hpp>

#include "agents/launcher_process.h"
#include "core/exit_codes.h"
#include "protocol/wire_codec.h"
#include "support/link_ends.h"

namespace tracebed {
namespace {

using launcher::cgroups_of_run;
using launcher::processes_of;
using launcher::processes_of_run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Coordinator {
 public:
  Coordinator() : socket_(context_, zmq::socket_type::router) {
    socket_.set(zmq::sockopt::linger, 0);
    link_.secure(socket_);
    socket_.bind("tcp://127.0.0.1:*");
  }
  FileDescriptor pipe_for_agent() const { return link_.pipe_for_agent(endpoint()); }
  std::string endpoint() const { return socket_.get(zmq::sockopt::last_endpoint); }

  // The next message with this body, others passed over; a test failure after `timeout`.
  template <class Body>
  Body next() {
    Body body;
    const bool found = eventually([&] {
      zmq::message_t peer;
      zmq::message_t payload;
      if (!socket_.recv(peer, zmq::recv_flags::dontwait)) return false;
      static_cast<void>(socket_.recv(payload));
      peer_ = peer.to_string();
      peer_address_ = payload.gets("Peer-Address");
      const auto message =
          wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
      EXPECT_TRUE(message) << message.error().message;
      envelope_ = message->envelope;
      if (!std::holds_alternative<Body>(message->body)) return false;
      body = std::get<Body>(message->body);
      return true;
    });
    EXPECT_TRUE(found) << "the agent did not say it";
    return body;
  }
  // Waits for the exit of a container in any heartbeat.
  wire::ContainerExit next_exit(ContainerId container) {
    wire::ContainerExit found;
    EXPECT_TRUE(eventually([&] {
      for (const wire::ContainerExit& exit : next<wire::Heartbeat>().exits) {
        if (exit.container == container) found = exit;
      }
      return found.container == container;
    })) << "no exit of container "
        << container.value();
    return found;
  }

  wire::Hello welcome(std::chrono::milliseconds orphan_grace = std::chrono::seconds(60)) {
    const auto hello = next<wire::Hello>();
    sequence_ = 0;
    wire::Welcome body;
    body.heartbeat_period = std::chrono::milliseconds(20);
    body.out_of_band_heartbeat = true;
    body.silence_max = timeout;
    body.orphan_grace = orphan_grace;
    say(body);
    return hello;
  }
  void say(wire::Body body) {
    const wire::Message message{{envelope_.run, 1, envelope_.session, ++sequence_},
                                std::move(body)};
    const auto bytes = encoder_.encode(message);
    send_raw(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void send_raw(const std::string& bytes) {
    static_cast<void>(socket_.send(zmq::buffer(peer_), zmq::send_flags::sndmore));
    static_cast<void>(socket_.send(zmq::buffer(bytes), zmq::send_flags::none));
  }
  const std::string& peer_address() const { return peer_address_; }

 private:
  const test::LinkEnds link_;
  zmq::context_t context_;
  zmq::socket_t socket_;
  wire::Encoder encoder_;
  std::string peer_;
  std::string peer_address_;
  wire::Envelope envelope_;
  std::uint64_t sequence_ = 0;
};

class AgentTest : public testing::Test {
 protected:
  void start(std::vector<std::string> more = {}) {
    launcher::DescriptorPair lifeline = launcher::pipe_pair();
    lifeline_ = std::move(lifeline.second);
    std::vector<std::string> arguments = {
        "--run",          run_,
        "--name",         "node1",
        "--rack",         "/r1",
        "--label",        "ssd",
        "--label",        "gpu",
        "--address",      "127.0.1.9",
        "--milli-vcores", "2000",
        "--memory-mib",   "512",
        "--lifeline-fd",  std::to_string(lifeline.first.number())};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const FileDescriptor link = coordinator_.pipe_for_agent();
    agent_ = launcher::spawn(TRACEBED_AGENT, arguments, {lifeline.first.number()}, link.number());
  }
  void TearDown() override {
    lifeline_.reset();
    if (agent_ > 0) launcher::wait_for_end(agent_);
    expect_nothing_left();
  }
  void expect_nothing_left() {
    EXPECT_TRUE(eventually([&] { return cgroups_of_run(run_).empty(); }));
    EXPECT_TRUE(eventually([&] { return processes_of_run(run_).empty(); }));
  }
  int wait_for_agent() { return launcher::wait_for_end(std::exchange(agent_, -1)); }

  static wire::Launch launch_of(std::uint32_t container, std::chrono::milliseconds duration) {
    wire::Launch launch;
    launch.container = ContainerId(container);
    launch.limits = Resources(1'000, 64);
    launch.work.duration = duration;
    launch.work.cpu_time = std::min<Duration>(duration, milliseconds(50));
    launch.work.memory_mib = 16;
    return launch;
  }
  void launch(std::uint32_t container, std::chrono::milliseconds duration) {
    coordinator_.say(wire::LaunchBatch{{launch_of(container, duration)}});
  }
  // A process of the run that executes this program; waits until there is one.
  pid_t wait_for_process(const std::string& program) {
    pid_t found = -1;
    EXPECT_TRUE(eventually([&] {
      const std::vector<pid_t> of_program = processes_of(program);
      for (const pid_t process : processes_of_run(run_)) {
        if (std::count(of_program.begin(), of_program.end(), process) > 0) found = process;
      }
      return found > 0;
    }));
    return found;
  }
  void wait_for_task() { wait_for_process(TRACEBED_TASK); }

  const std::string run_ = "agent-test-" + std::to_string(getpid());
  Coordinator coordinator_;
  FileDescriptor lifeline_;
  pid_t agent_ = -1;
};

constexpr auto long_time = std::chrono::milliseconds(60'000);

TEST_F(AgentTest, RegistersFromItsOwnAddressAndRunsATask) {
  start();
  const wire::Hello hello = coordinator_.welcome();
  EXPECT_EQ(hello.agent, "node1");
  EXPECT_EQ(hello.rack, "/r1");
  EXPECT_THAT(hello.labels, ElementsAre("ssd", "gpu"));
  EXPECT_EQ(hello.capacity, Resources(2'000, 512));
  EXPECT_NE(hello.isolation, wire::Isolation::none);
  EXPECT_EQ(hello.address, "127.0.1.9");
  EXPECT_EQ(coordinator_.peer_address(), "127.0.1.9");

  launch(5, std::chrono::milliseconds(100));
  const wire::ContainerExit exit = coordinator_.next_exit(ContainerId(5u));
  EXPECT_EQ(exit.end, ContainerEnd::succeeded);
  EXPECT_GE(exit.cpu_time, std::chrono::milliseconds(50));
  EXPECT_GE(exit.ended - exit.started, std::chrono::milliseconds(80));
  EXPECT_GT(exit.memory_peak_bytes, 12 << 20);
  coordinator_.say(wire::HeartbeatAck{0, exit.sequence});
  EXPECT_TRUE(eventually([&] { return coordinator_.next<wire::Heartbeat>().exits.empty(); }));
}

TEST_F(AgentTest, HeartbeatsCarryTheMeasuredUse) {
  start();
  coordinator_.welcome();
  wire::Launch busy = launch_of(1, long_time);
  busy.work.cpu_time = busy.work.duration;
  busy.work.memory_mib = 48;
  coordinator_.say(wire::LaunchBatch{{busy}});
  EXPECT_TRUE(eventually([&] {
    const auto heartbeat = coordinator_.next<wire::Heartbeat>();
    return heartbeat.used_milli_vcores > 200 && heartbeat.used_memory_mib >= 45;
  }));
}

TEST_F(AgentTest, HoldsContinuesAndKills) {
  start();
  coordinator_.welcome();
  wire::Launch held = launch_of(1, std::chrono::milliseconds(10));
  held.is_held = true;
  wire::Launch killed = launch_of(2, long_time);
  coordinator_.say(wire::LaunchBatch{{held, killed}});
  coordinator_.say(wire::KillBatch{{ContainerId(2u)}});
  EXPECT_EQ(coordinator_.next_exit(ContainerId(2u)).end, ContainerEnd::killed);
  coordinator_.say(wire::ContinueBatch{{ContainerId(1u)}});
  EXPECT_EQ(coordinator_.next_exit(ContainerId(1u)).end, ContainerEnd::succeeded);
}

TEST_F(AgentTest, TellsTheProgressOfTasksThatWereCheckpointed) {
  start();
  coordinator_.welcome();
  wire::Launch held = launch_of(1, long_time);
  held.is_held = true;
  wire::Launch running = launch_of(2, std::chrono::seconds(60));
  running.work.cpu_time = seconds(30);
  coordinator_.say(wire::LaunchBatch{{held, running}});
  // Until it has burned two seconds, a heartbeat coming every 20 ms: to start a program takes half
  // a second under User Mode Linux on a busy machine.
  std::int64_t used = 0;
  EXPECT_TRUE(eventually([&] {
    used += coordinator_.next<wire::Heartbeat>().used_milli_vcores;
    return used > 100'000;
  }));
  coordinator_.say(wire::CheckpointBatch{{ContainerId(1u), ContainerId(2u), ContainerId(3u)}});
  coordinator_.say(wire::CheckpointBatch{{ContainerId(2u)}});
  const wire::ContainerExit unbegun = coordinator_.next_exit(ContainerId(1u));
  EXPECT_EQ(unbegun.end, ContainerEnd::checkpointed);
  EXPECT_EQ(unbegun.progress, 0u);
  // Those of one agent are told together until they are acknowledged.
  const wire::ContainerExit begun = coordinator_.next_exit(ContainerId(2u));
  EXPECT_EQ(begun.end, ContainerEnd::checkpointed);
  EXPECT_LT(begun.progress, whole_work / 2) << "half a minute has not passed";
  EXPECT_GT(begun.progress, 0u);
}

TEST_F(AgentTest, DropsGarbageAndGoesOn) {
  start();
  coordinator_.welcome();
  coordinator_.send_raw("garbage");
  coordinator_.send_raw(std::string(wire::message_bytes_max + 1, 'x'));
  launch(1, std::chrono::milliseconds(1));
  EXPECT_EQ(coordinator_.next_exit(ContainerId(1u)).end, ContainerEnd::succeeded);
}

TEST_F(AgentTest, EndsEverythingOnShutdown) {
  start();
  coordinator_.welcome();
  launch(1, long_time);
  wait_for_task();
  coordinator_.say(wire::Shutdown{"over"});
  EXPECT_EQ(coordinator_.next<wire::Goodbye>().reason, "the run is over: over");
  EXPECT_TRUE(cgroups_of_run(run_).empty()) << "before its goodbye";
  EXPECT_EQ(wait_for_agent(), 0);
  expect_nothing_left();
}

TEST_F(AgentTest, SaysGoodbyeWhenInterrupted) {
  start();
  coordinator_.welcome();
  launch(1, long_time);
  wait_for_task();
  kill(agent_, SIGINT);
  EXPECT_EQ(coordinator_.next<wire::Goodbye>().reason, "interrupted");
  EXPECT_EQ(wait_for_agent(), 0);
  expect_nothing_left();
}

TEST_F(AgentTest, EndsWithARefusal) {
  start();
  coordinator_.next<wire::Hello>();
  coordinator_.say(wire::Refuse{1, 1, "no machine of this run has its name"});
  EXPECT_EQ(WEXITSTATUS(wait_for_agent()), 1);
}

TEST_F(AgentTest, ACutLifelineEndsEverything) {
  start();
  coordinator_.welcome();
  launch(1, long_time);
  wait_for_task();
  lifeline_.reset();
  EXPECT_EQ(wait_for_agent(), 0);
  expect_nothing_left();
}

TEST_F(AgentTest, KilledByForceItLeavesNothing) {
  start();
  coordinator_.welcome();
  launch(1, long_time);
  wait_for_task();
  kill(agent_, SIGKILL);
  wait_for_agent();
  expect_nothing_left();
}

// Its containers die with the launcher; another takes its place, and the Hello tells that nothing
// runs.
TEST_F(AgentTest, ReplacesALauncherThatWasKilled) {
  start();
  coordinator_.welcome();
  launch(1, long_time);
  wait_for_task();
  kill(wait_for_process(TRACEBED_LAUNCHER), SIGKILL);
  EXPECT_THAT(coordinator_.welcome().running, IsEmpty());
  launch(2, std::chrono::milliseconds(1));
  EXPECT_EQ(coordinator_.next_exit(ContainerId(2u)).end, ContainerEnd::succeeded);
}

TEST_F(AgentTest, EndsWithTheReasonWhenItsLauncherCannotWorkHere) {
  start({"--task", "/nowhere/tracebed-task"});
  EXPECT_EQ(WEXITSTATUS(wait_for_agent()), 4);
}

// Cluster mode: the launcher runs on its own, and a killed agent's successor finds the containers.
TEST_F(AgentTest, ItsSuccessorFindsWhatRunsAndWhatEnded) {
  const TemporaryFolder folder;
  const std::string path = folder.file("socket");
  launcher::DescriptorPair lifeline = launcher::pipe_pair();
  const pid_t launcher_process =
      launcher::spawn(TRACEBED_LAUNCHER,
                      {"--run", run_, "--agent", "node1", "--task", TRACEBED_TASK, "--listen", path,
                       "--lifeline-fd", std::to_string(lifeline.first.number())},
                      {lifeline.first.number()});
  lifeline.first.reset();
  start({"--launcher-socket", path});
  coordinator_.welcome();
  launch(1, long_time);
  launch(2, std::chrono::milliseconds(1));
  const wire::ContainerExit exit = coordinator_.next_exit(ContainerId(2u));
  kill(agent_, SIGKILL);
  wait_for_agent();

  start({"--launcher-socket", path});
  const wire::Hello hello = coordinator_.welcome();
  EXPECT_THAT(hello.running, ElementsAre(ContainerId(1u)));
  ASSERT_EQ(hello.exits.size(), 1);
  EXPECT_EQ(hello.exits[0], exit);
  coordinator_.say(wire::KillBatch{{ContainerId(1u)}});
  EXPECT_EQ(coordinator_.next_exit(ContainerId(1u)).end, ContainerEnd::killed);

  coordinator_.say(wire::Shutdown{"over"});
  EXPECT_EQ(wait_for_agent(), 0);
  EXPECT_EQ(launcher::wait_for_end(launcher_process), 0);
}

TEST(AgentProgram, SaysWhichFlagIsWrong) {
  const std::vector<std::string> good = {"--run", "r", "--name", "n"};
  // What the command line's own rules find is another code than what is found later.
  struct Case {
    std::vector<std::string> flag;
    ExitCode exit_code;
  };
  const std::vector<Case> bad = {
      {{"--unknown"}, ExitCode::usage},
      {{"--run", "a/b"}, ExitCode::input},
      {{"--milli-vcores", "0"}, ExitCode::usage},
      {{"--address", "x"}, ExitCode::usage},
      {{"--memory-mib", "much"}, ExitCode::usage},
      {{"--isolation", "some"}, ExitCode::usage},
      {{"--rack", ""}, ExitCode::input},
      {{"--lifeline-fd", "999"}, ExitCode::input},
  };
  const test::LinkEnds link;
  for (const auto& [more, exit_code] : bad) {
    std::vector<std::string> arguments = good;
    const auto same = std::find(arguments.begin(), arguments.end(), more.front());
    if (same != arguments.end()) arguments.erase(same, same + 2);
    arguments.insert(arguments.end(), more.begin(), more.end());
    const FileDescriptor input = link.pipe_for_agent("tcp://127.0.0.1:1");
    const int status =
        launcher::wait_for_end(launcher::spawn(TRACEBED_AGENT, arguments, {}, input.number()));
    EXPECT_EQ(WEXITSTATUS(status), to_int(exit_code)) << more.front();
  }
}

// Of an agent without --config they come by its standard input.
TEST(AgentProgram, WantsAnEndpointAndKeys) {
  const std::vector<std::string> arguments = {"--run", "r", "--name", "n"};
  const LinkKeys keys{test::new_key_pair(), test::new_key_pair().public_key};
  const std::vector<ProcessSecret> bad = {
      {1, "http://x", keys},
      {1, "tcp://127.0.0.1:99999", keys},
      {1, "tcp://127.0.0.1:1", {}},
      {0, "tcp://127.0.0.1:1", keys},
  };
  for (const ProcessSecret& secret : bad) {
    const Result<FileDescriptor> input = pipe_that_holds(secret);
    ASSERT_TRUE(input);
    const int status =
        launcher::wait_for_end(launcher::spawn(TRACEBED_AGENT, arguments, {}, input->number()));
    EXPECT_EQ(WEXITSTATUS(status), to_int(ExitCode::input)) << secret.coordinator;
  }
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int status =
      launcher::wait_for_end(launcher::spawn(TRACEBED_AGENT, arguments, {}, nothing.number()));
  EXPECT_EQ(WEXITSTATUS(status), to_int(ExitCode::input));
}

}  // namespace
}  // namespace tracebed
