// Daemons that stand still for a while, as in a paused virtual machine, and go on.
#include <gmock/gmock.h>
#include <signal.h>
#include <thread>

#include "core/exit_codes.h"
#include "exhaustion/exhausted_cluster.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class Paused : public ExhaustedCluster {
 protected:
  // Stands still for longer than an agent may be silent.
  static void pause(pid_t process) {
    ::kill(process, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(5));
    ::kill(process, SIGCONT);
  }
  const std::vector<std::string> settings_{"agents.lost_after=\"3s\""};
};

TEST_F(Paused, TheCoordinatorsOwnPauseLosesNoAgent) {
  start(3);
  RunningProgram client(program_path("tracebed"), arguments(12, 80, settings_));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  pause(cluster_->coordinator().id());
  const RunFolder folder = expect_whole(client, 12);
  EXPECT_EQ(counters_of(folder).at("agents_lost"), 0u);
  EXPECT_THAT(folder.end.warnings, testing::Contains(HasSubstr("read no messages for")));
}

TEST_F(Paused, AnAgentThatStoodStillIsLostAndComesBackAndSaysSo) {
  start(2);
  RunningProgram client(program_path("tracebed"), arguments(12, 80, settings_));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  pause(cluster_->agent(0).id());
  expect_whole(client, 12);
  EXPECT_THAT(cluster_->agent(0).error(), HasSubstr("was paused"));
}

TEST_F(Paused, ALauncherThatStandsStillIsWaitedFor) {
  start(2);
  RunningProgram client(program_path("tracebed"), arguments(12, 80, settings_));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  pause(cluster_->launcher(0));
  const RunFolder folder = expect_whole(client, 12);
  EXPECT_EQ(counters_of(folder).at("agents_lost"), 0u);
}

// It is asked with each heartbeat, and its agent says that it has none when it does not answer.
TEST_F(Paused, ALauncherThatHangsIsNamedAndItsTasksRunElsewhere) {
  start(2);
  RunningProgram client(program_path("tracebed"), arguments(12, 80, settings_));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  ::kill(cluster_->launcher(0), SIGSTOP);
  const auto has_launcher = [&] { return status().at("agents").at(0).at("has_launcher") == true; };
  EXPECT_TRUE(eventually([&] { return !has_launcher(); }));
  expect_whole(client, 12);
  EXPECT_THAT(cluster_->agent(0).error(), HasSubstr("the launcher has not answered for 10 s"));
  ::kill(cluster_->launcher(0), SIGCONT);
  EXPECT_TRUE(eventually(has_launcher));
  EXPECT_THAT(cluster_->agent(0).error(), HasSubstr("the launcher is connected again"));
}

TEST_F(Paused, WholeClustersPausesEndNoContainer) {
  start(2);
  RunningProgram client(program_path("tracebed"), arguments(6, 80, settings_));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  const std::vector<pid_t> all{cluster_->coordinator().id(), cluster_->agent(0).id(),
                               cluster_->agent(1).id(), cluster_->launcher(0),
                               cluster_->launcher(1)};
  for (const pid_t process : all) ::kill(process, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(5));
  for (const pid_t process : all) ::kill(process, SIGCONT);
  const RunFolder folder = expect_whole(client, 6);
  EXPECT_EQ(counters_of(folder).at("agents_lost"), 0u);
}

// The run's own Redis does not answer any more, and nothing that was begun waits for it.
TEST_F(Paused, CtrlCEndsARunWhoseRedisStandsStill) {
  const std::vector<std::string> words = run_.arguments(12, 3'000);
  RunningProgram program(program_path("tracebed"), words,
                         {"TRACEBED_TRACES=" + run_.folder().string()});
  ASSERT_TRUE(eventually([&] { return run_.has_containers(program.id()); })) << program.error();
  const std::vector<pid_t> redis = run_.processes(program.id(), "redis-server");
  ASSERT_EQ(redis.size(), 1u);
  ::kill(redis.front(), SIGSTOP);
  program.signal(SIGINT);
  const ProgramEnd end = program.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  EXPECT_TRUE(eventually([&] { return run_.leftovers().empty(); }));
}

}  // namespace
}  // namespace tracebed
