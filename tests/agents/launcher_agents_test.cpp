// The agents of a tracebed-launcher: they go and come, hurry, talk nonsense, or are misconfigured.
#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>

#include "agents/launcher_fixture.h"

namespace tracebed::launcher {
namespace {

using testing::IsEmpty;

TEST_F(LauncherTest, ANewAgentIsToldWhatRunsAndWhatEnded) {
  LauncherProcess launcher(listening(TRACEBED_TASK));
  launcher.launch(container(1, {Work{.duration = seconds(60)}}));
  launcher.launch(container(2));
  const StartedRecord started = launcher.next_started();
  EXPECT_EQ(launcher.next_exited().container, 2);
  launcher.launch(container(3));  // ends while no agent is there, or before: told in either case
  launcher.disconnect();

  launcher.connect();
  std::vector<std::uint32_t> ended = {launcher.next_exited().container};
  EXPECT_TRUE(eventually([&] {
    for (const ExitedRecord& exit : launcher.exits_so_far()) {
      if (exit.container == 3) return true;
    }
    return ended.back() == 3;
  }));
  EXPECT_EQ(ended.front(), 2);
  const StartedRecord again = launcher.next_started();
  EXPECT_EQ(again.container, 1);
  EXPECT_EQ(again.process, started.process);
  EXPECT_EQ(again.at_ns, started.at_ns);
  launcher.next_state();
}

// Launches that the launcher has not got to yet belong to what runs.
TEST_F(LauncherTest, ANewAgentIsToldOfLaunchesThatWait) {
  LauncherProcess launcher(listening(TRACEBED_TASK));
  const std::vector<LaunchRecord> records = containers(300, 60'000'000);
  launcher.client().launch(records);
  EXPECT_TRUE(eventually([&] {
    launcher.client().flush();
    return !launcher.client().wants_write();
  }));
  launcher.disconnect();
  launcher.connect();
  EXPECT_EQ(launcher.containers_in_answer().size(), records.size());
}

TEST_F(LauncherTest, AcknowledgedExitsAreForgotten) {
  LauncherProcess launcher(listening(TRACEBED_TASK));
  launcher.launch(container(1));
  launcher.launch(container(2));
  const ExitedRecord first = launcher.next_exited();
  const ExitedRecord second = launcher.next_exited();
  EXPECT_GT(second.sequence, first.sequence);
  launcher.client().acknowledge(first.sequence);
  launcher.disconnect();
  launcher.connect();
  EXPECT_EQ(launcher.next_exited().sequence, second.sequence);
  launcher.next_state();
  EXPECT_THAT(launcher.exits_so_far(), IsEmpty());
}

TEST_F(LauncherTest, ContainersOutliveTheirAgentOnlyForTheGrace) {
  LauncherProcess::Options chosen = listening(TRACEBED_TASK);
  chosen.more = {"--orphan-grace", "0.2"};
  LauncherProcess launcher(chosen);
  launcher.launch(container(1, {Work{.duration = seconds(60)}}));
  const StartedRecord started = launcher.next_started();
  launcher.disconnect();
  EXPECT_TRUE(eventually([&] { return kill(started.process, 0) != 0; }));
  launcher.connect();
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.container, 1);
  EXPECT_EQ(exit.cause, ExitCause::orphaned);
}

TEST_F(LauncherTest, OnlyOneAgentAtATimeIsServed) {
  LauncherProcess launcher(listening(TRACEBED_TASK));
  launcher.next_state();
  Result<FileDescriptor> socket = connect_to_launcher(launcher.socket_path());
  ASSERT_TRUE(socket);
  LauncherClient second(*std::move(socket));
  std::vector<LauncherClient::News> news;
  EXPECT_TRUE(eventually([&] { return !second.receive(news); })) << "it is hung up on";
  launcher.launch(container(1));
  EXPECT_EQ(launcher.next_exited().container, 1) << "the first one is served on";
}

TEST_F(LauncherTest, GarbageIsDroppedAndTheLauncherServesOn) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  launcher.next_state();
  const int number = launcher.client().number();
  const std::vector<std::vector<char>> packets = {
      std::vector<char>(1, 'x'), std::vector<char>(16, '\0'), std::vector<char>(500, '\xff'),
      std::vector<char>(packet_bytes_max + 1, 'y')};
  for (const auto& packet : packets) {
    EXPECT_GT(send(number, packet.data(), packet.size(), MSG_NOSIGNAL), 0);
  }
  launcher.launch(container(1));
  EXPECT_EQ(launcher.next_exited().container, 1);
}

TEST(LauncherProgram, SaysWhichFlagIsWrong) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
  };
  const std::vector<Case> cases = {
      {{"--run", "a/b", "--agent", "x", "--task", TRACEBED_TASK, "--agent-fd", "0"}, 3},
      {{"--run", "r", "--agent", "x", "--task", "/nowhere", "--agent-fd", "0"}, 4},
      {{"--run", "r", "--agent", "x", "--task", TRACEBED_TASK}, 2},
      {{"--unknown"}, 2},
      {{"--sweep", "../.."}, 3},
      {{"--run", "r", "--agent", "x", "--task", TRACEBED_TASK, "--agent-fd", "0", "--task-user",
        "me"},
       3},
  };
  for (const Case& test : cases) {
    const int status = wait_for_end(spawn(TRACEBED_LAUNCHER, test.arguments, {}));
    EXPECT_EQ(WEXITSTATUS(status), test.exit_code) << test.arguments.back();
  }
}

}  // namespace
}  // namespace tracebed::launcher
