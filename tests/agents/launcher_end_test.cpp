// The ends of a tracebed-launcher: whatever they are, nothing that it started stays.
#include <csignal>

#include "agents/launcher_fixture.h"
#include "core/exit_codes.h"

namespace tracebed::launcher {
namespace {

using testing::IsEmpty;

TEST_F(LauncherTest, ShutdownEndsEverything) {
  LauncherProcess launcher(options(FAULT_FORK_TREE));
  for (std::uint32_t id = 1; id <= 5; ++id) launcher.launch(container(id));
  launcher.next_started();
  launcher.client().shutdown();
  EXPECT_EQ(launcher.wait_for_end(), 0);
  EXPECT_THAT(processes_of(FAULT_FORK_TREE), IsEmpty());
  expect_nothing_left();
}

// The lifeline is cut when its owner dies, by kill -9 too.
TEST_F(LauncherTest, ACutLifelineEndsEverything) {
  LauncherProcess launcher(listening(FAULT_FORK_TREE));
  start_one(launcher);
  launcher.cut_lifeline();
  EXPECT_EQ(launcher.wait_for_end(), 0);
  EXPECT_THAT(processes_of(FAULT_FORK_TREE), IsEmpty());
  EXPECT_NE(access(launcher.socket_path().c_str(), F_OK), 0) << "the socket is gone";
  expect_nothing_left();
}

TEST_F(LauncherTest, OneThatCannotStartLeavesNoSocket) {
  const TemporaryFolder folder;
  const std::string path = folder.file("socket");
  const pid_t process = spawn(TRACEBED_LAUNCHER,
                              {"--run", run_, "--agent", "agent", "--task", TRACEBED_TASK,
                               "--listen", path, "--task-user", "no-such-user"},
                              {});
  EXPECT_EQ(WEXITSTATUS(wait_for_end(process)), to_int(ExitCode::input));
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST_F(LauncherTest, AnInheritedAgentThatDiesEndsEverything) {
  LauncherProcess launcher(options(FAULT_FORK_TREE));
  start_one(launcher);
  launcher.disconnect();
  EXPECT_EQ(launcher.wait_for_end(), 0);
  expect_nothing_left();
}

TEST_F(LauncherTest, KilledByForceItTakesItsTasksAlongAndASweepDoesTheRest) {
  LauncherProcess launcher(options(FAULT_FORK_TREE));
  const StartedRecord started = start_one(launcher);
  // Its children are asleep when there are as many as it starts.
  EXPECT_TRUE(eventually([&] { return processes_of(FAULT_FORK_TREE).size() >= 6; }));
  kill(launcher.process(), SIGKILL);
  launcher.wait_for_end();
  EXPECT_TRUE(eventually([&] { return kill(started.process, 0) != 0; })) << "by PDEATHSIG";
  EXPECT_FALSE(cgroups_of_run(run_).empty());
  EXPECT_EQ(wait_for_end(spawn(TRACEBED_LAUNCHER, {"--sweep", run_}, {})), 0);
  EXPECT_THAT(processes_of(FAULT_FORK_TREE), IsEmpty());
  expect_nothing_left();
}

TEST_F(LauncherTest, ItsSuccessorClearsUpAfterIt) {
  {
    LauncherProcess launcher(listening(FAULT_FORK_TREE));
    start_one(launcher);
    kill(launcher.process(), SIGKILL);
    launcher.wait_for_end();
  }
  LauncherProcess next(listening(TRACEBED_TASK));
  EXPECT_NE(next.next_state().isolation, Isolation::none);
  EXPECT_THAT(processes_of(FAULT_FORK_TREE), IsEmpty());
  next.launch(container(1));
  EXPECT_EQ(next.next_exited().container, 1);
}

}  // namespace
}  // namespace tracebed::launcher
